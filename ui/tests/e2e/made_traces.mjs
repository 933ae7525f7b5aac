/** Traces that tests of the timeline write for the real server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const day = 86_400_000_000; // in µs

const named = (pid, name, tids) => [
  { ph: 'M', name: 'process_name', pid, args: { name } }, ...tids.map((tid) => ({ ph: 'M', name: 'thread_name', pid, tid, args: { name: `worker ${tid}` } })),
];

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
