/**
 * Memory dumps of the Trace Event Format (section 9.10): the statements for the tables of the panel, and the tables that their
 * rows make. A dump is a row of memory_snapshot; a value of several dumps is an array with an element a dump, in order of time.
 */
import { sqlLiteral } from './cells';

/** A value a dump; null where the dump has none. */
export type Values = (number | null)[];

export interface Dump {
  snapshot: number;
  ts: bigint;
  level: string;
  name: string;
}

/** What several dumps say of one quantity: the value of the last, its difference to the first, and the largest. */
export interface Change {
  last: number | null;
  change: number | null;
  max: number | null;
}

/** Returns the change of a value. A dump without the value counts as 0 in the difference. */
export function changeOf(values: Values): Change {
  const known = values.filter((v) => v !== null);
  if (known.length === 0) return { last: null, change: null, max: null };
  return { last: values.at(-1) ?? null, change: (values.at(-1) ?? 0) - (values[0] ?? 0), max: Math.max(...known) };
}

/** Dumps that the list has; those beyond are counted. */
export const mostDumps = 1000;

export const dumpsSql = `SELECT snapshot_id, CAST(min(ts) AS TEXT), max(level_of_detail), max(name), count(*) FROM json_memory_dump WHERE upid IS NULL GROUP BY snapshot_id ORDER BY min(ts), snapshot_id LIMIT ${mostDumps}`;

export const dumpOf = (row: readonly unknown[]): Dump => ({ snapshot: Number(row[0]), ts: BigInt(String(row[1] ?? '0')), level: String(row[2] ?? ''), name: String(row[3] ?? '') });

/** Returns the statement for the dump that a row of json_memory_dump is part of. */
export const snapshotOfSql = (row: number): string => `SELECT snapshot_id FROM json_memory_dump WHERE id = ${row}`;

const chosen = (dumps: readonly number[]): string => `p.snapshot_id IN (${dumps.join(', ')})`;
const from = 'FROM process_memory_snapshot p';
/** Condition for the process of a row of process_memory_snapshot; null is the global dump. */
const ofProcess = (upid: number | null): string => (upid === null ? 'p.upid IS NULL' : `p.upid = ${upid}`);

/** What a region of memory counts as, in the order of the columns. */
export const regionMeasures = [
  ['pss', 'Proportional'], ['private_dirty', 'Private dirty'], ['private_clean', 'Private clean'], ['shared_dirty', 'Shared dirty'], ['shared_clean', 'Shared clean'], ['swapped', 'Swapped'], ['size', 'Mapped'],
] as const;
export type RegionMeasure = (typeof regionMeasures)[number][0];

/** Kinds of columns of the overview; each leads to its own table. */
export type Group = 'total' | 'region' | 'allocator' | 'heap';

/**
 * Returns the statement for the overview: snapshot, upid, group, name, value. Regions are summed by their class below Total.
 * A heap has no value without an entry for the whole heap.
 */
export const overviewSql = (dumps: readonly number[], measure: RegionMeasure): string => `SELECT p.snapshot_id, p.upid, 'total', t.name, t.value ${from} JOIN json_memory_total t ON t.process_snapshot_id = p.id WHERE ${chosen(dumps)}
UNION ALL SELECT p.snapshot_id, p.upid, 'region', substr(r.class_path, 1, instr(r.class_path || '/', '/') - 1), sum(r.${measure}) ${from} JOIN json_memory_region r ON r.process_snapshot_id = p.id WHERE ${chosen(dumps)} GROUP BY 1, 2, 4
UNION ALL SELECT p.snapshot_id, p.upid, 'allocator', n.path, coalesce(n.effective_size, n.size) ${from} JOIN memory_snapshot_node n ON n.process_snapshot_id = p.id WHERE n.parent_node_id IS NULL AND ${chosen(dumps)}
UNION ALL SELECT p.snapshot_id, p.upid, 'heap', h.allocator, sum(iif(h.format = 'heaps_v2' OR (h.callsite_id IS NULL AND h.type_name IS NULL), h.size, NULL)) ${from} JOIN json_heap_entry h ON h.process_snapshot_id = p.id WHERE ${chosen(dumps)} GROUP BY 1, 2, 4`;

/** Returns the statement for the processes of dumps: upid, name, pid. */
export const processesSql = (dumps: readonly number[]): string => `SELECT DISTINCT p.upid, q.name, q.pid ${from} LEFT JOIN process q ON q.upid = p.upid WHERE ${chosen(dumps)}`;

export interface Column {
  group: Group;
  name: string;
}

export interface OverviewRow {
  /** Null is the global dump. */
  upid: number | null;
  title: string;
  cells: (Values | null)[];
}

export interface Overview {
  columns: Column[];
  rows: OverviewRow[];
}

const groupOrder: readonly Group[] = ['total', 'region', 'allocator', 'heap'];
const knownTotals = ['resident_set_bytes', 'peak_resident_set_bytes', 'is_peak_rss_resetable', 'private_footprint_bytes'];

const number = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

function compareColumns(a: Column, b: Column): number {
  if (a.group !== b.group) return groupOrder.indexOf(a.group) - groupOrder.indexOf(b.group);
  const rank = (c: Column): number => (c.group === 'total' ? (knownTotals.indexOf(c.name) + 100) % 100 || 0 : 0);
  const known = (c: Column): number => (c.group !== 'total' || knownTotals.includes(c.name) ? 0 : 1);
  return known(a) - known(b) || rank(a) - rank(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/** Returns the table of processes and quantities from the rows of overviewSql() and processesSql(). The global dump is the first row. */
export function overviewOf(dumps: readonly number[], rows: readonly (readonly unknown[])[], processes: readonly (readonly unknown[])[]): Overview {
  const columns = new Map<string, Column>();
  const cells = new Map<number | null, Map<string, Values>>();
  for (const [snapshot, upid, group, name, value] of rows) {
    const key = `${String(group)}/${String(name ?? '')}`;
    if (!columns.has(key)) columns.set(key, { group: group as Group, name: String(name ?? '') });
    const process = number(upid);
    const known = cells.get(process) ?? new Map<string, Values>();
    cells.set(process, known);
    const values = known.get(key) ?? dumps.map(() => null);
    known.set(key, values);
    values[dumps.indexOf(Number(snapshot))] = number(value);
  }
  const sorted = [...columns].sort((a, b) => compareColumns(a[1], b[1]));
  const titles = processes.map(([upid, name, pid]) => ({ upid: number(upid), pid: number(pid) ?? 0, title: upid === null ? 'Global' : name === null || name === '' ? `Process ${String(pid)}` : `${String(name)} (${String(pid)})` }));
  titles.sort((a, b) => (a.upid === null ? 0 : 1) - (b.upid === null ? 0 : 1) || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0) || a.pid - b.pid);
  return {
    columns: sorted.map(([, column]) => column),
    // The global dump has a row if it says something.
    rows: titles.filter(({ upid }) => upid !== null || cells.has(null)).map(({ upid, title }) => ({ upid, title, cells: sorted.map(([key]) => cells.get(upid)?.get(key) ?? null) })),
  };
}

const totalTitles: Readonly<Record<string, string>> = { resident_set_bytes: 'Resident', peak_resident_set_bytes: 'Peak resident', is_peak_rss_resetable: 'Peak can be reset', private_footprint_bytes: 'Private footprint' };

export const columnTitle = ({ group, name }: Column): string => (group === 'total' ? (totalTitles[name] ?? name) : group === 'heap' ? `${name} heap` : name);

/** A row of one of the trees below the overview, with a value a column and a dump. */
export interface MemoryNode {
  key: string;
  name: string;
  cells: (Values | null)[];
  /** Who else owns it, or what it owns; protection of a region. */
  note: string;
  children: MemoryNode[];
}

export interface MemoryTree {
  /** Titles of the columns, and their units. */
  columns: { title: string; unit: string }[];
  nodes: MemoryNode[];
  isCut: boolean;
}

/** Rows of one statement for a tree. */
export const mostRows = 20_000;

const inAllocator = (path: string): string => `(n.path = ${sqlLiteral(path)} OR substr(n.path, 1, ${[...path].length + 1}) = ${sqlLiteral(`${path}/`)})`;

/** Returns the statement for the nodes of an allocator: snapshot, path, size, effective size. */
export const nodesSql = (dumps: readonly number[], upid: number | null, path: string): string => `SELECT p.snapshot_id, n.path, n.size, n.effective_size ${from} JOIN memory_snapshot_node n ON n.process_snapshot_id = p.id
WHERE ${chosen(dumps)} AND ${ofProcess(upid)} AND ${inAllocator(path)} ORDER BY n.id LIMIT ${mostRows}`;

/** Returns the statement for the other attributes of these nodes: snapshot, path, key, integer, text. */
export const attributesSql = (dumps: readonly number[], upid: number | null, path: string): string => `SELECT p.snapshot_id, n.path, a.key, coalesce(a.int_value, a.real_value), a.string_value ${from} JOIN memory_snapshot_node n ON n.process_snapshot_id = p.id JOIN args a ON a.arg_set_id = n.arg_set_id
WHERE ${chosen(dumps)} AND ${ofProcess(upid)} AND ${inAllocator(path)} ORDER BY n.id, a.id LIMIT ${mostRows}`;

/** Returns the statement for the ownership of these nodes: path, 1 if the node is owned, process and path of the other, importance. */
export const ownersSql = (dumps: readonly number[], upid: number | null, path: string): string => ['source', 'target'].map((end) => {
  const other = end === 'source' ? 'target' : 'source';
  return `SELECT DISTINCT n.path AS path, ${end === 'target' ? 1 : 0} AS is_owned, coalesce(r.name, 'process ' || r.pid, 'global'), m.path, e.importance ${from} JOIN memory_snapshot_node n ON n.process_snapshot_id = p.id
JOIN memory_snapshot_edge e ON e.${end}_node_id = n.id JOIN memory_snapshot_node m ON m.id = e.${other}_node_id JOIN process_memory_snapshot q ON q.id = m.process_snapshot_id LEFT JOIN process r ON r.upid = q.upid
WHERE ${chosen(dumps)} AND ${ofProcess(upid)} AND ${inAllocator(path)} AND NOT EXISTS (SELECT 1 FROM args a WHERE a.arg_set_id = e.arg_set_id AND a.string_value = 'retention')`;
}).join('\nUNION ALL ') + `\nORDER BY 1, 2, 5 DESC, 3, 4 LIMIT ${mostRows}`;

/** Adds nodes by their path, with their parents. */
class TreeBuilder {
  readonly roots: MemoryNode[] = [];
  private readonly known = new Map<string, MemoryNode>();

  constructor(private readonly width: number, private readonly parentOf: (key: string) => string | null, private readonly nameOf: (key: string) => string) {}

  node(key: string): MemoryNode {
    const found = this.known.get(key);
    if (found) return found;
    const made: MemoryNode = { key, name: this.nameOf(key), cells: Array.from({ length: this.width }, () => null), note: '', children: [] };
    this.known.set(key, made);
    const parent = this.parentOf(key);
    (parent === null ? this.roots : this.node(parent).children).push(made);
    return made;
  }

  add(node: MemoryNode, column: number, dumps: number, dump: number, value: number | null): void {
    if (dump < 0 || value === null) return;
    const cell = node.cells[column] ?? Array.from<number | null>({ length: dumps }).fill(null);
    node.cells[column] = cell;
    cell[dump] = (cell[dump] ?? 0) + value;
  }
}

const lastSlash = (path: string): number => path.lastIndexOf('/');

/** Returns the tree of an allocator from the rows of the three statements above. */
export function allocatorTree(dumps: readonly number[], top: string, nodes: readonly (readonly unknown[])[], attributes: readonly (readonly unknown[])[], owners: readonly (readonly unknown[])[]): MemoryTree {
  const units = new Map<string, string>();
  const columns = [{ title: 'Effective size', unit: 'bytes' }, { title: 'Size', unit: 'bytes' }];
  const names: string[] = [];
  for (const [, , key, , text] of attributes) {
    const name = String(key).replace(/\.(value|unit)$/, '');
    if (String(key).endsWith('.unit')) units.set(name, String(text ?? ''));
    else if (!names.includes(name)) names.push(name);
  }
  const numeric = names.filter((name) => attributes.some(([, , key, value]) => key === `${name}.value` && value !== null));
  columns.push(...numeric.map((name) => ({ title: name, unit: units.get(name) ?? '' })));
  const tree = new TreeBuilder(columns.length, (path) => (path === top ? null : path.slice(0, lastSlash(path))), (path) => (path === top ? top : path.slice(lastSlash(path) + 1)));
  for (const [snapshot, path, size, effective] of nodes) {
    const node = tree.node(String(path));
    const dump = dumps.indexOf(Number(snapshot));
    tree.add(node, 0, dumps.length, dump, number(effective));
    tree.add(node, 1, dumps.length, dump, number(size));
  }
  const notes = new Map<MemoryNode, string[]>();
  const note = (node: MemoryNode, text: string): void => void notes.set(node, [...(notes.get(node) ?? []), text]);
  for (const [snapshot, path, key, value, text] of attributes) {
    const name = String(key).replace(/\.value$/, '');
    const column = numeric.indexOf(name);
    if (!String(key).endsWith('.value')) continue;
    if (column >= 0) tree.add(tree.node(String(path)), column + 2, dumps.length, dumps.indexOf(Number(snapshot)), number(value));
    else if (Number(snapshot) === dumps.at(-1)) note(tree.node(String(path)), `${name}: ${String(text ?? '')}`);
  }
  for (const [path, isOwned, process, other, importance] of owners) {
    note(tree.node(String(path)), `${Number(isOwned) === 1 ? 'owned by' : 'owns'} ${String(process)}: ${String(other)} (importance ${String(importance)})`);
  }
  for (const [node, texts] of notes) node.note = texts.join(', ');
  return { columns, nodes: tree.roots, isCut: Math.max(nodes.length, attributes.length, owners.length) >= mostRows };
}

/** Returns the statement for the memory regions of a process, below a class: snapshot, class, file, start, protection, then regionMeasures. */
export const regionsSql = (dumps: readonly number[], upid: number | null): string => `SELECT p.snapshot_id, r.class_path, r.file, CAST(r.start_address AS TEXT), r.protection_text, ${regionMeasures.map(([name]) => `r.${name}`).join(', ')}
${from} JOIN json_memory_region r ON r.process_snapshot_id = p.id WHERE ${chosen(dumps)} AND ${ofProcess(upid)} ORDER BY r.class_path, r.start_address, p.snapshot_id LIMIT ${mostRows}`;

/** Returns the tree of classes of regions, whose leaves are the regions. */
export function regionTree(dumps: readonly number[], rows: readonly (readonly unknown[])[]): MemoryTree {
  const sign = '\u0000';
  const tree = new TreeBuilder(regionMeasures.length, (key) => {
    const leaf = key.indexOf(sign);
    if (leaf >= 0) return key.slice(0, leaf);
    return key === 'Total' ? null : key.slice(0, lastSlash(key));
  }, (key) => (key.includes(sign) ? key.slice(key.lastIndexOf(sign) + 1) : key.slice(lastSlash(key) + 1)));
  for (const [snapshot, path, file, start, protection, ...values] of rows) {
    const dump = dumps.indexOf(Number(snapshot));
    let key = `Total/${String(path ?? 'Other')}`;
    const address = `0x${BigInt.asUintN(64, BigInt(String(start ?? '0'))).toString(16)}`;
    const leaf = tree.node([key, address, String(protection ?? ''), file === null || file === '' ? '[anonymous]' : String(file)].join(sign));
    leaf.note = `${address} ${String(protection ?? '')}`;
    values.forEach((value, column) => tree.add(leaf, column, dumps.length, dump, number(value)));
    for (;;) {
      const node = tree.node(key);
      values.forEach((value, column) => tree.add(node, column, dumps.length, dump, number(value)));
      if (key === 'Total') break;
      key = key.slice(0, lastSlash(key));
    }
  }
  return { columns: regionMeasures.map(([, title]) => ({ title, unit: 'bytes' })), nodes: tree.roots, isCut: rows.length >= mostRows };
}
