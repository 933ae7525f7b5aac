/** Traces that tests of the timeline write for the real server. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const day = 86_400_000_000; // in µs

const named = (pid, name, tids) => [
  { ph: 'M', name: 'process_name', pid, args: { name } }, ...tids.map((tid) => ({ ph: 'M', name: 'thread_name', pid, tid, args: { name: `worker ${tid}` } })),
];

const tests = join(dirname(fileURLToPath(import.meta.url)), '../../../tests');

/** Writes a trace from the text of its packets. Returns its path. */
function writeProto(folder, name, text) {
  const path = join(folder, name);
  const script = 'import sys; sys.path.insert(0, sys.argv[1]); from vectors import textproto; open(sys.argv[2], "wb").write(textproto.encode(sys.stdin.read(), textproto.project_schema()))';
  execFileSync('python3', ['-c', script, tests, path], { input: text });
  return path;
}

/** Writes a trace whose clocks 200 and 201 were read with MONOTONIC at times that BOOTTIME contradicts, once in five. Returns its path. */
export function writeContradictions(folder) {
  const second = 1_000_000_000n;
  const snapshot = (...readings) => `packet { trusted_packet_sequence_id: 1 clock_snapshot { ${readings.map(([clock, ns]) => `clocks { clock_id: ${clock} timestamp: ${ns} }`).join(' ')} } }\n`;
  // 200 is 50 s, 201 is 90 s behind BOOTTIME.
  const related = [1n, 30n, 60n].flatMap((s) => [snapshot([3, s * second], [6, (s + 1n) * second]), snapshot([200, s * second], [6, (s + 50n) * second]), snapshot([201, s * second], [6, (s + 90n) * second])]);
  const against = [10n, 20n, 30n, 40n, 50n].flatMap((s, i) => [
    snapshot([3, (s + 60n) * second], [200, (s + 11n) * second + (i === 2 ? 4_000_000n : 300n)]),
    snapshot([3, (s + 100n) * second], [201, (s + 11n) * second - (i === 3 ? 9_000_000n : 0n)]),
  ]);
  const events = [2n, 40n, 70n].map((s, i) => `packet { timestamp: ${s * second} timestamp_clock_id: ${[6, 200, 201][i]} trusted_packet_sequence_id: 1 track_event { type: TYPE_INSTANT name: 'event ${i}' } }\n`);
  return writeProto(folder, 'contradictions.pftrace', [...related, ...against, ...events].join(''));
}

/** Writes a trace whose machine sleeps for 8 s after 3 s, and whose wall clock is set ahead by 0.5 s after 5 s and back by 2 s after 8 s. Returns its path. */
export function writeJumps(folder) {
  const packet = (text) => `packet { trusted_packet_sequence_id: 1 ${text} }\n`;
  const snapshots = Array.from({ length: 11 }, (_, s) => {
    const [monotonic, slept] = [s * 1000, s > 3 ? 8000 : 0];
    const wall = 1_795_176_332_000 + monotonic + slept + (s > 5 ? 500 : 0) - (s > 8 ? 2000 : 0);
    const clocks = [[6, monotonic + slept], [3, monotonic], [1, wall]].map(([clock, ms]) => `clocks { clock_id: ${clock} timestamp: ${(1000 + ms) * 1_000_000} }`);
    return packet(`clock_snapshot { ${clocks.join(' ')} }`);
  });
  return writeProto(folder, 'jumps.pftrace', [...snapshots, packet("timestamp: 2000000000 track_event { type: TYPE_INSTANT name: 'event' }")].join(''));
}

/** Where the bursts of the story are: ms after the first one. */
const bursts = [0, 300, 350, 900];

/** When the first burst begins, ns: on the clock of the third machine, and in the file that nothing relates. */
export const storyStart = { node: 900_200_000_000, worker: 147_600_000_000 };

/**
 * Writes eight files of three machines: those of examples/, and a third machine, `node`, with clock snapshots, two ranks
 * that the manifest relates, and `worker.json`, which nothing relates; its bursts are those of node.pftrace. The manifest
 * names the machines. Returns the paths.
 */
export function writeStory(folder) {
  const examples = ['phone.pftrace', 'watch.pftrace', 'app.json'].map((name) => {
    copyFileSync(join(tests, '../examples', name), join(folder, name));
    return join(folder, name);
  });
  const packet = (text) => `packet { trusted_packet_sequence_id: 1 ${text} }\n`;
  // The phone showed 1795176332.0 s of wall-clock time at 147.757 s.
  const snapshots = [899, 900, 901, 902].map((s) => packet(`clock_snapshot { clocks { clock_id: 6 timestamp: ${s}000000000 } clocks { clock_id: 1 timestamp: ${1795176332 + s - 900}000000000 } }`));
  const slices = bursts.flatMap((ms, i) => [[0, 'BEGIN'], [40, 'END']].map(([length, type]) => packet(`timestamp: ${storyStart.node + (ms + length) * 1_000_000} track_event { type: TYPE_SLICE_${type} track_uuid: 7${type === 'BEGIN' ? ` name: 'burst ${i}'` : ''} }`)));
  const node = writeProto(folder, 'node.pftrace', [packet('track_descriptor { uuid: 7 name: "bursts" }'), ...snapshots, ...slices].join(''));
  const json = (name, firstUs, pid) => {
    writeFileSync(join(folder, name), JSON.stringify({ traceEvents: bursts.map((ms, i) => ({ ph: 'X', ts: firstUs + ms * 1000, dur: 40_000, pid, tid: pid, name: `${name} ${i}` })) }));
    return join(folder, name);
  };
  const ranks = ['rank0.json', 'rank1.json'].map((name, i) => json(name, 5000 + i * 1000, 20 + i));
  const daemon = json('daemon.json', 0, 30);
  const worker = json('worker.json', storyStart.worker / 1000, 40);
  const on = (machine, path, clocks) => ({ path, machine: { name: machine }, ...(clocks ? { clocks } : {}) });
  const to = (file, offset) => ({ sync_to: { file, clock: 'BOOTTIME' }, offset_ns: offset });
  const files = [
    on('phone', 'phone.pftrace'), on('watch', 'watch.pftrace'), on('phone', 'app.json', to('phone.pftrace', 148_007_000_000)), on('phone', 'daemon.json', to('phone.pftrace', 147_900_000_000)),
    on('node', 'node.pftrace'), ...ranks.map((path) => on('node', path.split('/').at(-1), to('node.pftrace', 900_100_000_000))), on('node', 'worker.json'),
  ];
  const manifest = join(folder, 'manifest.json');
  writeFileSync(manifest, JSON.stringify({ perfetto_manifest: { version: 1, trace_time: { clock: 'BOOTTIME', file: 'phone.pftrace' }, files } }, null, 2));
  return [...examples, node, ...ranks, daemon, worker, manifest];
}

/** Writes a trace with stacked counters, memory dumps, instants of all scopes and overlapping async events. Returns its path. */
export function writeKinds(folder) {
  const events = [];
  for (const pid of [1, 2]) {
    events.push(...named(pid, ['Browser', 'Renderer'][pid - 1], [10 * pid]));
    for (let i = 0; i < 40; i += 1) events.push({ ph: 'X', pid, tid: 10 * pid, ts: 5000 * i, dur: 3000, name: `task ${i % 5}` });
    for (let i = 0; i < 200; i += 1) events.push({ ph: 'C', name: 'memory', pid, ts: 1000 * i, args: { heap: 50 + (i % 31), stack: i % 7, ...(i % 4 === 0 ? {} : { gpu: 20 }) } });
    for (let i = 0; i < 3; i += 1) {
      events.push({ ph: 'v', id: `0x${i}`, name: 'periodic', pid, ts: 20_000 + 60_000 * i, args: { dumps: { level_of_detail: ['background', 'light', 'detailed'][i], process_totals: { resident_set_bytes: '40000' } } } });
    }
    for (let i = 0; i < 12; i += 1) {
      const request = { cat: 'net', name: 'request', id: `0x${pid}${i.toString(16)}`, pid, tid: 10 * pid };
      events.push({ ph: 'b', ts: 7000 * i, ...request }, { ph: 'e', ts: 7000 * i + 30_000, ...request });
    }
  }
  for (let i = 0; i < 4; i += 1) events.push({ ph: 'i', s: 'g', name: `navigation ${i}`, pid: 1, tid: 10, ts: 20_000 + 40_000 * i });
  for (let i = 0; i < 3; i += 1) events.push({ ph: 'i', s: 'p', name: `mark ${i}`, pid: 2, tid: 20, ts: 31_000 + 40_000 * i });
  const file = join(folder, 'kinds.json');
  writeFileSync(file, JSON.stringify(events));
  return file;
}

/** Writes a log of two buffers with a line each 50 ms. Returns its path. */
export function writeLog(folder) {
  const file = join(folder, 'log.txt');
  const line = (i) => `01-02 03:04:${String(5 + Math.floor(i / 20)).padStart(2, '0')}.${String((i % 20) * 50).padStart(3, '0')}  1000  ${1001 + (i % 3)} ${'VDIWEF'[i % 6]} tag${i % 4}: message ${i} ${i % 10 === 0 ? '100%_done' : 'x'}\n`;
  writeFileSync(file, Array.from({ length: 600 }, (_, i) => line(i)).join(''));
  return file;
}

/** Writes a trace whose last two events are 132 days after the first one, and 1 ns apart. Returns its path. */
export function writeFarApart(folder) {
  const file = join(folder, 'far.json');
  // Texts, as a number has no ns at such a time.
  const slice = (tid, ts, dur, name) => `{"ph":"X","pid":1,"tid":${tid},"ts":${ts},"dur":${dur},"name":"${name}"}`;
  const names = named(1, 'app', [1, 2]).map((e) => JSON.stringify(e));
  writeFileSync(file, `[${[...names, slice(1, 0, 10, 'first'), slice(1, `${132 * day}.001`, 0.001, 'one'), slice(2, `${132 * day}.002`, 0.002, 'other')].join(',')}]`);
  return file;
}

/** Writes an ftrace text of two CPUs: threads that wake each other and run in turn, and the frequency of each CPU. Returns its path. */
export function writeSched(folder) {
  const file = join(folder, 'sched.txt');
  let [seed, now] = [7, 1_000_000];
  const random = (n) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % n;
  };
  const lines = ['# tracer: nop', '#'];
  const tasks = Array.from({ length: 6 }, (_, i) => ({ comm: `task${i}`, pid: 100 + i }));
  const idle = (cpu) => ({ comm: `swapper/${cpu}`, pid: 0 });
  const running = [idle(0), idle(1)];
  const add = (task, cpu, text) => lines.push(`${`${task.pid === 0 ? '<idle>' : task.comm}-${task.pid}`.padStart(20)} [00${cpu}] d..3 ${Math.floor(now / 1e6)}.${String(now % 1e6).padStart(6, '0')}: ${text}`);
  for (let i = 0; i < 1200; i += 1) {
    now += 20 + random(400);
    const cpu = i % 2;
    const before = running[cpu];
    if (i % 40 < 2) add(before, cpu, `cpu_frequency: state=${300_000 * (1 + random(8))} cpu_id=${cpu}`);
    const free = tasks.filter((t) => !running.includes(t));
    const next = random(3) === 0 ? idle(cpu) : free[random(free.length)];
    if (next.pid !== 0) {
      add(before, cpu, `sched_waking: comm=${next.comm} pid=${next.pid} prio=120 target_cpu=00${cpu}`);
      now += 1 + random(30);
    }
    if (next.pid === before.pid) continue;
    add(before, cpu, `sched_switch: prev_comm=${before.comm} prev_pid=${before.pid} prev_prio=120 prev_state=${before.pid === 0 ? 'R' : ['S', 'D', 'R'][random(3)]} ==> next_comm=${next.comm} next_pid=${next.pid} next_prio=120`);
    running[cpu] = next;
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** Writes an ftrace text of a thread that begins a slice, runs, sleeps, waits for I/O, and ends the slice. Returns its path. */
export function writeWaits(folder, name = 'waits.txt') {
  const file = join(folder, name);
  const line = (us, comm, text) => `${comm.padStart(20)} [000] d..3 1.${String(us).padStart(6, '0')}: ${text}`;
  const change = (us, from, state, to) => line(us, from, `sched_switch: prev_comm=${from.split('-')[0]} prev_pid=${from.split('-')[1]} prev_prio=120 prev_state=${state} ==> next_comm=${to.split('-')[0]} next_pid=${to.split('-')[1]} next_prio=120`);
  const [app, other] = ['app-100', 'other-200'];
  const wake = (us) => line(us, other, 'sched_waking: comm=app pid=100 prio=120 target_cpu=000');
  writeFileSync(file, `${[
    '# tracer: nop', '#', change(0, other, 'S', app), line(100, app, 'tracing_mark_write: B|100|job'), change(1000, app, 'S', other), wake(3000), change(3500, other, 'R', app),
    change(4000, app, 'D', other), wake(9000), change(9100, other, 'R', app), line(10_000, app, 'tracing_mark_write: E|100'), line(10_500, app, 'tracing_mark_write: B|100|later'),
    line(10_700, app, 'tracing_mark_write: E|100'), change(11_000, app, 'S', other),
  ].join('\n')}\n`);
  return file;
}

/** Writes a trace with a counter of many values, close and far apart, and another of the same name. Returns its path. */
export function writeCounters(folder) {
  const file = join(folder, 'counters.json');
  let [seed, ts] = [11, 0];
  const random = (n) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % n;
  };
  const events = [...named(1, 'app', [1]), ...named(2, 'other', [2])];
  for (let i = 0; i < 4000; i += 1) {
    ts += i % 50 === 0 ? 20_000 : 1 + random(400);
    events.push({ ph: 'C', name: 'load', pid: 1, ts, args: { value: (random(2_000_000) - 400_000) / 64 } });
    if (i % 4 === 0) events.push({ ph: 'C', name: 'load', pid: 2, ts, args: { value: random(100) } });
  }
  writeFileSync(file, JSON.stringify(events));
  return file;
}

/** Writes a trace with so many slices of a thread, of 5 to 14 of 20 us, that several share a pixel. Returns its path. */
export function writeDense(folder) {
  const file = join(folder, 'dense.json');
  writeFileSync(file, JSON.stringify([
    ...named(1, 'app', [1]), ...Array.from({ length: 20_000 }, (_, i) => ({ ph: 'X', ts: 20 * i, dur: 5 + (i * 7) % 10, name: `step ${i}`, pid: 1, tid: 1 })),
  ]));
  return file;
}

/** Writes a trace whose slices begin in contexts. Returns its path. */
export function writeContexts(folder) {
  const file = join(folder, 'frames.json');
  const at = { pid: 1, tid: 1, cat: 'c' };
  writeFileSync(file, JSON.stringify([
    ...named(1, 'app', [1]), { ph: 'X', ts: 0, dur: 90, name: 'before', ...at }, { ph: '(', ts: 100, name: 'Frame', id: '0x1', ...at }, { ph: 'X', ts: 110, dur: 60, name: 'inside', ...at },
    { ph: '(', ts: 180, name: 'Load', id: '0x7', ...at }, { ph: 'X', ts: 190, dur: 60, name: 'both', ...at }, { ph: ')', ts: 260, name: 'Load', id: '0x7', ...at }, { ph: ')', ts: 270, name: 'Frame', id: '0x1', ...at },
    { ph: 'X', ts: 280, dur: 60, name: 'after', ...at },
  ]));
  return file;
}

/** Writes async events of two threads and of several titles; one title begins on threads of two processes. Returns its path. */
export function writeAsync(folder) {
  const file = join(folder, 'async.json');
  const pair = (pid, tid, name, id, ts, dur) => [{ ph: 'b', cat: 'net', name, id: `0x${id}`, pid, tid, ts }, { ph: 'e', cat: 'net', name, id: `0x${id}`, pid, tid, ts: ts + dur }];
  writeFileSync(file, JSON.stringify([
    ...named(1, 'app', [1, 2]), ...named(2, 'other', [3]), ...pair(1, 1, 'zip', 1, 0, 100), ...pair(1, 1, 'zip', 2, 50, 100), ...pair(1, 1, 'ask', 3, 20, 30), ...pair(1, 2, 'load', 4, 10, 40), ...pair(1, 1, 'both', 5, 0, 50),
    ...pair(1, 2, 'both', 6, 20, 50), ...pair(1, 1, 'all', 7, 0, 50), ...pair(2, 3, 'all', 8, 20, 50), { ph: 'b', cat: 'net', name: 'step', id: '0x4', pid: 1, tid: 2, ts: 15 }, { ph: 'e', cat: 'net', name: 'step', id: '0x4', pid: 1, tid: 2, ts: 25 },
  ]));
  return file;
}

/**
 * Writes two files of one clock whose flows have equal ids: each fifth flow arrives before it leaves, by 30 us; others stay
 * within a file. Returns their paths.
 */
export function writeFlows(folder) {
  const files = [[], []];
  const end = (of, ph, i, ts) => files[of].push({ ph, id: `0x9e3779b97f4a${(0x1000 + i).toString(16)}`, cat: i % 4 === 1 ? 'input' : 'rpc', name: 'call', pid: of + 1, tid: 1, ts, ...(ph === 'f' ? { bp: 'e' } : {}) });
  for (let i = 0; i < 200; i += 1) {
    const [ts, isBack, to] = [1000 * i, i % 5 === 4, i % 3 === 0 ? 0 : 1];
    const arrival = isBack && to === 1 ? ts - 30 : ts + 400;
    files[0].push({ ph: 'X', name: `send ${i}`, pid: 1, tid: 1, ts, dur: 20 });
    files[to].push({ ph: 'X', name: `receive ${i}`, pid: to + 1, tid: 1, ts: arrival, dur: 20 });
    end(0, 's', i, ts + 5);
    end(to, 'f', i, arrival + 5);
  }
  return files.map((events, of) => {
    const file = join(folder, `${'ab'[of]}.json`);
    writeFileSync(file, JSON.stringify([...named(of + 1, ['client', 'server'][of], [1]), ...events]));
    return file;
  });
}

/**
 * Writes two files that nothing relates, so that the second is placed by a guess: an exact slice, one that is cut, a dense group
 * with an instant, one that did not finish, and a process and a thread without events. Returns their paths.
 */
export function writeLooks(folder) {
  const at = { pid: 1, tid: 1 };
  const events = [
    ...named(1, 'app with a name that is far longer than the column of the names has room for', [1, 2]), ...named(2, 'empty', [3]),
    { ph: 'X', name: 'exact', ts: 0, dur: 200_000, ...at },
    ...Array.from({ length: 400 }, (_, i) => ({ ph: 'X', name: 'short', ts: 300_000 + 100 * i, dur: 60, ...at })),
    { ph: 'i', s: 't', name: 'instant', ts: 310_070, ...at },
    { ph: 'X', name: 'a very long name of a slice that is not as wide', ts: 400_000, dur: 60_000, ...at },
    { ph: 'B', name: 'open', ts: 600_000, ...at }, { ph: 'X', name: 'end', ts: 990_000, dur: 10_000, ...at },
  ];
  const [first, second] = ['first.json', 'second.json'].map((name) => join(folder, name));
  writeFileSync(first, JSON.stringify(events));
  writeFileSync(second, JSON.stringify([...named(7, 'other', [70]), { ph: 'X', name: 'guessed', ts: 5_000_000, dur: 400_000, pid: 7, tid: 70 }]));
  return [first, second];
}

/** Writes a trace of slices that run for a part of their time, all of it, or an unknown part. Returns its path. */
export function writeCpuTimes(folder) {
  const file = join(folder, 'cpu.json');
  const at = { ph: 'X', pid: 1, tid: 1 };
  writeFileSync(file, JSON.stringify([
    ...named(1, 'app', [1]), { name: 'waits', ts: 0, dur: 1_000_000, tts: 0, tdur: 250_000, ...at }, { name: 'runs', ts: 1_100_000, dur: 400_000, tts: 300_000, tdur: 400_000, ...at },
    { name: 'unknown', ts: 1_600_000, dur: 400_000, ...at },
  ]));
  return file;
}

/** Writes a trace with sync points and annotations, whose times are to be shown in ns. Returns its path. */
export function writeMarks(folder) {
  const file = join(folder, 'marks.json');
  const at = { pid: 1, tid: 1 };
  const traceEvents = [
    ...named(1, 'app', [1]), { ph: 'X', name: 'work', ts: 1000, dur: 100_000.123, ...at }, { ph: 'c', name: 'clock_sync', ts: 31_000, args: { sync_id: 'first', issue_ts: 29_000 }, ...at },
    { ph: 'c', name: 'clock_sync', ts: 71_000, args: { sync_id: 'second' }, ...at },
  ];
  const traceAnnotations = [{ typeName: 'xmarker', args: { timestamp: 20 } }, { typeName: 'comment_box', args: { text: 'here it begins <b>', location: { xWorld: 60, yComponents: [{ stableId: '1.1', yPercentOffset: 0 }] } } }];
  writeFileSync(file, JSON.stringify({ traceEvents, displayTimeUnit: 'ns', traceAnnotations }));
  return file;
}

/** Writes an async event, an object and a flow whose ids are declared to be one. Returns its path. */
export function writeLinked(folder) {
  const file = join(folder, 'linked.json');
  const at = { pid: 1, tid: 1, cat: 'c' };
  writeFileSync(file, JSON.stringify([
    ...named(1, 'app', [1]), { ph: '=', name: 'l', ts: 0, id: '0x1', args: { linked_id: { local: '0x2' } }, ...at }, { ph: '=', name: 'l', ts: 0, id: '0x1', args: { linked_id: '0x3' }, ...at },
    { ph: 'b', name: 'request', id: '0x1', ts: 10, ...at }, { ph: 'e', name: 'request', id: '0x1', ts: 60, ...at }, { ph: 'b', name: 'other', id: '0x9', ts: 10, ...at }, { ph: 'e', name: 'other', id: '0x9', ts: 60, ...at },
    { ph: 'N', name: 'Connection', id: '0x2', ts: 5, ...at }, { ph: 'O', name: 'Connection', id: '0x2', ts: 20, args: { snapshot: { open: true } }, ...at },
    { ph: 'X', name: 'send', ts: 30, dur: 10, ...at }, { ph: 's', name: 'f', id: 3, ts: 35, ...at }, { ph: 'X', name: 'receive', ts: 50, dur: 10, ...at }, { ph: 'f', bp: 'e', name: 'f', id: 3, ts: 55, ...at },
  ]));
  return file;
}

/** Writes an ftrace text in which a CPU enters idle states and leaves them. Returns its path. */
export function writeIdle(folder) {
  const file = join(folder, 'idle.txt');
  const states = [0, 4294967295, 3, 4294967295, 1];
  const lines = states.map((state, i) => `          <idle>-0     [000] d..3 1.${String(1000 * i).padStart(6, '0')}: cpu_idle: state=${state} cpu_id=0`);
  writeFileSync(file, `# tracer: nop\n#\n${lines.join('\n')}\n`);
  return file;
}

/** Writes a trace of slices with callstacks at their ends and categories. Returns its path. */
export function writeStacks(folder) {
  const file = join(folder, 'stacks.json');
  const at = { pid: 1, tid: 1, ph: 'X' };
  writeFileSync(file, JSON.stringify({
    traceEvents: [
      ...named(1, 'app', [1]), { name: 'both', cat: 'io', ts: 0, dur: 1000, sf: 'c', estack: ['main', 'write', '0x2a'], ...at }, { name: 'none', cat: 'ui', ts: 2000, dur: 1000, ...at },
      { name: 'also io', cat: 'io', ts: 4000, dur: 1000, ...at }, { name: 'chosen', cat: 'ui', cname: 'terrible', ts: 6000, dur: 1000, ...at },
    ],
    stackFrames: { a: { name: 'main' }, b: { name: 'loop <i>', parent: 'a' }, c: { name: 'read', parent: 'b' } },
  }));
  return file;
}

/** Writes a trace of 1,500 flows between two threads, which all cross others. Returns its path. */
export function writeManyFlows(folder) {
  const file = join(folder, 'flows.json');
  const events = named(1, 'app', [1, 2]);
  for (let i = 0; i < 1500; i += 1) {
    const [from, to] = [1000 * i, 1000 * ((i * 7 + 400) % 1500) + 400];
    const [out, arrival] = [Math.min(from, to), Math.max(from, to)];
    events.push({ ph: 'X', name: 'a', pid: 1, tid: 1, ts: out, dur: 2 }, { ph: 'X', name: 'b', pid: 1, tid: 2, ts: arrival, dur: 2 });
    events.push({ ph: 's', id: i, cat: 'c', name: 'f', pid: 1, tid: 1, ts: out + 1 }, { ph: 'f', bp: 'e', id: i, cat: 'c', name: 'f', pid: 1, tid: 2, ts: arrival + 1 });
  }
  writeFileSync(file, JSON.stringify(events));
  return file;
}

/**
 * Writes three memory dumps: totals and allocators of two processes, the first with memory regions and heap dumps, shared
 * memory of the global dump that both own, and one dump of one process only. Returns the path.
 */
export function writeMemory(folder) {
  const hex = (n) => n.toString(16);
  const size = (n) => ({ size: { type: 'scalar', units: 'bytes', value: hex(n) } });
  const kib = 1024;
  const region = (mf, start, pss, dirty) => ({ sa: hex(start), sz: hex(64 * kib), pf: mf === '[heap]' ? 3 : 133, mf, bs: { pss: hex(pss), pc: hex(kib), pd: hex(dirty), sc: '0', sd: hex(kib), sw: hex(pss / 4) } });
  const events = [...named(1, 'Browser', [10]), ...named(2, 'Renderer <b>', [20])];
  for (const pid of [1, 2]) for (let i = 0; i < 20; i += 1) events.push({ ph: 'X', pid, tid: 10 * pid, ts: 10_000 * i, dur: 6000, name: `task ${i % 3}` });
  events.push({ ph: 'M', name: 'stackFrames', pid: 1, args: { stackFrames: { 1: { name: 'main' }, 2: { name: 'load <i>', parent: '1' }, 3: { name: 'draw', parent: '1' } } } });
  events.push({ ph: 'M', name: 'typeNames', pid: 1, args: { typeNames: { 7: 'Node', 8: 'Text' } } });
  for (let i = 0; i < 3; i += 1) for (const pid of i === 1 ? [1] : [1, 2]) {
    const grown = (100 + 50 * (i % 2) + 20 * i) * kib * pid;
    const dumps = {
      level_of_detail: i === 0 ? 'light' : 'detailed',
      process_totals: { resident_set_bytes: hex(900 * kib + grown), private_bytes: hex(600 * kib + grown) },
      allocators: {
        'v8/heap': { guid: `${pid}1`, attrs: { ...size(grown), object_count: { type: 'scalar', units: 'objects', value: hex(10 + i) }, note: { type: 'string', units: '', value: `part ${i}` } } },
        'v8/code': { guid: `${pid}2`, attrs: size(8 * kib) },
        gpu: { guid: `${pid}3`, attrs: size(48 * kib) },
        'global/shared/picture': { guid: 'f0', attrs: size(48 * kib) },
      },
      allocators_graph: [{ source: `${pid}3`, target: 'f0', type: 'ownership', importance: pid }],
    };
    if (pid === 1 && i > 0) {
      dumps.process_mmaps = { vm_regions: [region('[heap]', 0x10000, (40 + i) * kib, 20 * kib), region('/lib/libc.so', 0x40000, 12 * kib, kib), region('/data/app<b>.apk', 0x80000, 4 * kib, 2 * kib)] };
      dumps.heaps = { malloc: { entries: [{ size: hex(5000 * i), count: hex(5 * i) }, { bt: '1', size: hex(5000 * i), count: hex(5 * i) }, { bt: '2', size: hex(3000 * i), count: hex(3 * i) }, { bt: '3', size: hex(2000), count: '2' },
        { type: '7', size: hex(4000 * i), count: hex(4 * i) }, { type: '8', size: hex(1000 * i), count: hex(i) }, { bt: '2', type: '7', size: hex(2500 * i), count: hex(2 * i) }] } };
    }
    events.push({ ph: 'v', id: `0x${i}`, name: 'periodic', pid, ts: 30_000 + 60_000 * i + 100 * pid, args: { dumps } });
  }
  const file = join(folder, 'memory.json');
  writeFileSync(file, JSON.stringify(events));
  return file;
}

/** Writes a trace in which events of several kinds are malformed. Returns its path. */
export function writeBroken(folder) {
  const slice = (ts, dur, name) => ({ ph: 'X', pid: 1, tid: 1, ts, dur, name });
  const events = [
    ...named(1, 'app', [1]), slice(0, 10, 'a'), slice(5, 20, 'overlaps <b>'), { ph: 'E', pid: 1, tid: 1, ts: 40 }, { ph: 'E', pid: 1, tid: 1, ts: 50 }, { ph: 'v', pid: 1, ts: 5, args: {} }, { ph: 'N', pid: 1, ts: 5 }, { ph: 'Z', pid: 1, tid: 1, ts: 7, name: 'odd' },
  ];
  const file = join(folder, 'broken.json');
  writeFileSync(file, JSON.stringify(events));
  return file;
}

/** Writes two ranks whose processes differ in their labels only: steps of one name, kernels, and many flows to them. Returns the paths. */
export function writeRanks(folder) {
  return [0, 1].map((rank) => {
    const name = 'environment#native-main#platform-runtime#python';
    const events = [[100 + rank, `CPU ${rank}`], [200 + rank, `GPU ${rank}`]].flatMap(([pid, labels]) => [...named(pid, name, [pid]), { ph: 'M', name: 'process_labels', pid, args: { labels } }]);
    for (let step = 0; step < 3; step += 1) {
      const ts = 100_000 * step;
      events.push({ ph: 'X', pid: 100 + rank, tid: 100 + rank, ts, dur: 80_000 + 5000 * rank, name: `ProfilerStep#${step}` });
      for (let i = 0; i < 60; i += 1) {
        const id = rank * 1000 + step * 100 + i;
        events.push({ ph: 'X', pid: 100 + rank, tid: 100 + rank, ts: ts + 1000 * i, dur: 500, name: 'launch' }, { ph: 'X', pid: 200 + rank, tid: 200 + rank, ts: ts + 30_000 + 1000 * i, dur: 900, name: 'kernel of a long name' });
        events.push({ ph: 's', pid: 100 + rank, tid: 100 + rank, ts: ts + 1000 * i + 100, id, name: 'ac2g', cat: 'ac2g' }, { ph: 'f', bp: 'e', pid: 200 + rank, tid: 200 + rank, ts: ts + 30_000 + 1000 * i + 1, id, name: 'ac2g', cat: 'ac2g' });
      }
    }
    const file = join(folder, `rank-${rank}.json`);
    writeFileSync(file, JSON.stringify({ traceEvents: events, baseTimeNanoseconds: 1_700_000_000_000_000_000 }));
    return file;
  });
}
