/**
 * The state of the viewer as a document, which is kept by the server, saved as a file, or put into a link. Tracks are named by
 * keys that do not depend on the numbers of rows. Documents are untrusted: parseState() checks each member.
 */
import { groupings, type Grouping } from '../api/timeline';
import { axisFormats, type AxisFormat } from '../lib/axis';
import { colourModes, type ColourMode } from '../timeline/view_types';

export interface SavedInput {
  name: string;
  size: number;
  digest: string;
}

/** An event: its track and start find it again when the numbers of rows have changed. */
export interface SavedEvent {
  kind: string;
  row: number;
  track: string;
  line: number;
  ts: string;
  name: string;
}

export interface SavedNote {
  ts: string;
  /** 1 to 9 of a named mark, 0 of others. */
  digit: number;
  pinned: boolean;
}

export interface SavedStyle {
  lineHeight?: number;
  maxLines?: number;
  mode?: string;
  isLog?: boolean;
  isShared?: boolean;
}

export interface SavedState {
  tracebraid_state: 1;
  inputs: SavedInput[];
  manifest: string | null;
  /** `part` is the fraction of a nanosecond that the window begins behind `from`, `span` its length; times are decimal texts. */
  view: { from: string; to: string; part: number; span: number; scroll: number; area: { from: string; to: string; rows: string[] | null } | null };
  grouping: Grouping;
  expanded: string[];
  pins: string[];
  hidden: string[];
  filters: { text: string; in_view: boolean } | null;
  notes: SavedNote[];
  selection: SavedEvent | null;
  formats: { times: AxisFormat; clock: string; colours: ColourMode; line_height: number; names_width: number; busiest_first: boolean; empty: boolean; flows: boolean; marks: boolean; sync_points: boolean; hidden_flows: string[] };
  queries: { title: string; text: string }[];
  tracks: Record<string, SavedStyle>;
  /** The event whose order to the selected one is shown. */
  compare: SavedEvent | null;
}

/** The largest document, in bytes. */
export const mostBytes = 4 << 20;
/** The longest list, and the longest text of a name. */
const mostItems = 100_000;
const mostText = 65_536;
const mostQueries = 50;

type Members = Record<string, unknown>;

/** A member that breaks the schema. */
class Malformed extends Error {}

function fail(path: string, wanted: string): never {
  throw new Malformed(`${path} is not ${wanted}`);
}

const text = (value: unknown, path: string, most = mostText): string => (typeof value === 'string' && value.length <= most ? value : fail(path, `a text of at most ${most} characters`));
const whole = (value: unknown, path: string, least: number, most: number): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most ? value : fail(path, `a whole number from ${least} to ${most}`);
const real = (value: unknown, path: string, least: number, most: number): number =>
  typeof value === 'number' && value >= least && value <= most ? value : fail(path, `a number from ${least} to ${most}`);
const flag = (value: unknown, path: string): boolean => (typeof value === 'boolean' ? value : fail(path, 'true or false'));
const time = (value: unknown, path: string): string => (typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? value : fail(path, 'a time in nanoseconds, as a text'));
const members = (value: unknown, path: string): Members => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : fail(path, 'an object'));
const listOf = <T>(value: unknown, path: string, item: (value: unknown, path: string) => T, most = mostItems): T[] =>
  Array.isArray(value) && value.length <= most ? value.map((each, i) => item(each, `${path}[${i}]`)) : fail(path, `a list of at most ${most}`);
const oneOf = <T extends string>(value: unknown, path: string, values: readonly T[]): T => (values.includes(value as T) ? (value as T) : fail(path, `one of ${values.join(', ')}`));
const orNull = <T>(value: unknown, path: string, item: (value: unknown, path: string) => T): T | null => (value === null || value === undefined ? null : item(value, path));
const names = (value: unknown, path: string): string[] => listOf(value ?? [], path, (each, at) => text(each, at));

function inputOf(value: unknown, path: string): SavedInput {
  const m = members(value, path);
  return { name: text(m['name'], `${path}.name`), size: whole(m['size'], `${path}.size`, 0, Number.MAX_SAFE_INTEGER), digest: text(m['digest'], `${path}.digest`, 128) };
}

function eventOf(value: unknown, path: string): SavedEvent {
  const m = members(value, path);
  return {
    kind: text(m['kind'], `${path}.kind`, 32), row: whole(m['row'], `${path}.row`, 0, 2 ** 32), track: text(m['track'], `${path}.track`),
    line: whole(m['line'], `${path}.line`, 0, 2 ** 32), ts: time(m['ts'], `${path}.ts`), name: text(m['name'], `${path}.name`),
  };
}

function noteOf(value: unknown, path: string): SavedNote {
  const m = members(value, path);
  return { ts: time(m['ts'], `${path}.ts`), digit: whole(m['digit'], `${path}.digit`, 0, 9), pinned: flag(m['pinned'], `${path}.pinned`) };
}

function styleOf(value: unknown, path: string): SavedStyle {
  const m = members(value, path);
  return {
    ...(m['lineHeight'] === undefined ? {} : { lineHeight: whole(m['lineHeight'], `${path}.lineHeight`, 1, 200) }),
    ...(m['maxLines'] === undefined ? {} : { maxLines: whole(m['maxLines'], `${path}.maxLines`, 1, 1_000_000) }),
    ...(m['mode'] === undefined ? {} : { mode: text(m['mode'], `${path}.mode`, 32) }),
    ...(m['isLog'] === undefined ? {} : { isLog: flag(m['isLog'], `${path}.isLog`) }),
    ...(m['isShared'] === undefined ? {} : { isShared: flag(m['isShared'], `${path}.isShared`) }),
  };
}

function viewOf(value: unknown): SavedState['view'] {
  const m = members(value, 'view');
  const area = (each: unknown, path: string): NonNullable<SavedState['view']['area']> => {
    const a = members(each, path);
    return { from: time(a['from'], `${path}.from`), to: time(a['to'], `${path}.to`), rows: orNull(a['rows'], `${path}.rows`, names) };
  };
  return {
    from: time(m['from'], 'view.from'), to: time(m['to'], 'view.to'), part: real(m['part'] ?? 0, 'view.part', 0, 1),
    span: real(m['span'] ?? Number(BigInt(time(m['to'], 'view.to')) - BigInt(time(m['from'], 'view.from'))), 'view.span', 1, 2 ** 65),
    scroll: real(m['scroll'] ?? 0, 'view.scroll', 0, 1e9), area: orNull(m['area'], 'view.area', area),
  };
}

function formatsOf(value: unknown): SavedState['formats'] {
  const m = members(value, 'formats');
  return {
    times: oneOf(m['times'], 'formats.times', axisFormats), clock: text(m['clock'] ?? '', 'formats.clock'), colours: oneOf(m['colours'], 'formats.colours', colourModes), line_height: whole(m['line_height'], 'formats.line_height', 1, 200),
    names_width: whole(m['names_width'] ?? 236, 'formats.names_width', 120, 600), busiest_first: flag(m['busiest_first'] ?? false, 'formats.busiest_first'), empty: flag(m['empty'] ?? false, 'formats.empty'),
    flows: flag(m['flows'] ?? true, 'formats.flows'), marks: flag(m['marks'] ?? true, 'formats.marks'),
    sync_points: flag(m['sync_points'] ?? false, 'formats.sync_points'), hidden_flows: names(m['hidden_flows'], 'formats.hidden_flows'),
  };
}

function queryOf(value: unknown, path: string): SavedState['queries'][number] {
  const m = members(value, path);
  return { title: text(m['title'], `${path}.title`, 1000), text: text(m['text'], `${path}.text`, mostBytes) };
}

export type Parsed = { state: SavedState; problem: null } | { state: null; problem: string };

/** Returns the state of a document, or what is wrong with the document. */
export function parseState(document: unknown): Parsed {
  try {
    const m = members(document, 'the state');
    if (m['tracebraid_state'] === undefined) fail('the file', 'a state of tracebraid');
    if (m['tracebraid_state'] !== 1) throw new Malformed(`the state has version ${JSON.stringify(m['tracebraid_state']).slice(0, 40)}, and this viewer knows version 1 only`);
    const filters = (value: unknown, path: string): NonNullable<SavedState['filters']> => {
      const f = members(value, path);
      return { text: text(f['text'], `${path}.text`), in_view: flag(f['in_view'] ?? false, `${path}.in_view`) };
    };
    return {
      problem: null,
      state: {
        tracebraid_state: 1, inputs: listOf(m['inputs'] ?? [], 'inputs', inputOf), manifest: orNull(m['manifest'], 'manifest', (each, path) => text(each, path, mostBytes)), view: viewOf(m['view']),
        grouping: oneOf(m['grouping'], 'grouping', groupings), expanded: names(m['expanded'], 'expanded'), pins: names(m['pins'], 'pins'), hidden: names(m['hidden'], 'hidden'), filters: orNull(m['filters'], 'filters', filters),
        notes: listOf(m['notes'] ?? [], 'notes', noteOf), selection: orNull(m['selection'], 'selection', eventOf), formats: formatsOf(m['formats']), queries: listOf(m['queries'] ?? [], 'queries', queryOf, mostQueries),
        tracks: Object.fromEntries(Object.entries(members(m['tracks'] ?? {}, 'tracks')).map(([key, style]) => [key, styleOf(style, `tracks[${JSON.stringify(key)}]`)])),
        compare: orNull(m['compare'], 'compare', eventOf),
      },
    };
  } catch (error) {
    if (error instanceof Malformed) return { state: null, problem: error.message };
    throw error;
  }
}

/** Returns the state of the text of a file, or what is wrong with the file. */
export function readState(file: string): Parsed {
  if (file.length > mostBytes) return { state: null, problem: 'the file is larger than 4 MiB' };
  try {
    return parseState(JSON.parse(file));
  } catch {
    return { state: null, problem: 'the file is not JSON' };
  }
}

/** Returns which inputs two lists do not share, by their content. */
export function otherInputs(saved: readonly SavedInput[], now: readonly SavedInput[]): { missing: string[]; added: string[] } {
  const only = (a: readonly SavedInput[], b: readonly SavedInput[]): string[] => {
    const known = new Set(b.map((each) => `${each.size} ${each.digest}`));
    return a.filter((each) => !known.has(`${each.size} ${each.digest}`)).map((each) => each.name);
  };
  return { missing: only(saved, now), added: only(now, saved) };
}

/** The longest state in a link, in characters. */
const mostLink = 8192;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError('too large');
    }
    parts.push(next.value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Returns a state as the fragment `s=...` of a link; null if it is too long for one. */
export async function linkOf(state: SavedState): Promise<string | null> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'), mostBytes);
  const link = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return link.length <= mostLink ? `s=${link}` : null;
}

/** Returns the state of the fragment of a link, or what is wrong with the link. */
export async function stateOfLink(fragment: string): Promise<Parsed> {
  const packed = fragment.replace(/^#?s=/, '');
  if (packed.length > mostLink) return { state: null, problem: 'the link is too long' };
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    return readState(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'), mostBytes)));
  } catch {
    return { state: null, problem: 'the link is damaged' };
  }
}
