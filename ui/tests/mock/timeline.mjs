/** The timeline's routes and socket operations of the mock server, over the world of world.mjs (docs/timeline-wire.md). */
import { counterFrame, counterItems, flowFrame, markFrame, markItems, rangeOf, sliceFrame, sliceItems, stackedFrame, summaryFrame, summaryItems } from './tiles.mjs';
import { start } from './world.mjs';

/** Returns nodes by member, with keys below those of parents that are among them. */
function columnsOf(nodes) {
  const keys = new Map(nodes.map((n) => [n.node, n.key]));
  const own = (n) => n.key.slice((keys.get(n.parent) ?? '').length);
  return Object.fromEntries(Object.keys(nodes[0] ?? {}).map((name) => [name, nodes.map((n) => (name === 'key' ? own(n) : n[name]))]));
}

/** Returns a node as the tree answer has it. */
function shownNode(node) {
  const { list, first, last, series, ...rest } = node;
  return rest;
}

export function mockTimeline(world) {
  const byNumber = new Map(world.nodes.map((n) => [n.node, n]));
  const childrenOf = (parent) => world.nodes.filter((n) => n.parent === parent);
  const searches = new Map();
  let nextSearch = 1;

  const below = (node) => (node.children === 0 ? [node] : [node, ...childrenOf(node.node).flatMap(below)]);
  const sliceLike = new Set(['slice', 'async', 'sched', 'thread_state', 'state']);

  function list(parent, depth) {
    const out = [];
    const walk = (p, d) => {
      for (const n of childrenOf(p)) {
        out.push(n);
        if (d > 1) walk(n.node, d - 1);
      }
    };
    walk(parent, depth);
    return out;
  }

  function frame(head, node, mode, level, first, tiles, search) {
    if (mode === 'flows') {
      const [from, to] = rangeOf(level, first, tiles);
      const shown = world.flows.filter((f) => f.out && f.in && ((f.out.ts >= from && f.out.ts < to) || (f.in.ts >= from && f.in.ts < to)));
      return flowFrame(head, shown.length, shown.map((f) => ({ outTrack: f.out.node, inTrack: f.in.node, outLine: f.out.line, inLine: f.in.line, outTs: f.out.ts, inTs: f.in.ts, row: f.row, count: 1, flags: (f.violation ? 1 : 0) | 2 })));
    }
    if (!node) return null;
    if (mode === 'hits') return markFrame(head, markItems((searches.get(search)?.hits ?? []).filter((h) => below(node).some((n) => n.node === h.node)), level, first, tiles), 7);
    const wanted = mode ?? node.modes[0];
    if (!node.modes.includes(wanted)) return null;
    if (wanted === 'summary') {
      const tracks = below(node).filter((n) => sliceLike.has(n.kind) && n.kind !== 'sched');
      const { names, items } = summaryItems(tracks.flatMap((n) => n.list.filter((e) => n.kind !== 'thread_state' || e.text === 'Running')), tracks.length, level, first, tiles);
      return summaryFrame(head, names, items);
    }
    const full = { ...head, lines: node.lines };
    if (sliceLike.has(node.kind)) return sliceFrame(full, sliceItems(node.list, level, first, tiles));
    if (node.kind === 'counter') {
      const changed = wanted === 'value' ? node.list : node.list.slice(1).map((s, i) => ({ ts: s.ts, value: (s.value - node.list[i].value) / (wanted === 'rate' ? Number(s.ts - node.list[i].ts) / 1e9 : 1) }));
      const values = changed.map((s) => s.value);
      const { before, items } = counterItems(changed, level, first, tiles);
      return counterFrame(full, { before, low: Math.min(...values), high: Math.max(...values) }, items);
    }
    if (node.kind === 'stacked') {
      const [from, to] = rangeOf(level, first, tiles);
      const before = node.list.filter((s) => s.ts < from).at(-1)?.values ?? node.series.map(() => NaN);
      const items = new Map();
      for (const s of node.list) if (s.ts >= from && s.ts < to) {
        const bucket = Number((s.ts - from) >> BigInt(level));
        const total = s.values.reduce((a, b) => a + b, 0);
        const item = items.get(bucket);
        items.set(bucket, { bucket, low: Math.min(item?.low ?? total, total), high: Math.max(item?.high ?? total, total), last: s.values });
      }
      return stackedFrame(full, node.series, before, [...items.values()]);
    }
    return markFrame(full, markItems(node.list, level, first, tiles));
  }

  const brief = (e) => ({
    kind: e.kind, row: e.row, node: e.node, line: e.line ?? 0, name: e.kind === 'log' ? e.text : (world.strings[e.kind === 'sched' ? 0 : e.name] ?? e.text ?? ''), category: e.kind === 'slice' ? 'app' : null, ts: String(e.ts),
    dur: e.unfinished ? '-1' : String((e.end ?? e.ts) - e.ts), end: String(e.end ?? e.ts), instant: e.end === e.ts && e.kind === 'slice', unfinished: e.unfinished === true, cut: false, self: null, colour: e.colour ?? 255, value: e.value ?? null,
  });

  function details(e) {
    const node = byNumber.get(e.node);
    const up = [];
    for (let at = node; at; at = byNumber.get(at.parent)) up.unshift(at);
    const title = (type) => up.find((n) => n.type === type)?.title ?? null;
    const own = e.kind === 'slice' ? node.list.filter((o) => o !== e) : [];
    const parents = own.filter((o) => o.line < e.line && o.ts <= e.ts && o.end >= e.end);
    const children = own.filter((o) => o.line === e.line + 1 && o.ts >= e.ts && o.end <= e.end);
    const self = children.reduce((sum, c) => sum - (c.end - c.ts), (e.end ?? e.ts) - e.ts);
    return {
      ...brief(e), self: e.kind === 'slice' ? String(self) : null,
      // As the server does, members that only slices have are left out for others.
      ...(e.kind === 'slice' ? { depth: e.line ?? null, thread_ts: null, thread_dur: e.end > e.ts ? String(((e.end - e.ts) * 57n) / 100n) : null, cpu_self: null } : {}),
      parents: parents.map(brief), children: children.slice(0, 100).map(brief), children_total: children.length, linked: [], flows: world.flows.filter((f) => f.out === e || f.in === e).length, arg_set_id: 1, args_total: args(e).length,
      upid: null, utid: node.utid, ucpu: node.ucpu, process: title('process'), thread: title('thread'), machine: title('machine'), file: title('file'),
      place: { file: e.kind === 'sched' || e.kind === 'thread_state' ? null : (title('file') ?? 'watch.pftrace'), machine: title('machine') ?? '', rule: 'measured', path: node.machine_id === 1 ? 'BOOTTIME of watch > REALTIME of watch > REALTIME of phone > BOOTTIME of phone' : 'BOOTTIME of phone', bound: node.bound },
      fields: e.kind === 'thread_state' ? [{ name: 'state', value: e.text }] : e.kind === 'log' ? [{ name: 'tag', value: 'Mail' }, { name: 'priority', value: e.worst }] : [], cut_texts: [],
    };
  }

  const args = (e) => (e.kind !== 'slice' ? [] : [
    { key: 'args.channel', type: 'string', value: 'mail.summary' }, { key: 'args.flow_id', type: 'uint', value: '546319200' }, { key: 'args.importance', type: 'int', value: '4' }, { key: 'args.payload.bytes', type: 'int', value: '2114' },
    { key: 'args.payload.lang', type: 'string', value: world.strings[1] }, { key: 'args.payload.tokens[0]', type: 'int', value: '96' }, { key: 'args.url', type: 'string', value: 'https://example.com/x' },
  ]);

  const at = (node, line, ts, radius) => {
    let best = null;
    let distance = null;
    for (const e of node.list) {
      if ((e.line ?? 0) !== line) continue;
      const end = e.end ?? e.ts;
      const d = ts < e.ts ? e.ts - ts : ts > end ? ts - end : 0n;
      if (d <= radius && (distance === null || d < distance)) [best, distance] = [e, d];
    }
    return best;
  };

  function find(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return world.rows.slice.filter((e) => words.every((w) => (world.strings[e.name] ?? '').toLowerCase().includes(w) || /^(machine|dur|cat)/.test(w))).sort((a, b) => (a.ts < b.ts ? -1 : 1));
  }

  /** Answers a route below T; returns undefined for those of others. `answer(value, status)` or `problem`. */
  function route(method, path, parameters, body, { json, problem, bytes }) {
    const is = (m, pattern) => (method === m ? new RegExp(`^${pattern}$`).exec(path) : null);
    let m;
    if (is('GET', '/tracks')) {
      const parent = parameters.get('parent');
      const all = list(parent === null ? null : (byNumber.get(Number(parent))?.node ?? null), Number(parameters.get('depth') ?? 1));
      const offset = Number(parameters.get('offset') ?? 0);
      const nodes = all.slice(offset, offset + Number(parameters.get('limit') ?? 1000)).map(shownNode);
      const page = { grouping: parameters.get('grouping') ?? 'machine_file', parent: parent === null ? null : Number(parent), offset, total: all.length, hidden: parent === null ? 9 : 0, start_ts: String(world.start), end_ts: String(world.end) };
      return json(parameters.get('columns') === '1' ? { ...page, columns: columnsOf(nodes) } : { ...page, nodes });
    }
    if ((m = is('GET', '/tracks/(\\d+)'))) {
      const node = byNumber.get(Number(m[1]));
      const up = [];
      for (let n = node; n; n = byNumber.get(n.parent)) up.unshift(n.node);
      return node ? json({ node: shownNode(node), path: up }) : problem(404, 'not_found', 'no such node');
    }
    if (is('POST', '/tracks/find')) {
      const found = world.nodes.filter((n) => n.title.toLowerCase().includes(body.text.toLowerCase())).slice(0, body.limit ?? 100);
      const titles = (n) => (n.parent ? [...titles(byNumber.get(n.parent)), byNumber.get(n.parent).title] : []);
      return json({ total: found.length, nodes: found.map((n) => ({ ...shownNode(n), path: titles(n) })) });
    }
    if (is('GET', '/flows/categories')) return json({ total: 1, categories: [{ name: 'ipc', flows: String(world.flows.length) }] });
    if (is('POST', '/strings')) return json({ texts: body.ids.map((i) => world.strings[i] ?? null), cut: [], threads: (body.threads ?? []).map((t) => world.threadNames[t] ?? null) });
    if (is('POST', '/tiles')) return bytes(Buffer.concat(body.tiles.flatMap(([n, first, count]) => frame({ id: body.id, track: n, generation: body.generation, level: body.level, first, tiles: count }, byNumber.get(n), body.mode, body.level, first, count, body.search) ?? [])));
    if ((m = is('GET', '/events/(\\w+)/(\\d+)(/\\w+)?'))) {
      const e = world.rows[m[1]]?.[Number(m[2])];
      if (!e) return problem(404, 'not_found', 'no such event');
      if (m[3] === undefined) return json(details(e));
      if (m[3] === '/args') return json({ total: args(e).length, args: args(e) });
      if (m[3] === '/text') return bytes(Buffer.from(world.strings[1]));
      if (m[3] === '/siblings') {
        const same = world.rows.slice.filter((o) => o.name === e.name).sort((a, b) => Number(b.end - b.ts - (a.end - a.ts)));
        const lengths = same.map((o) => Number(o.end - o.ts));
        return json({ name: brief(e).name, count: String(same.length), mean: lengths.reduce((a, b) => a + b, 0) / Math.max(1, same.length), min: String(lengths.at(-1) ?? 0), p50: String(lengths[lengths.length >> 1] ?? 0), p95: String(lengths[0] ?? 0), max: String(lengths[0] ?? 0), percentile: 94, longest: same.slice(0, 3).map(brief) });
      }
      if (m[3] === '/flows') return json({ flows: world.flows.filter((f) => f.out === e || f.in === e).map((f) => ({ row: f.row, out: brief(f.out), in: brief(f.in), violation: f.violation, off_by_ns: f.violation ? '12000000' : null, step: 1, id: String(f.row), name: '', category: 'ipc', from_ts: String(f.out.ts), to_ts: String(f.in.ts) })), cut: false });
    }
    if (is('POST', '/hit')) {
      const node = byNumber.get(body.track);
      const e = node ? at(node, body.line, BigInt(body.ts), BigInt(body.radius)) : null;
      return json({ hit: e ? { ...brief(e), self: e.kind === 'slice' ? details(e).self : null } : null, args: e ? args(e).slice(0, 8) : [], args_total: e ? args(e).length : 0 });
    }
    if (is('POST', '/order')) {
      const [a, b] = [body.a, body.b].map((e) => world.rows[e.kind]?.[e.row]);
      if (!a || !b) return problem(404, 'not_found', 'no such event');
      const [clockA, clockB] = [a, b].map((e) => byNumber.get(e.node).machine_id);
      const bound = clockA === clockB ? 0n : 10_007_867n;
      const gap = b.ts - a.ts;
      const order = gap > bound ? 'before' : gap < -bound ? 'after' : bound === 0n ? 'same' : 'undecided';
      const reading = (e, machine) => ({ clock: `BOOTTIME of ${world.nodes.find((n) => n.machine_id === machine)?.title ?? machine}`, reading: String(e.ts) });
      const step = (machine, i) => {
        const name = i % 2 === 0 ? 'BOOTTIME' : 'REALTIME';
        return { clock: i, label: `${name} of ${world.nodes.find((n) => n.machine_id === machine)?.title ?? machine}`, edge: null, source: '', bound_ns: null };
      };
      const hops = [[0, 'snapshot', '1000'], [1, 'wall_clock', '10000000'], [2, 'snapshot', '1000'], [null, '', null]];
      const path = bound === 0n ? [] : [[clockA, 0], [clockA, 1], [clockB, 1], [clockB, 2]].map(([machine, i], at) => ({ ...step(machine, i), edge: hops[at][0], source: hops[at][1], bound_ns: hops[at][2] }));
      return json({ order, reason: bound === 0n ? 'clock' : 'bounds', gap_ns: String(gap), bound_ns: String(bound), at_most: false, contradicted: false, a: reading(a, clockA), b: reading(b, clockB), path });
    }
    if (is('POST', '/convert')) {
      if (body.from !== undefined) return json({ clocks: body.to.map((clock) => ({ clock, label: 'BOOTTIME of phone', reading: String(start + 500_000_000n), bound_ns: '1000', own: false })) });
      const e = world.rows[body.event?.kind]?.[body.event?.row];
      if (!e) return problem(404, 'not_found', 'no such event');
      const machine = byNumber.get(e.node).machine_id;
      const name = (id) => world.nodes.find((n) => n.machine_id === id)?.title ?? id;
      const wall = [...new Set(world.nodes.map((n) => n.machine_id).filter((id) => id !== null))];
      return json({ clocks: [
        { clock: 0, label: `BOOTTIME of ${name(machine)}`, reading: String(e.ts), bound_ns: '0', own: true },
        ...wall.map((id, i) => ({ clock: i + 1, label: `REALTIME of ${name(id)}`, reading: String(e.ts + 1_795_176_184_243_000_000n), bound_ns: id === machine ? '1000' : '10007867', own: false })),
      ] });
    }
    if (is('POST', '/step')) {
      const node = byNumber.get(body.track);
      const e = node?.list.find((o) => o.row === body.row);
      const line = node?.list.filter((o) => (o.line ?? 0) === (e?.line ?? 0)) ?? [];
      const next = line[line.indexOf(e) + body.by];
      return json({ event: e && next ? brief(next) : null });
    }
    if (is('POST', '/search')) {
      if (/^re:.*\($/.test(body.text)) return problem(400, 'bad_request', 'The regular expression is malformed: missing ).');
      const id = String(nextSearch++);
      searches.set(id, { hits: find(body.text) });
      return json({ search: id }, 202);
    }
    if ((m = is('GET', '/search/(\\d+)'))) {
      const s = searches.get(m[1]);
      return s ? json({ search: m[1], state: 'done', hits: String(s.hits.length), total: String(s.hits.length), error: null }) : problem(404, 'not_found', 'no such search');
    }
    if ((m = is('GET', '/search/(\\d+)/tracks'))) {
      const s = searches.get(m[1]);
      return s ? json({ tracks: [...new Set(s.hits.map((h) => h.node))].sort((a, b) => a - b) }) : problem(404, 'not_found', 'no such search');
    }
    if ((m = is('GET', '/search/(\\d+)/hits'))) {
      const s = searches.get(m[1]);
      const from = parameters.get('from');
      const offset = from === null ? Number(parameters.get('offset') ?? 0) : s.hits.findIndex((h) => h.ts >= BigInt(from));
      const page = offset < 0 ? [] : s.hits.slice(offset, offset + Number(parameters.get('limit') ?? 1000));
      return json({ total: String(s.hits.length), offset: Math.max(0, offset), hits: page.map((h) => ({ ...brief(h), where: 'name' })) });
    }
    if ((m = is('DELETE', '/search/(\\d+)'))) {
      searches.delete(m[1]);
      return json({});
    }
    return undefined;
  }

  /** Answers an operation of the socket: `text` and `binary` send. */
  function operation(message, { text, binary }) {
    if (message.op !== 'tiles') return false;
    const errors = [];
    for (const [n, first, count] of message.tiles) {
      const made = frame({ id: message.id, track: n, generation: message.generation, level: message.level, first, tiles: count }, byNumber.get(n), message.mode, message.level, first, count, message.search);
      if (made) binary(made);
      else errors.push({ node: n, code: 'not_found', detail: 'no such tile' });
    }
    text({ op: 'done', id: String(message.id), cancelled: false, errors });
    return true;
  }

  return { route, operation };
}
