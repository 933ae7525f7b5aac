/** The merge manifest as a document: what the form reads and writes. Members that are not known stay. No DOM. */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = Record<string, Json>;

export interface Manifest {
  document: JsonObject;
}

/** How the form places a file. */
export type Placing =
  | { kind: 'automatic' }
  | { kind: 'offset'; file: string; clock: string; offset: bigint }
  | { kind: 'start'; time: string }
  /** Drift, points or a clock of the file: only the text changes it. */
  | { kind: 'other' };

export const clockNames = ['BOOTTIME', 'REALTIME', 'MONOTONIC', 'MONOTONIC_RAW', 'REALTIME_COARSE', 'MONOTONIC_COARSE'] as const;

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

function entriesOf(manifest: Manifest): JsonObject[] {
  const { files } = bodyOf(manifest);
  return Array.isArray(files) ? files.filter(isObject) : [];
}

const entryOf = (manifest: Manifest, path: string): JsonObject | undefined => entriesOf(manifest).find((e) => e['path'] === path && e['glob'] !== true);

/** Returns a copy with the entry of the file changed. An entry that says nothing is kept if others may name it. */
function change(manifest: Manifest, path: string, edit: (entry: JsonObject) => void): Manifest {
  const next: Manifest = { document: structuredClone(manifest.document) };
  const body = bodyOf(next);
  const entry = entryOf(next, path) ?? { path };
  const isNew = entryOf(next, path) === undefined;
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
    else entry['machine'] = { ...(isObject(entry['machine']) ? entry['machine'] : {}), name };
  });

/** Returns how the manifest places the file. */
export function placingOf(manifest: Manifest, path: string): Placing {
  const entry = entryOf(manifest, path);
  if (!entry) return { kind: 'automatic' };
  if (typeof entry['start'] === 'string') return { kind: 'start', time: entry['start'] };
  const clocks = entry['clocks'];
  if (clocks === undefined) return { kind: 'automatic' };
  if (!isObject(clocks) || !isObject(clocks['sync_to'])) return { kind: 'other' };
  if (['points', 'drift_ppm', 'clock', 'machine'].some((name) => clocks[name] !== undefined) || clocks['sync_to']['machine'] !== undefined) return { kind: 'other' };
  const offset = clocks['offset_ns'] ?? 0;
  const { file, clock } = clocks['sync_to'];
  if (typeof offset !== 'number' || !Number.isInteger(offset) || typeof file !== 'string') return { kind: 'other' };
  return { kind: 'offset', file, clock: typeof clock === 'string' ? clock : '', offset: BigInt(offset) };
}

/** Returns a copy in which the file is placed so; the file that it refers to gets an entry. */
export function withPlacing(manifest: Manifest, path: string, placing: Placing): Manifest {
  if (placing.kind === 'other') return manifest;
  const placed = change(manifest, path, (entry) => {
    delete entry['clocks'];
    delete entry['start'];
    if (placing.kind === 'start') entry['start'] = placing.time;
    if (placing.kind === 'offset') entry['clocks'] = { sync_to: { file: placing.file, ...(placing.clock === '' ? {} : { clock: placing.clock }) }, offset_ns: Number(placing.offset) };
  });
  return placing.kind === 'offset' && !entryOf(placed, placing.file) ? change(placed, placing.file, () => undefined) : placed;
}

const units: Readonly<Record<string, bigint>> = { ns: 1n, us: 1_000n, 'µs': 1_000n, 'μs': 1_000n, ms: 1_000_000n, s: 1_000_000_000n, m: 60_000_000_000n, min: 60_000_000_000n, h: 3_600_000_000_000n, d: 86_400_000_000_000n };

/** Returns an offset in ns: `-3h12m04.197s`, `250 ms`, `1_500 ns`, `2.5` (seconds); null if the text is none. */
export function parseOffset(text: string): bigint | null {
  const plain = text.trim().replace(/[\s_]/g, '').replace(/^−/, '-');
  const sign = plain.startsWith('-') ? -1n : 1n;
  const body = plain.replace(/^[+-]/, '');
  if (body === '') return null;
  const parts = [...(/[a-zµμ]/i.test(body) ? body : `${body}s`).matchAll(/(\d+)(?:\.(\d+))?([a-zµμ]+)/giy)];
  if (parts.reduce((length, part) => length + part[0].length, 0) !== (/[a-zµμ]/i.test(body) ? body.length : body.length + 1)) return null;
  let ns = 0n;
  for (const [, whole = '0', fraction = '', unit = ''] of parts) {
    const size = units[unit];
    if (size === undefined) return null;
    const scaled = BigInt(fraction === '' ? 0 : fraction) * size;
    const divisor = 10n ** BigInt(fraction.length);
    if (scaled % divisor !== 0n) return null; // less than a nanosecond
    ns += BigInt(whole) * size + scaled / divisor;
  }
  return ns > 9_007_199_254_740_991n ? null : sign * ns;
}

/** Returns an offset exactly, in the largest unit that divides it or in seconds: 250 ms, 148.007 s, -11524.197 s. */
export function exactOffset(ns: bigint): string {
  const magnitude = ns < 0n ? -ns : ns;
  const sign = ns < 0n ? '-' : '';
  const [name, size] = magnitude >= 1_000_000_000n ? ['s', 1_000_000_000n] as const : magnitude >= 1_000_000n ? ['ms', 1_000_000n] as const : magnitude >= 1_000n ? ['us', 1_000n] as const : ['ns', 1n] as const;
  const fraction = (magnitude % size).toString().padStart(size.toString().length - 1, '0').replace(/0+$/, '');
  return `${sign}${magnitude / size}${fraction === '' || size === 1n ? '' : `.${fraction}`} ${name}`;
}
