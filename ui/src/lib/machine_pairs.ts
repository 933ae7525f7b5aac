/** Whether the order of events of two machines is certain in a window of the timeline. No DOM. */

export interface MachinePair {
  /** Rows of machine. */
  a: number;
  b: number;
  names: readonly [string, string];
  /** Of the distance of their clocks, ns; null: nothing limits the error. */
  bound: bigint | null;
}

export interface Uncertain {
  pair: MachinePair;
  /** Other pairs of which the same holds. */
  more: number;
}

/** A window that is shorter than so many bounds does not show which of two events was first. */
const windows = 4;

/** Returns the least certain of the pairs of shown machines whose order is not certain in a window of `span` ns; null if there is none. */
export function uncertainOrder(pairs: readonly MachinePair[], machines: ReadonlySet<number>, span: number): Uncertain | null {
  const found = pairs.filter(({ a, b, bound }) => machines.has(a) && machines.has(b) && (bound === null || span < windows * Number(bound)));
  const size = ({ bound }: MachinePair): number => (bound === null ? Infinity : Number(bound));
  const [pair] = [...found].sort((x, y) => size(y) - size(x));
  return pair ? { pair, more: found.length - 1 } : null;
}
