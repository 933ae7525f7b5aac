/** The clock graph as the page has it: clocks, evidence and contradictions of the routes of clocks, and rows of placement. */

export interface Clock {
  id: number;
  name: string;
  label: string;
  machine: string;
  /** The file that a private clock belongs to; empty for clocks of a machine. */
  file: string;
  isPrivate: boolean;
  sequence: number | null;
  readings: number;
  segments: number;
  /** The next clock on the way to the timeline. */
  next: number | null;
  nextKind: string;
}

export interface Edge {
  id: number;
  from: number;
  to: number;
  kind: string;
  source: string;
  observations: number;
  /** Bound of one observation in ns; null: none. */
  bound: bigint | null;
  file: string;
  byteOffset: bigint | null;
  isUsed: boolean;
}

/** A clock of events in a file. */
export interface PlacedClock {
  clock: number;
  file: string;
  rule: string;
  events: bigint;
  bound: bigint | null;
}

export interface Contradiction {
  id: number;
  a: number;
  b: number;
  kind: string;
  observations: number;
  apart: bigint;
  bound: bigint;
  readingA: bigint;
  readingB: bigint;
  pathA: string;
  pathB: string;
  file: string;
  byteOffset: bigint | null;
}

export interface ClockGraph {
  clocks: Clock[];
  edges: Edge[];
  placed: PlacedClock[];
  contradictions: Contradiction[];
  /** Rows of the tables, of which very long ones are cut. */
  allClocks: number;
  allEdges: number;
  usedEdges: number;
  allContradictions: number;
}

/** What the map of an edge gives for a reading of its first clock, ns. */
export interface MapPoint {
  from: bigint;
  bound: bigint | null;
  /** Null: the map refuses the reading. */
  mapped: bigint | null;
  /** Trace time of `from`. */
  ts: bigint | null;
}

/** Readings of the two clocks of an edge at one moment, ns; the bound is that of the observation. */
export interface Reading extends MapPoint {
  to: bigint;
  /** Where a file has the observation: the file's row, and its offset in bytes; null or absent for what is derived. */
  file?: number | null;
  byteOffset?: bigint | null;
}

export interface Readings {
  model: string;
  total: number;
  observations: Reading[];
  curve: MapPoint[];
}
