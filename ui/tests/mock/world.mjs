/**
 * The made-up trace of the mock server: a phone asks GPU ranks for a summary and notifies a watch. Deterministic. With
 * `hostile` every text is a payload; `ranks` and `threads` make it as large as a test wants.
 */
import { payloads } from './hostile.mjs';

const ms = 1_000_000n;
export const start = 147_757_169_866n;
const random = (seed) => () => {
  seed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  seed = (seed + Math.imul(seed ^ (seed >>> 7), 61 | seed)) ^ seed;
  return ((seed ^ (seed >>> 14)) >>> 0) / 4294967296;
};

const hash = (name) => {
  let h = 0;
  for (let i = 0; i < name.length; i += 1) h = (h + 37 * h + 11 * name.charCodeAt(i)) % 0xffffffff;
  return h % 23;
};

const states = { Running: 25, R: 26, S: 27, D: 23 };

/** Makes the world. Nodes as in the tree answer, each with `events` by kind. */
export function makeWorld({ isHostile = false, ranks = 8, spanMs = 1400n, threads = 0 } = {}) {
  const rd = random(42);
  const strings = [''];
  const ids = new Map();
  let payload = 0;
  const text = (name) => (isHostile ? `${payloads[payload++ % payloads.length]} ${name}` : name);
  const nameOf = (name) => {
    if (!ids.has(name)) {
      ids.set(name, strings.length);
      strings.push(text(name));
    }
    return ids.get(name);
  };
  const nodes = [];
  const rows = { slice: [], counter: [], sched: [], thread_state: [], log: [] };
  const end = start + spanMs * ms;
  const bounds = { exact: { kind: 'exact' }, some: { kind: 'at_most', ns: '10007867' }, gpu: { kind: 'at_most', ns: '838000' }, none: { kind: 'none' } };
  const add = (type, title, parent, extra = {}) => {
    const node = {
      node: nodes.length + 1, key: `${parent ? `${parent.key}/` : ''}${title}#${nodes.length}`, parent: parent?.node ?? null, level: parent ? parent.level + 1 : 0, type, kind: null, title: text(title), detail: '', children: 0, hidden: 0, empty: false,
      machine_id: parent?.machine_id ?? null, trace_id: parent?.trace_id ?? null, upid: null, utid: parent?.utid ?? null, ucpu: null, tracks: [], track_type: null, unit: null, lines: 0, modes: ['summary'], events: '0', first_ts: null, last_ts: null,
      bound: parent?.bound ?? bounds.exact, linked: [], list: [], ...extra,
    };
    if (parent) parent.children += 1;
    nodes.push(node);
    return node;
  };
  const track = (parent, kind, title, list, extra = {}) => {
    const lines = kind === 'counter' || kind === 'log' ? 1 : Math.max(1, ...list.map((e) => (e.line ?? 0) + 1));
    const modes = kind === 'counter' ? ['value', 'delta', 'rate', 'summary'] : ['value', 'summary'];
    const node = add('track', title, parent, { kind, lines, modes, tracks: [nodes.length], ...extra });
    list.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
    node.list = list;
    const eventKind = { async: 'slice', stacked: 'counter' }[kind] ?? kind;
    for (const e of list) {
      e.row = rows[eventKind]?.length ?? 0;
      e.node = node.node;
      e.kind = eventKind;
      rows[eventKind]?.push(e);
    }
    return node;
  };
  const slice = (at, length, name, line = 0, extra = {}) => ({ ts: start + BigInt(Math.round(at * 1e6)), end: start + BigInt(Math.round((at + length) * 1e6)), line, name: nameOf(name), text: name, colour: hash(name), ...extra });
  const total = Number(spanMs);

  const nested = (rate, names, depth, seed) => {
    const own = random(seed);
    const list = [];
    const fill = (from, to, line) => {
      let at = from;
      while (at < to - 0.02) {
        at += own() * rate * 0.6;
        const length = Math.min(to - at, rate * (0.15 + own()));
        if (length <= 0.01) break;
        const name = names[Math.floor(own() * names.length)];
        list.push(slice(at, length, name, line));
        if (line + 1 < depth && own() < 0.7) fill(at + length * 0.05, at + length * 0.9, line + 1);
        at += length;
      }
    };
    fill(0, total, 0);
    return list;
  };
  const stateList = (seed) => {
    const own = random(seed);
    const list = [];
    for (let at = 0; at < total; ) {
      const name = ['Running', 'S', 'R', 'S', 'D'][Math.floor(own() * 5)];
      const length = name === 'S' ? 4 + own() * 30 : 0.5 + own() * 9;
      list.push(slice(at, Math.min(length, total - at), name, 0, { colour: states[name] }));
      at += length;
    }
    return list;
  };

  // The phone.
  const phone = add('machine', 'phone', null, { machine_id: 0 });
  const phoneFile = add('file', 'phone.pftrace', phone, { trace_id: 0 });
  const cpus = add('group', 'CPU scheduling', phoneFile);
  for (let cpu = 0; cpu < 4; cpu += 1) {
    const own = random(900 + cpu);
    const list = [];
    for (let at = own() * 4; at < total; ) {
      const length = 0.4 + own() * 7;
      if (own() < 0.75) list.push({ ...slice(at, length, `thread ${Math.floor(own() * 9)}`), name: Math.floor(own() * 9) });
      at += length;
    }
    track(cpus, 'sched', `CPU ${cpu}`, list, { ucpu: cpu });
  }
  track(cpus, 'counter', 'CPU 0 frequency', Array.from({ length: 160 }, (_, i) => ({ ts: start + BigInt(i) * 8n * ms, value: [600, 1200, 1800, 2400][Math.floor(rd() * 4)] })), { unit: 'MHz' });
  const mail = add('process', 'com.example.mail (pid 4112)', phoneFile, { upid: 1 });
  const main = add('thread', 'main 4112', mail, { utid: 1 });
  track(main, 'thread_state', 'states', stateList(5));
  const mainSlices = nested(40, ['Choreographer', 'MailRepository.onChange', 'parseThread', 'Summarizer', 'HttpClient.send', 'RecyclerView', 'traversal', 'GC: young'], 3, 7);
  mainSlices.push(slice(880, 60, 'onSummary', 0, { hasFlows: true }), slice(885, 40, 'NotificationManager.notify', 1, { hasFlows: true }));
  const mainTrack = track(main, 'slice', 'slices', mainSlices.filter((e) => e.text === 'onSummary' || e.text.startsWith('Notif') || e.end < start + 870n * ms || e.ts > start + 950n * ms));
  const render = add('thread', 'RenderThread 4131', mail, { utid: 2 });
  track(render, 'slice', 'slices', nested(0.22, ['DrawFrame', 'dequeueBuffer', 'flush commands', 'eglSwapBuffers'], 2, 8));
  track(mail, 'async', 'Network', [slice(100, 420, 'POST /v1/summarize', 0), slice(110, 60, 'TLS handshake', 1), slice(260, 250, 'stream tokens', 1), slice(600, 190, 'GET /avatar/22', 0), slice(660, 120, 'body', 1), slice(1010, 140, 'PUT /sync', 0)]);
  track(mail, 'stacked', 'Memory', Array.from({ length: 120 }, (_, i) => ({ ts: start + BigInt(i) * 11n * ms, values: [8 + (i % 17) / 4, 10 + Math.sin(i / 8) * 2, i > 70 ? 3 : 6] })), { unit: 'MiB', lines: 3, series: ['anon', 'file', 'swap'].map(nameOf), modes: ['value', 'summary'] });
  track(mail, 'log', 'Logs', Array.from({ length: 90 }, (_, i) => ({ ts: start + BigInt(Math.floor(rd() * total * 1e6)), worst: [3, 4, 4, 5, 6][i % 5], text: `log ${i}` })));
  const server = add('process', 'system_server (pid 1402)', phoneFile, { upid: 2 });
  for (const [i, name] of ['Binder:1', 'Binder:2', 'android.fg'].entries()) track(add('thread', `${name} ${1410 + i}`, server, { utid: 10 + i }), 'slice', 'slices', nested(9, ['binder transaction', 'AMS.startActivity', 'monitor contention'], 2, 60 + i));
  track(phoneFile, 'counter', 'Power', Array.from({ length: 300 }, (_, i) => ({ ts: start + BigInt(i) * 4600n * 1000n, value: 2.2 + Math.sin(i / 23) * 0.9 + rd() * 0.5 })), { unit: 'W' });
  const app = add('file', 'app.json', phone, { trace_id: 2, hidden: 2 });
  const appSlices = [slice(20, 48, 'mailbox.poll'), slice(120, 470, 'summary.pending'), slice(595, 160, 'summary.render'), slice(930, 150, 'mailbox.poll'), slice(1180, 90, 'sync', 0, { unfinished: true, end: end }), slice(1100, 0, 'marker')];
  const appThread = add('thread', 'Thread 1', add('process', 'app (pid 1)', app, { upid: 4, hidden: 1 }), { utid: 4 });
  track(appThread, 'slice', 'slices', appSlices.filter((e) => e.text !== 'sync' || true));
  // The watch.
  const watch = add('machine', 'watch', null, { machine_id: 1, bound: bounds.some });
  const wear = add('process', 'com.example.mail.wear (pid 902)', watch, { upid: 3, trace_id: 1 });
  const wearMain = add('thread', 'main 902', wear, { utid: 3 });
  track(wearMain, 'thread_state', 'states', stateList(99));
  const watchTrack = track(wearMain, 'slice', 'slices', [slice(150, 24, 'TileService.onTileRequest'), slice(420, 44, 'Tile.update'), slice(938, 108.214, 'onNotificationPosted', 0, { hasFlows: true }), slice(944, 30, 'Glide.load', 1), slice(980, 20, 'layout', 1), slice(1012, 30, 'Vibrator.vibrate', 1), slice(1200, 70, 'Complication.update')]);
  // The ranks.
  const gpu = add('machine', 'gpu-node', null, { machine_id: 2, bound: bounds.gpu });
  for (let r = 0; r < ranks; r += 1) {
    const file = add('file', `rank${r}.json`, gpu, { trace_id: 10 + r, bound: r === 5 ? bounds.none : bounds.gpu });
    const process = add('process', `python (pid ${7000 + r})`, file, { upid: 100 + r });
    const list = [];
    for (let i = 0; i < 30; i += 1) {
      const at = 180 + i * 34 + r * 0.4;
      list.push(slice(at, 22 + rd() * 4, 'decodeToken'), slice(at + 26, 6 + rd() * 2, 'AllReduce'));
    }
    track(add('thread', `stream 20 ${r}`, process, { utid: 200 + r }), 'slice', 'slices', list);
  }
  for (let i = 0; i < threads; i += 1) {
    if (i % 50 === 0) add('process', `load (pid ${20000 + i / 50})`, gpu, { upid: 5000 + i / 50 });
    const parent = nodes.filter((n) => n.title.startsWith('load')).at(-1) ?? gpu;
    track(add('thread', `worker ${i}`, parent, { utid: 6000 + i }), 'slice', 'slices', Array.from({ length: 24 }, (_, k) => slice((k * total) / 24 + (i % 7), total / 60, ['step', 'load', 'wait'][k % 3])));
  }
  const find = (name) => rows.slice.find((e) => e.text === name);
  const flows = [
    { row: 0, out: find('NotificationManager.notify'), in: find('onNotificationPosted'), violation: false },
    { row: 1, out: find('onSummary'), in: find('Vibrator.vibrate'), violation: false },
    { row: 2, out: find('HttpClient.send') ?? find('Choreographer'), in: rows.slice.find((e) => e.text === 'decodeToken'), violation: false },
    { row: 3, out: rows.slice.filter((e) => e.text === 'decodeToken').at(-2), in: find('summary.render'), violation: true },
  ];
  for (const f of flows) for (const e of [f.out, f.in]) if (e) e.hasFlows = true;
  void mainTrack;
  void watchTrack;
  // Sums upwards.
  for (const node of [...nodes].reverse()) {
    const own = node.list.length;
    let [first, last] = [node.list[0]?.ts ?? null, node.list.reduce((m, e) => ((e.end ?? e.ts) > (m ?? -1n) ? (e.end ?? e.ts) : m), null)];
    let events = BigInt(own);
    for (const child of nodes.filter((n) => n.parent === node.node)) {
      events += BigInt(child.events);
      if (child.first !== null && (first === null || child.first < first)) first = child.first;
      if (child.last !== null && (last === null || child.last > last)) last = child.last;
    }
    Object.assign(node, { events: String(events), first, last, first_ts: first === null ? null : String(first), last_ts: last === null ? null : String(last) });
  }
  const threadNames = Array.from({ length: 16 }, (_, i) => text(['main 4112', 'RenderThread 4131', 'Binder:1 1410', 'surfaceflinger 612', 'kworker/u8:1 88', 'swapper', 'ksoftirqd/0 9', 'logd 401', 'installd 522'][i % 9]));
  return { nodes, rows, strings, threadNames, flows, start, end };
}
