/** The merge manifest as a document: what the form reads and writes. Members that are not known stay. No DOM. */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = Record<string, Json>;

export interface Manifest {
  document: JsonObject;
}

/** How the form places a file. */
export type Placing =
  | { kind: 'automatic' }
  | OffsetPlacing
  | PointsPlacing
  | StartPlacing
  /** What the form does not show, because it breaks a rule: only the text changes it. */
  | { kind: 'other' };

interface Related {
  /** The other file, and its clock; empty: its own timeline. */
  file: string;
  clock: string;
  /** The clock of this file that is related; absent: the whole file is moved. */
  own?: string;
  /** Machines of the other file and of this one, if they have several. */
  machine?: string;
  ownMachine?: string;
}

/** The file begins at a wall-clock time of its machine. */
export interface StartPlacing {
  kind: 'start';
  time: string;
}

export interface OffsetPlacing extends Related {
  kind: 'offset';
  offset: bigint;
  /** Drift of this clock against the other, in us per s, and the reading at which the offset holds. */
  drift?: number;
  at?: bigint;
}

/** Readings of both clocks at the same moments, ns. */
export interface Point {
  own: bigint;
  other: bigint;
}

export interface PointsPlacing extends Related {
  kind: 'points';
  points: readonly Point[];
}

export const clockNames = ['BOOTTIME', 'REALTIME', 'MONOTONIC', 'MONOTONIC_RAW', 'REALTIME_COARSE', 'MONOTONIC_COARSE'] as const;

const isInteger = (value: Json | undefined): value is number => typeof value === 'number' && Number.isSafeInteger(value);
export const areTexts = (value: Json | undefined): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string');
const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a manifest that states nothing. */
export const emptyManifest = (): Manifest => ({ document: { perfetto_manifest: { version: 1, files: [] } } });

/** Parses a manifest, or returns the reason why the text is none. The server checks its rules. */
export function parseManifest(text: string): Manifest | string {
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (!isObject(document) || !isObject(document['perfetto_manifest'])) return 'A manifest is an object with the member "perfetto_manifest".';
  const files = document['perfetto_manifest']['files'];
  if (files !== undefined && !(Array.isArray(files) && files.every(isObject))) return '"files" is an array of objects.';
  return { document };
}

/** Returns the text of a manifest, as the form writes it. */
export const manifestText = ({ document }: Manifest): string => `${JSON.stringify(document, null, 2)}\n`;

const bodyOf = ({ document }: Manifest): JsonObject => (isObject(document['perfetto_manifest']) ? document['perfetto_manifest'] : {});

export function entriesOf(manifest: Manifest): JsonObject[] {
  const { files } = bodyOf(manifest);
  return Array.isArray(files) ? files.filter(isObject) : [];
}

const ownEntryOf = (manifest: Manifest, path: string): JsonObject | undefined => entriesOf(manifest).find((e) => e['path'] === path && e['glob'] !== true);
const patternEntryOf = (manifest: Manifest, path: string): JsonObject | undefined => entriesOf(manifest).find((e) => e['glob'] === true && typeof e['path'] === 'string' && fits(path, e['path']));

/** Returns the entry that speaks for the file: its own, else the first pattern that fits. */
export const entryOf = (manifest: Manifest, path: string): JsonObject | undefined => ownEntryOf(manifest, path) ?? patternEntryOf(manifest, path);

/** Returns the first pattern of the manifest for files without an entry of their own that fits the path; null if there is none. */
export function patternOf(manifest: Manifest, path: string): string | null {
  const found = ownEntryOf(manifest, path) ? undefined : patternEntryOf(manifest, path);
  return found ? String(found['path']) : null;
}

/** Returns whether a path fits a pattern: `*` and `?` match characters other than '/', `**` matches any. */
export function fits(path: string, pattern: string): boolean {
  const parts = pattern.split(/(\*\*|\*|\?)/).map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]*' : part === '?' ? '[^/]' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}$`, 's').test(path);
}

/** Returns a pattern for the path and its likes: each run of digits of its name is a star; without digits, the name before its ending. */
export function patternFor(path: string): string {
  const folder = path.lastIndexOf('/') + 1;
  const name = path.slice(folder);
  return path.slice(0, folder) + (/\d/.test(name) ? name.replace(/\d+/g, '*') : name.replace(/^[^.]+/, '*'));
}

/** Returns a copy in which the entry of the file is that of a pattern, for all files without one of their own. */
export function withPattern(manifest: Manifest, path: string, pattern: string): Manifest {
  return change(manifest, path, (entry) => {
    entry['path'] = pattern;
    entry['glob'] = true;
  });
}

/** Returns a copy in which the file has an entry of its own, with what the pattern says. */
export function withOwnEntry(manifest: Manifest, path: string): Manifest {
  const from = ownEntryOf(manifest, path) ? undefined : patternEntryOf(manifest, path);
  return change(manifest, path, (entry) => {
    if (from) Object.assign(entry, structuredClone(from), { path });
    delete entry['glob'];
  }, ownEntryOf);
}

/** Returns a copy with the entry that speaks for the file changed. An entry that says nothing is kept if others may name it. */
export function change(manifest: Manifest, path: string, edit: (entry: JsonObject) => void, find = entryOf): Manifest {
  const next: Manifest = { document: structuredClone(manifest.document) };
  const body = bodyOf(next);
  const known = find(next, path);
  const entry = known ?? { path };
  const isNew = known === undefined;
  edit(entry);
  if (isNew) body['files'] = [...(Array.isArray(body['files']) ? body['files'] : []), entry];
  next.document['perfetto_manifest'] = body;
  return next;
}

/** Returns the machine that the manifest gives the file; empty: automatic. */
export function machineOf(manifest: Manifest, path: string): string {
  const machine = entryOf(manifest, path)?.['machine'];
  return isObject(machine) && typeof machine['name'] === 'string' ? machine['name'] : '';
}

export const withMachine = (manifest: Manifest, path: string, name: string): Manifest =>
  change(manifest, path, (entry) => {
    if (name === '') delete entry['machine'];
    else delete entry['machines'];
    if (name !== '') entry['machine'] = { ...(isObject(entry['machine']) ? entry['machine'] : {}), name };
  });

/** The machine of each machine id inside of a file, by the id; a file with these has no machine as a whole. */
export function machinesInside(manifest: Manifest, path: string): ReadonlyMap<number, string> {
  const machines = entryOf(manifest, path)?.['machines'];
  const named = new Map<number, string>();
  for (const each of Array.isArray(machines) ? machines : []) if (isObject(each) && isInteger(each['id']) && typeof each['name'] === 'string') named.set(each['id'], each['name']);
  return named;
}

/** Returns a copy in which a machine id inside of the file has the name; an empty name states nothing. */
export const withMachineInside = (manifest: Manifest, path: string, id: number, name: string): Manifest =>
  change(manifest, path, (entry) => {
    const before = Array.isArray(entry['machines']) ? entry['machines'] : [];
    const others = before.filter((each) => !(isObject(each) && each['id'] === id));
    const machines = name === '' ? others : [...others, { id, name }].sort((a, b) => Number(isObject(a) ? a['id'] : 0) - Number(isObject(b) ? b['id'] : 0));
    if (machines.length === 0) delete entry['machines'];
    else entry['machines'] = machines;
    if (machines.length > 0) delete entry['machine'];
  });

/** Returns by how many ns the wall clock of each machine is ahead, as the manifest states. */
export function skewsOf(manifest: Manifest): ReadonlyMap<string, bigint> {
  const { machines } = bodyOf(manifest);
  const skews = new Map<string, bigint>();
  for (const each of Array.isArray(machines) ? machines : []) if (isObject(each) && typeof each['name'] === 'string' && isInteger(each['wall_clock_skew_ns'])) skews.set(each['name'], BigInt(each['wall_clock_skew_ns']));
  return skews;
}

/** Returns a copy in which the wall clock of a machine is ahead by so many ns; 0 states nothing. */
export function withSkew(manifest: Manifest, name: string, skew: bigint): Manifest {
  const next: Manifest = { document: structuredClone(manifest.document) };
  const body = bodyOf(next);
  const before = Array.isArray(body['machines']) ? body['machines'] : [];
  const at = before.findIndex((each) => isObject(each) && each['name'] === name);
  const entry: JsonObject = { ...(isObject(before[at]) ? before[at] : { name }), wall_clock_skew_ns: Number(skew) };
  const machines = skew === 0n ? before.filter((_, i) => i !== at) : at < 0 ? [...before, entry] : before.map((each, i) => (i === at ? entry : each));
  if (machines.length === 0) delete body['machines'];
  else body['machines'] = machines;
  return next;
}

/** Attributes of the manifest in their order; a number is a decimal text with `isNumber`. */
export interface Attribute {
  key: string;
  value: string;
  isNumber: boolean;
}

export function attributesOf(manifest: Manifest): Attribute[] {
  const { attributes } = bodyOf(manifest);
  if (!isObject(attributes)) return [];
  return Object.entries(attributes).flatMap(([key, value]) => (typeof value === 'string' || isInteger(value) ? [{ key, value: String(value), isNumber: typeof value === 'number' }] : []));
}

/** Returns a copy with an attribute; an integer of at most 15 digits is a number. A null value removes the attribute. */
export function withAttribute(manifest: Manifest, key: string, value: string | null): Manifest {
  const next: Manifest = { document: structuredClone(manifest.document) };
  const body = bodyOf(next);
  const attributes: JsonObject = isObject(body['attributes']) ? { ...body['attributes'] } : {};
  if (value === null) delete attributes[key];
  else Object.defineProperty(attributes, key, { value: /^(0|-?[1-9]\d{0,14})$/.test(value) ? Number(value) : value, enumerable: true, configurable: true, writable: true });
  if (Object.keys(attributes).length === 0) delete body['attributes'];
  else body['attributes'] = attributes;
  return next;
}

/** Returns how the manifest places the file. */
export function placingOf(manifest: Manifest, path: string): Placing {
  const entry = entryOf(manifest, path);
  if (!entry) return { kind: 'automatic' };
  if (typeof entry['start'] === 'string') return { kind: 'start', time: entry['start'] };
  const clocks = entry['clocks'];
  if (clocks === undefined) return { kind: 'automatic' };
  return isObject(clocks) ? relationOf(clocks) : { kind: 'other' };
}

function pointOf(value: Json): Point | null {
  return isObject(value) && isInteger(value['this_ns']) && isInteger(value['other_ns']) ? { own: BigInt(value['this_ns']), other: BigInt(value['other_ns']) } : null;
}

/** Returns what the member `clocks` of an entry says. */
function relationOf(clocks: JsonObject): Placing {
  const { sync_to: to, clock: own, machine, offset_ns: offset = 0, drift_ppm: drift, offset_at_ns: at, points } = clocks;
  if (!isObject(to) || typeof to['file'] !== 'string') return { kind: 'other' };
  const isTextOrNone = (value: Json | undefined): value is string | undefined => value === undefined || typeof value === 'string';
  const other = to['machine'];
  if (!isTextOrNone(own) || !isTextOrNone(machine) || !isTextOrNone(other)) return { kind: 'other' };
  const related = {
    file: to['file'], clock: typeof to['clock'] === 'string' ? to['clock'] : '', ...(own === undefined ? {} : { own }), ...(other === undefined ? {} : { machine: other }), ...(machine === undefined ? {} : { ownMachine: machine }),
  };
  if (points !== undefined) {
    const read = Array.isArray(points) && ['offset_ns', 'drift_ppm', 'offset_at_ns'].every((name) => clocks[name] === undefined) ? points.map(pointOf) : [];
    return read.length === 0 || read.includes(null) ? { kind: 'other' } : { kind: 'points', ...related, points: read as Point[] };
  }
  if (!isInteger(offset) || (drift !== undefined && typeof drift !== 'number') || (at !== undefined && !isInteger(at))) return { kind: 'other' };
  return { kind: 'offset', ...related, offset: BigInt(offset), ...(drift === undefined ? {} : { drift }), ...(at === undefined ? {} : { at: BigInt(at) }) };
}

/** Returns the member `clocks` that says so. */
function clocksOf(placing: OffsetPlacing | PointsPlacing): JsonObject {
  const { file, clock, machine, own, ownMachine } = placing;
  const to = { sync_to: { file, ...(machine === undefined ? {} : { machine }), ...(clock === '' ? {} : { clock }) }, ...(own === undefined ? {} : { clock: own }), ...(ownMachine === undefined ? {} : { machine: ownMachine }) };
  if (placing.kind === 'points') return { ...to, points: placing.points.map((p) => ({ this_ns: Number(p.own), other_ns: Number(p.other) })) };
  return {
    ...to, offset_ns: Number(placing.offset), ...(placing.drift === undefined ? {} : { drift_ppm: placing.drift }), ...(placing.at === undefined ? {} : { offset_at_ns: Number(placing.at) }),
  };
}

/** Returns the points with a line through two moments in place of an offset: that offset and drift at the start and 1 s later. */
export function asPoints(placing: OffsetPlacing): PointsPlacing {
  const { offset, drift = 0, at = 0n, kind: _kind, ...related } = placing;
  const second = 1_000_000_000n;
  return { kind: 'points', ...related, points: [{ own: at, other: at + offset }, { own: at + second, other: at + offset + BigInt(Math.round(1e9 / (1 + drift / 1e6))) }] };
}

/** Returns a copy in which the file is placed so; the file that it refers to gets an entry. */
export function withPlacing(manifest: Manifest, path: string, placing: Placing): Manifest {
  if (placing.kind === 'other') return manifest;
  const placed = change(manifest, path, (entry) => {
    delete entry['clocks'];
    delete entry['start'];
    if (placing.kind === 'start') entry['start'] = placing.time;
    if (placing.kind === 'offset' || placing.kind === 'points') entry['clocks'] = clocksOf(placing);
  });
  return (placing.kind === 'offset' || placing.kind === 'points') && !entryOf(placed, placing.file) ? change(placed, placing.file, () => undefined) : placed;
}

/** Members of the whole manifest that the form shows. */
export interface Whole {
  /** The clock that is the timeline, of a file; null: automatic, undefined: what the form does not show. */
  timeline: { file: string; clock: string; machine?: string } | null | undefined;
  model: '' | 'step' | 'linear';
  flows: '' | 'auto' | 'all' | 'none';
  align: '' | 'auto' | 'off' | 'verify' | 'kinds';
  /** Of `kinds`: the kinds of content that are compared. */
  kinds: readonly string[];
}

const oneOf = <T extends string>(value: Json | undefined, words: readonly T[]): T | '' => words.find((word) => word === value) ?? '';

/** Returns what the manifest says of all files. */
export function wholeOf(manifest: Manifest): Whole {
  const body = bodyOf(manifest);
  const time = body['trace_time'];
  const isPlain = isObject(time) && typeof time['clock'] === 'string' && typeof time['file'] === 'string' && (time['machine'] === undefined || typeof time['machine'] === 'string');
  return {
    timeline: time === undefined ? null : isPlain ? { file: String(time['file']), clock: String(time['clock']), ...(time['machine'] === undefined ? {} : { machine: String(time['machine']) }) } : undefined,
    model: oneOf(body['clock_model'], ['step', 'linear']), flows: oneOf(body['join_flows'], ['auto', 'all', 'none']),
    align: Array.isArray(body['align']) ? 'kinds' : oneOf(body['align'], ['auto', 'off', 'verify']), kinds: areTexts(body['align']) ? body['align'] : [],
  };
}

/** Returns a copy with other members of the whole manifest; undefined members stay as they are. */
export function withWhole(manifest: Manifest, whole: Partial<Whole>): Manifest {
  const next: Manifest = { document: structuredClone(manifest.document) };
  const body = bodyOf(next);
  const set = (name: string, value: string | undefined): void => {
    if (value === undefined) return;
    if (value === '') delete body[name];
    else body[name] = value;
  };
  set('clock_model', whole.model);
  set('join_flows', whole.flows);
  if (whole.align !== 'kinds') set('align', whole.align);
  else if (whole.kinds) body['align'] = [...whole.kinds];
  if (whole.timeline === null) delete body['trace_time'];
  next.document['perfetto_manifest'] = body;
  if (!whole.timeline) return next;
  const { clock, file, machine } = whole.timeline;
  body['trace_time'] = { clock, file, ...(machine === undefined ? {} : { machine }) };
  return entryOf(next, whole.timeline.file) ? next : change(next, whole.timeline.file, () => undefined);
}
