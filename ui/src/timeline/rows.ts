/** Rows of the tree as they stand below each other: heights, and the tracks that are drawn in each. */
import type { TrackKind, TreeNode } from '../api/timeline';
import { shapes } from './prepare';
import type { Tree } from './tree';

/** One track drawn in a row. Heights in CSS px. */
export interface Layer {
  node: TreeNode;
  mode: string;
  /** Offset from the row's top. */
  y: number;
  height: number;
  /** Height of a line of slices; 0 if the layer is drawn over its whole height. */
  lineHeight: number;
  lines: number;
  shape: number;
  /** How the axis of a counter is chosen; absent: its own, linear. */
  isLog?: boolean;
  isShared?: boolean;
}

export interface Row {
  key: string;
  node: TreeNode;
  depth: number;
  top: number;
  height: number;
  layers: Layer[];
  /** What is drawn behind the layers: the frequency of a CPU. It has a row of its own, too. */
  behind: Layer | null;
  canOpen: boolean;
  isOpen: boolean;
  /** Lines that the limit of the row hides. */
  deeper: number;
  /** Hue of the machine, from 0. */
  machine: number;
  /** True if the row's events are placed by a guess. */
  isGuessed: boolean;
  parent: Row | null;
}

/** What the user chose for a track. */
export interface RowStyle {
  lineHeight?: number;
  maxLines?: number;
  mode?: string;
  /** Shows a counter on a logarithmic axis. */
  isLog?: boolean;
  /** Gives a counter the axis of all counters of its unit that share theirs. */
  isShared?: boolean;
}

/** What all rows have in common. */
export interface RowLook {
  lineHeight: number;
  /** True if slices have the colours of their categories. */
  byCategory: boolean;
}

export interface RowOptions extends RowLook {
  open: ReadonlySet<string>;
  hidden: ReadonlySet<string>;
  styles: ReadonlyMap<string, RowStyle>;
  /** Nodes that a filter keeps, with their ancestors; null keeps all. */
  kept: ReadonlySet<number> | null;
  busiestFirst: boolean;
}

export const lineHeights = [2, 9, 18, 27] as const;
/** Lines of a track that are shown at first. */
export const usualLines = 24;
/** A group of async events with more lanes than this begins closed: with as many lines as `closedLines` (TEF 9.4). */
const manyLanes = 30;
const closedLines = 2;
/** Lanes of a group that are drawn at most. */
const mostLanes = 100;

const headHeights: Record<string, number> = { machine: 22, file: 20, process: 20, group: 20, thread: 20 };

const lineKinds: ReadonlySet<TrackKind> = new Set<TrackKind>(['slice', 'async', 'sched', 'thread_state', 'state']);

function modeOf(node: TreeNode, style: RowStyle | undefined, byCategory: boolean): string {
  const chosen = byCategory && style?.mode === undefined ? 'category' : style?.mode;
  return chosen !== undefined && node.modes.includes(chosen) ? chosen : (node.modes[0] ?? 'value');
}

/** Returns the kind of axis of a counter. Frequencies of CPUs share one unless the user chose otherwise, so that CPUs can be compared. */
export function axisChoice(node: TreeNode, style: RowStyle | undefined): { isLog: boolean; isShared: boolean } {
  return { isLog: style?.isLog ?? false, isShared: style?.isShared ?? node.track_type === 'cpu_frequency' };
}

/** Returns the layer of a track at an offset, and the lines that its limit hides. */
function layerOf(node: TreeNode, y: number, style: RowStyle | undefined, { lineHeight: usualHeight, byCategory }: RowLook): { layer: Layer; deeper: number } {
  const mode = modeOf(node, style, byCategory);
  const line = style?.lineHeight ?? usualHeight;
  const make = (height: number, lineHeight: number, lines: number, shape: number): Layer => ({ node, mode, y, height, lineHeight, lines, shape });
  if (mode === 'summary' || node.kind === null) return { layer: make(Math.max(line, 4), 0, 1, shapes.strip), deeper: 0 };
  if (lineKinds.has(node.kind)) {
    const isState = node.kind === 'thread_state';
    const atFirst = node.kind === 'async' && node.lines > manyLanes ? closedLines : usualLines;
    const lines = Math.min(node.lines || 1, style?.maxLines ?? atFirst, node.kind === 'async' ? mostLanes : Infinity);
    const height = isState ? Math.max(2, Math.min(line, 10)) : node.kind === 'sched' ? Math.min(line, 14) : line;
    const shape = isState ? shapes.strip : node.kind === 'async' ? shapes.async : shapes.slice;
    return { layer: make(lines * height, height, lines, shape), deeper: (node.lines || 1) - lines };
  }
  if (node.kind === 'counter' || node.kind === 'stacked') {
    const layer = make(line <= 2 ? 4 : Math.max(16, Math.round(line * 1.6)), 0, 1, shapes.area);
    return { layer: { ...layer, ...axisChoice(node, style) }, deeper: 0 };
  }
  return { layer: make(Math.max(4, Math.min(line, 16)), 0, 1, shapes.mark), deeper: 0 };
}

/** Returns the counter of the frequency of a CPU, given the track of its scheduling. */
function frequencyOf(tree: Tree, cpu: TreeNode): TreeNode | undefined {
  return tree.children(cpu.parent).map((id) => tree.nodes.get(id)).find((n) => n?.track_type === 'cpu_frequency' && n.kind === 'counter' && n.title.endsWith(` ${cpu.title}`));
}

/** Returns the tracks that are drawn in the row of a thread itself: its states as a strip, and its slices. */
export function ownTracks(tree: Tree, node: TreeNode): TreeNode[] {
  if (node.type !== 'thread') return [];
  const own: TreeNode[] = [];
  for (const kind of ['thread_state', 'slice'] as const) {
    for (const id of tree.children(node.node)) {
      const child = tree.nodes.get(id);
      if (child?.type === 'track' && child.kind === kind) {
        own.push(child);
        break;
      }
    }
  }
  return own;
}

/**
 * Returns true if a guess places all that a node shows. A machine's own rows mix its files: their badge says that one
 * of them is a guess, and the rows of that file are marked.
 */
function isGuessed(tree: Tree, node: TreeNode): boolean {
  if (node.bound.kind !== 'none') return false;
  if (node.trace_id !== null) return true;
  const machine = node.type === 'machine' ? node : tree.ancestors(node).find((n) => n.type === 'machine');
  return !machine || !tree.children(machine.node).some((id) => tree.nodes.get(id)?.type === 'file');
}

const stripHeight = 5;

function threadRow(row: Row, own: readonly TreeNode[], options: RowOptions): void {
  const style = options.styles.get(row.key);
  let y = own.length > 1 ? 3 : 2;
  for (const track of own) {
    const isStrip = track.kind === 'thread_state' && own.length > 1;
    const { layer, deeper } = layerOf(track, y, isStrip ? { lineHeight: Math.min(stripHeight, style?.lineHeight ?? options.lineHeight) } : style, options);
    row.layers.push(layer);
    row.deeper += deeper;
    y += layer.height + (isStrip ? 2 : 0);
  }
  const line = style?.lineHeight ?? options.lineHeight;
  row.height = Math.max(line <= 2 ? 0 : line <= 9 ? 14 : 20, y + 2);
}

/** Returns the rows of a tree, with their places. */
export function buildRows(tree: Tree, options: RowOptions): Row[] {
  const rows: Row[] = [];
  let top = 0;
  const machines = new Map<number | null, number>();
  const hueOf = (node: TreeNode): number => {
    if (node.machine_id === null) return -1;
    const known = machines.get(node.machine_id);
    if (known !== undefined) return known;
    machines.set(node.machine_id, machines.size);
    return machines.size - 1;
  };
  const ordered = (ids: readonly number[]): readonly number[] =>
    options.busiestFirst ? [...ids].sort((a, b) => Number(tree.nodes.get(b)?.events ?? 0) - Number(tree.nodes.get(a)?.events ?? 0)) : ids;

  const add = (id: number, depth: number, parent: Row | null): void => {
    const node = tree.nodes.get(id);
    if (!node || options.hidden.has(node.key) || (options.kept && !options.kept.has(id))) return;
    const own = ownTracks(tree, node);
    const below = tree.children(id).filter((child) => !own.some((t) => t.node === child));
    const canOpen = node.children - own.length > 0;
    const row: Row = {
      key: node.key, node, depth, top, height: headHeights[node.type] ?? 20, layers: [], behind: null, canOpen, isOpen: canOpen && (options.open.has(node.key) || options.kept !== null), deeper: 0,
      machine: hueOf(node), isGuessed: isGuessed(tree, node), parent,
    };
    const style = options.styles.get(node.key);
    if (node.type === 'track') {
      const { layer, deeper } = layerOf(node, 2, style, options);
      const line = style?.lineHeight ?? options.lineHeight;
      row.height = Math.max(line <= 2 ? 0 : line <= 9 ? 14 : 20, layer.height + 4);
      const frequency = node.kind === 'sched' && line >= 18 ? frequencyOf(tree, node) : undefined;
      if (frequency) {
        row.height = layer.height + 12;
        layer.y = 10;
        row.behind = { node: frequency, mode: 'value', y: 1, height: row.height - 2, lineHeight: 0, lines: 1, shape: shapes.area, ...axisChoice(frequency, options.styles.get(frequency.key)) };
      } else if (layer.height < row.height - 4) layer.y = Math.floor((row.height - layer.height) / 2);
      row.layers.push(layer);
      row.deeper = deeper;
    } else if (own.length > 0) threadRow(row, own, options);
    else if (!row.isOpen) row.layers.push({ node, mode: 'summary', y: 3, height: row.height - 6, lineHeight: 0, lines: 1, shape: shapes.strip });
    rows.push(row);
    top += row.height;
    if (row.isOpen) for (const child of ordered(below)) add(child, depth + 1, row);
  };
  for (const id of ordered(tree.children(null))) add(id, 0, null);
  return rows;
}

/** Returns the row of one node as it would be if its parents were open, for pins. */
export function rowOf(tree: Tree, node: TreeNode, styles: ReadonlyMap<string, RowStyle>, look: RowLook): Row {
  const open = new Set(tree.ancestors(node).map((n) => n.key));
  const rows = buildRows(tree, { open, hidden: new Set(), styles, ...look, kept: null, busiestFirst: false });
  return rows.find((r) => r.key === node.key) ?? { key: node.key, node, depth: 0, top: 0, height: 20, layers: [], behind: null, canOpen: false, isOpen: false, deeper: 0, machine: -1, isGuessed: false, parent: null };
}

/** Returns the index of the last row that begins at or above a height; 0 if there is none. */
export function rowAt(rows: readonly Row[], y: number): number {
  let [low, high] = [0, rows.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rows[middle]?.top ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

export const heightOf = (rows: readonly Row[]): number => {
  const last = rows.at(-1);
  return last ? last.top + last.height : 0;
};

/**
 * Returns the parents of the first shown row that have scrolled away: at most 3, the outermost first. A parent sticks once its own row
 * would be above its place among those that stick, so no part of its row is seen below them.
 */
export function stickyRows(rows: readonly Row[], scroll: number): Row[] {
  const first = rows[rowAt(rows, scroll)];
  if (!first || scroll <= 0) return [];
  let sticky: Row[] = [];
  // The rows that stick cover others, so the first one that is visible below them decides.
  for (let i = 0; i < 4; i += 1) {
    const covered = sticky.reduce((sum, r) => sum + r.height, 0);
    const row = rows[rowAt(rows, scroll + covered)];
    const parents: Row[] = [];
    for (let at = row ?? null; at; at = at.parent) if (at.isOpen) parents.unshift(at);
    const next: Row[] = [];
    let place = scroll;
    for (const r of parents.slice(0, 3)) {
      if (r.top >= place) break;
      next.push(r);
      place += r.height;
    }
    if (next.length <= sticky.length) return next;
    sticky = next;
  }
  return sticky;
}
