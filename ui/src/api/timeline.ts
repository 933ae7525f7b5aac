/** The timeline of a trace: its tree, events, search. Times are decimal texts. Tiles come over the socket. */
import type { EventOrder } from '../lib/order';
import { exchange, pathOf, send } from './http';
import { nodesOf, type NodeColumns } from './node_columns';

export type NodeType = 'machine' | 'file' | 'process' | 'thread' | 'group' | 'track';

export type TrackKind =
  | 'slice' | 'async' | 'counter' | 'stacked' | 'sched' | 'thread_state' | 'state' | 'log' | 'ftrace' | 'sample' | 'snapshot' | 'dump';

/** How exactly a node's events are placed on the timeline. */
export interface NodeBound {
  kind: 'exact' | 'at_most' | 'none' | 'unknown';
  ns?: string;
}

/** A row of the tree. */
export interface TreeNode {
  node: number;
  key: string;
  parent: number | null;
  level: number;
  type: NodeType;
  kind: TrackKind | null;
  title: string;
  detail: string;
  children: number;
  hidden: number;
  empty: boolean;
  machine_id: number | null;
  trace_id: number | null;
  upid: number | null;
  utid: number | null;
  ucpu: number | null;
  tracks: number[];
  track_type: string | null;
  unit: string | null;
  lines: number;
  modes: string[];
  events: string;
  first_ts: string | null;
  last_ts: string | null;
  bound: NodeBound;
  linked: number[];
}

export const groupings = ['machine_file', 'machine', 'type', 'flat'] as const;
export type Grouping = (typeof groupings)[number];

export interface TreePage {
  total: number;
  hidden: number;
  start_ts: string;
  end_ts: string;
  nodes: TreeNode[];
}

export interface Brief {
  kind: string;
  row: number;
  node: number;
  line: number;
  name: string;
  category: string | null;
  ts: string;
  dur: string;
  end: string;
  instant: boolean;
  unfinished: boolean;
  cut: boolean;
  self: string | null;
  colour: number;
  value: number | null;
}

export type EventKey = Pick<Brief, 'kind' | 'row'>;

export interface EventDetails extends Brief {
  depth: number | null;
  thread_ts: string | null;
  thread_dur: string | null;
  cpu_self: string | null;
  parents: Brief[];
  children: Brief[];
  children_total: number;
  flows: number;
  args_total: number;
  utid: number | null;
  process: string | null;
  thread: string | null;
  machine: string | null;
  file: string | null;
  place: { file: string | null; machine: string; rule: string; path: string; bound: NodeBound } | null;
  fields: { name: string; value: unknown }[];
  /** Events of other ids that the trace declares to mean the same. */
  linked: { kind: string; id: string; event: Brief | null }[];
  cut_texts: string[];
}

export interface Arg {
  key: string;
  type: string;
  value: unknown;
}

export interface FlowArrow {
  row: number;
  out: Brief | null;
  in: Brief | null;
  violation: boolean;
  off_by_ns: string | null;
  step: number;
  /** What the trace says of the flow; empty where it says nothing. */
  id: string | null;
  name: string;
  category: string;
  from_ts: string;
  to_ts: string;
}

export interface Siblings {
  name: string;
  count: string;
  mean: number;
  min: string;
  p50: string;
  p95: string;
  max: string;
  percentile: number;
  longest: Brief[];
}

/** A hit: what was found in which field, and where the event is, as far as it has a process, a thread and a file. */
export type Hit = Brief & { where: string; process?: string; thread?: string; file?: string };

const at = (t: string, rest: string): string => `/traces/${encodeURIComponent(t)}/${rest}`;
const eventAt = (t: string, kind: string, row: number, rest = ''): string => at(t, `events/${encodeURIComponent(kind)}/${row}${rest}`);

export interface TreeQuery {
  parent?: number;
  grouping: Grouping;
  depth: number;
  offset: number;
  empty: boolean;
}

/** Nodes of a page: as many as the server sends in columns. */
const nodePage = 20_000;

export async function tree(t: string, { parent, grouping, depth, offset, empty }: TreeQuery): Promise<TreePage> {
  const path = pathOf('GET /traces/{t}/tracks', { t }, {
    parent: parent?.toString(), grouping, depth: String(depth), offset: String(offset), limit: String(nodePage), empty: empty ? '1' : undefined, columns: '1',
  });
  const { columns, ...page } = (await exchange('GET', path)) as Omit<TreePage, 'nodes'> & { columns: NodeColumns };
  return { ...page, nodes: nodesOf(columns) };
}

/** Returns a node and the numbers from the top of the tree to it. */
export function nodeOf(t: string, node: number | string, grouping: Grouping): Promise<{ node: TreeNode; path: number[] }> {
  return exchange('GET', pathOf('GET /traces/{t}/tracks/{k}', { t, k: String(node) }, { grouping })) as Promise<{ node: TreeNode; path: number[] }>;
}

export type FoundNode = Omit<TreeNode, 'path'> & { path: string[] };

export function findNodes(t: string, text: string, grouping: Grouping, signal?: AbortSignal): Promise<{ total: number; nodes: FoundNode[] }> {
  return exchange('POST', at(t, 'tracks/find'), { text, grouping, limit: 50 }, signal) as Promise<{ total: number; nodes: FoundNode[] }>;
}

export interface Texts {
  texts: (string | null)[];
  cut?: number[];
  threads?: (string | null)[];
}

export const strings = (t: string, ids: number[], threads: number[]): Promise<Texts> => exchange('POST', at(t, 'strings'), { ids, threads }) as Promise<Texts>;

/** Members that the answer has for slices only. */
const ofSlices = { depth: null, thread_ts: null, thread_dur: null, cpu_self: null } as const;

export const event = async (t: string, kind: string, row: number, signal?: AbortSignal): Promise<EventDetails> =>
  ({ ...ofSlices, ...((await exchange('GET', eventAt(t, kind, row), undefined, signal)) as EventDetails) });

export const args = (t: string, kind: string, row: number, offset: number): Promise<{ total: number; args: Arg[] }> =>
  exchange('GET', eventAt(t, kind, row, `/args?offset=${offset}&limit=1000`)) as Promise<{ total: number; args: Arg[] }>;

export const flows = (t: string, kind: string, row: number, depth: number): Promise<{ flows: FlowArrow[]; cut: boolean }> =>
  exchange('GET', eventAt(t, kind, row, `/flows?depth=${depth}`)) as Promise<{ flows: FlowArrow[]; cut: boolean }>;

export interface FlowCategory {
  /** Empty: flows without a category. */
  name: string;
  flows: string;
}

/** Returns the categories of flows, those with most flows first. */
export const flowCategories = (t: string): Promise<{ total: number; categories: FlowCategory[] }> => exchange('GET', at(t, 'flows/categories')) as Promise<{ total: number; categories: FlowCategory[] }>;

export const siblings = (t: string, kind: string, row: number): Promise<Siblings> => exchange('GET', eventAt(t, kind, row, '/siblings')) as Promise<Siblings>;

/** Returns the whole text of a member or field that was cut. */
export async function wholeText(t: string, kind: string, row: number, field: string): Promise<string> {
  return (await send('GET', eventAt(t, kind, row, `/text?field=${encodeURIComponent(field)}`))).text();
}

export const order = (t: string, a: EventKey, b: EventKey): Promise<EventOrder> =>
  exchange('POST', at(t, 'order'), { a: { kind: a.kind, row: a.row }, b: { kind: b.kind, row: b.row } }) as Promise<EventOrder>;

export interface PointAnswer {
  hit: Brief | null;
  args?: Arg[];
  args_total?: number;
}

export const hit = (t: string, track: number, line: number, ts: bigint, radius: bigint, signal?: AbortSignal): Promise<PointAnswer> =>
  exchange('POST', at(t, 'hit'), { track, line, ts: ts.toString(), radius: radius.toString() }, signal) as Promise<PointAnswer>;

export const step = (t: string, track: number, row: number, by: number): Promise<{ event: Brief | null }> =>
  exchange('POST', at(t, 'step'), { track, row, by }) as Promise<{ event: Brief | null }>;

export interface SearchState {
  search: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  hits: string;
  total: string;
  error: { detail?: string; title?: string } | string | null;
}

export const search = (t: string, text: string): Promise<{ search: string }> => exchange('POST', at(t, 'search'), { text, limit: 100000 }) as Promise<{ search: string }>;
export const searchState = (t: string, s: string): Promise<SearchState> => exchange('GET', at(t, `search/${encodeURIComponent(s)}`)) as Promise<SearchState>;
export const endSearch = (t: string, s: string): Promise<unknown> => exchange('DELETE', at(t, `search/${encodeURIComponent(s)}`));

/** Returns the nodes of the tracks with hits. */
export const hitTracks = (t: string, s: string): Promise<{ tracks: number[] }> => exchange('GET', at(t, `search/${encodeURIComponent(s)}/tracks`)) as Promise<{ tracks: number[] }>;

/** Returns hits from a number on, or those at or after a time. */
export function hits(t: string, s: string, from: { offset: number } | { ts: bigint }, limit: number): Promise<{ total: string; offset: number; hits: Hit[] }> {
  const start = 'offset' in from ? `offset=${from.offset}` : `from=${from.ts}`;
  return exchange('GET', at(t, `search/${encodeURIComponent(s)}/hits?${start}&limit=${limit}`)) as Promise<{ total: string; offset: number; hits: Hit[] }>;
}
