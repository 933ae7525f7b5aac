/** Parts of the state of a timeline. */
import type { TreeNode } from '../api/timeline';
import type { TimeRange, TimeWindow } from '../lib/time_window';
import type { Row } from './rows';

export interface Size {
  width: number;
  height: number;
}

/** What the pointer is at. `count` of several events is more than 1. */
export interface Spot {
  row: Row;
  node: TreeNode;
  kind: string;
  eventRow: number;
  line: number;
  name: string;
  /** Of slices the id of the name, of scheduling the row of the thread; -1 of others. */
  nameId: number;
  count: number;
  /** Start and end in px of the canvas. */
  left: number;
  right: number;
  flags: number;
  value: number | null;
  min: number | null;
  max: number | null;
  /** Values of all series of a stacked counter, in their order; null of others. */
  series: readonly { nameId: number; value: number }[] | null;
  ts: bigint;
  x: number;
  y: number;
}

export interface Mark {
  ts: bigint;
  /** 1 to 9 of a named mark, 0 of others. */
  digit: number;
  isPinned: boolean;
}

/** What undo brings back. */
export interface ViewState {
  open: ReadonlySet<string>;
  hidden: ReadonlySet<string>;
  pins: readonly string[];
  window: TimeWindow;
}

export const colourModes = ['name', 'category', 'process', 'machine', 'file', 'duration'] as const;
export type ColourMode = (typeof colourModes)[number];

export interface Area {
  range: TimeRange;
  /** Keys of the rows; null for all. */
  rows: string[] | null;
}

/** What a filter asks of a track: the words of its title or of a parent's, an event in view, a hit of the search. */
export interface TrackFilter {
  text: string;
  inView: boolean;
  withHits: boolean;
}
