/** The mock's drafts: manifests tried on the report of the mock, and lanes of its files. */
import { edgeLabels } from './clocks.mjs';
import { placedBy } from './manifests.mjs';

const bursts = [0, 0.02, 0.021, 0.3, 0.31, 0.312, 0.315, 0.32, 0.33, 0.34, 0.6, 0.62, 0.625, 0.63, 0.7, 0.99, 1];

/** Returns the events of a file: bursts between its first and last one. */
function timesOf(placements) {
  const times = placements.filter((p) => p.first_ts !== null).flatMap((p) => [BigInt(p.first_ts), BigInt(p.last_ts)]);
  if (times.length === 0) return [];
  const first = times.reduce((a, b) => (a < b ? a : b));
  const last = times.reduce((a, b) => (a > b ? a : b));
  return bursts.map((at) => first + BigInt(Math.round(Number(last - first) * at)));
}

function laneOf(placements, file, row, from, to, px) {
  const times = timesOf(placements);
  const counts = new Map();
  for (const ts of times) {
    if (ts < from || ts >= to) continue;
    const bucket = Number(((ts - from) * BigInt(px)) / (to - from));
    const [count, first] = counts.get(bucket) ?? [0, ts];
    counts.set(bucket, [count + 1, first]);
  }
  const buckets = [...counts.keys()].sort((a, b) => a - b);
  return {
    file: row, path: file, name: file, events: String(times.length), first_ts: times.length === 0 ? null : String(times[0]), last_ts: times.length === 0 ? null : String(times.at(-1)),
    buckets, counts: buckets.map((b) => counts.get(b)[0]), firsts: buckets.map((b) => String(counts.get(b)[1])),
  };
}

/** Returns the report without the evidence of some edges: what stood on it is guessed. */
function withoutEdges(report, rows) {
  const off = rows.map((row) => edgeLabels()[row]);
  const rests = (path) => off.some(({ from, to }) => ` > ${path} > `.includes(` > ${from} > ${to} > `) || ` > ${path} > `.includes(` > ${to} > ${from} > `));
  const ends = (path) => path.split(' > ').filter((_, i, all) => i === 0 || i === all.length - 1).join(' > ');
  return { ...report, placements: report.placements.map((p) => (rests(p.path) ? { ...p, rule: 'guessed', source: 'guess', uncertainty_ns: null, path: ends(p.path) } : p)) };
}

const suggestion = { kind: 'first_events', file: 0, path: '', clock: '', offset_ns: null, rate_ppb: null, bound_ns: null, candidates: '1', used: '1', residual_p50_ns: null, residual_p99_ns: null, by_ns: null, start: null, refused: null };

/** Suggests to bring the first or the last events of a file together with those of the others. */
function suggestionsFor(files, row) {
  const spans = [...files].map(([path, own]) => ({ path, times: timesOf(own) }));
  const own = spans[row];
  if (!own || own.times.length === 0 || [...files.values()][row].some((p) => p.clock !== 'private')) return [];
  return spans.flatMap(({ path, times }, file) => (file === row || times.length === 0 ? [] : [
    { ...suggestion, kind: 'first_events', file, path, by_ns: String(times[0] - own.times[0]) }, { ...suggestion, kind: 'last_events', file, path, by_ns: String(times.at(-1) - own.times.at(-1)) },
  ])).slice(0, 8);
}

/** Returns how far a dragged file moves to meet an event of another one. */
function snapOf(files, { file, by_ns: by, reach_ns: reach }) {
  const spans = [...files].map(([path, own]) => ({ path, times: timesOf(own) }));
  let best = { by_ns: by, to: null };
  let nearest = BigInt(reach) + 1n;
  for (const mark of [spans[file].times[0], spans[file].times.at(-1)]) for (const [row, { path, times }] of spans.entries()) for (const [i, ts] of row === file ? [] : times.entries()) {
    const change = ts - (mark + BigInt(by));
    const distance = change < 0n ? -change : change;
    if (distance >= nearest) continue;
    nearest = distance;
    best = { by_ns: String(BigInt(by) + change), to: { file: row, path, kind: i === 0 ? 'start' : i === times.length - 1 ? 'end' : 'event', ts: String(ts) } };
  }
  return best;
}

/** Returns the event of a file nearest to a time. */
function nearestOf(files, { file, ts, reach_ns: reach }) {
  const [, own] = [...files][file];
  let best = null;
  for (const time of timesOf(own)) {
    const distance = time < BigInt(ts) ? BigInt(ts) - time : time - BigInt(ts);
    if (distance <= BigInt(reach) && (best === null || distance < best.distance)) best = { time, distance };
  }
  const [first] = own;
  return best && { ts: String(best.time), reading_ns: String(best.time - BigInt(first.offset_start_ns ?? 0)), clock: first.clock === 'private' ? '' : first.clock };
}

export function draftRoutes(report) {
  const drafts = new Map();
  let next = 1;
  const problem = (status, code, detail) => ({ problem: [status, code, detail] });
  const places = (draft) => {
    if (draft.manifest === null) return placedBy(report, JSON.parse(draft.first));
    let manifest;
    try {
      manifest = JSON.parse(draft.manifest);
    } catch (error) {
      return { error: String(error) };
    }
    const version = manifest.perfetto_manifest?.version;
    return version === 1 ? placedBy(report, manifest) : { error: `perfetto_manifest: unsupported version: ${version}. Only version 1 is supported; set "version": 1.` };
  };
  return {
    /** Returns the answer, or nothing if the route is not one of drafts. */
    answer(method, path, parameters, body) {
      if (method === 'POST' && path === '/drafts') {
        const id = String(next++);
        drafts.set(id, { manifest: null, without: [], first: '{"perfetto_manifest": {"version": 1, "files": []}}', version: 1, inputs: body.inputs });
        return { json: { draft: id, job: '1' }, status: 202 };
      }
      const match = /^\/drafts\/(\d+)(\/report|\/check|\/lanes|\/snap|\/nearest|\/suggest|\/files)?$/.exec(path);
      if (!match) return undefined;
      const draft = drafts.get(match[1]);
      if (!draft) return problem(404, 'not_found', `there is no draft '${match[1]}'`);
      if (method === 'DELETE') return drafts.delete(match[1]) && { status: 204 };
      if (method === 'PUT') {
        draft.manifest = body.manifest;
        draft.without = body.without ?? [];
        draft.version += 1;
        return { json: { version: String(draft.version) } };
      }
      if (!match[2]) return { json: { draft: match[1], name: '', state: 'ready', job: '1', version: String(draft.version), manifest: draft.manifest, without: draft.without, inputs: draft.inputs, command: '', events: '1418', memory: '20000' } };
      if (match[2] === '/files' && method === 'GET') {
        // The traces of the examples have clock snapshots.
        const files = [...new Set(report.placements.map((p) => p.file))].flatMap((path, file) => (path.endsWith('.pftrace') ? [{ file, path, clocks: ['REALTIME', 'MONOTONIC', 'BOOTTIME'].map((name) => ({ name, snapshots: 14 })), sequences: 7, sync_markers: 0, dates: [] }] : []));
        return { json: { version: String(draft.version), files } };
      }
      if (match[2] === '/files') {
        draft.inputs = [...draft.inputs, ...body.inputs];
        draft.version += 1;
        return { json: { draft: match[1], job: '1' }, status: 202 };
      }
      const all = places(draft);
      if (all.error) return problem(422, 'bad_manifest', all.error);
      const placed = withoutEdges(all, draft.without);
      if (match[2] === '/report' || match[2] === '/check') return { json: { ...placed, version: String(draft.version), placed_in_ms: 0.4, whole: match[2] === '/check', without: draft.without.map((edge) => ({ edge, kind: '', ...edgeLabels()[edge] })) } };
      const files = new Map();
      for (const p of placed.placements) files.set(p.file, [...(files.get(p.file) ?? []), p]);
      if (match[2] === '/suggest') return { json: { version: String(draft.version), suggestions: suggestionsFor(files, body.file) } };
      if (match[2] === '/nearest') return { json: { version: String(draft.version), event: nearestOf(files, body) } };
      if (match[2] === '/snap') return { json: { version: String(draft.version), ...snapOf(files, body) } };
      const wanted = parameters.get('files')?.split(',').map(Number);
      const [from, to, px] = [BigInt(parameters.get('from') ?? placed.timeline.start_ts), BigInt(parameters.get('to') ?? placed.timeline.end_ts), Number(parameters.get('px') ?? 1024)];
      const lanes = [...files].flatMap(([file, own], row) => (!wanted || wanted.includes(row) ? [laneOf(own, file, row, from, to, px)] : []));
      return { json: { version: String(draft.version), from: String(from), to: String(to), px, lanes } };
    },
  };
}
