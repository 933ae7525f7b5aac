/** The order of two events in words, and the range in which the second one is. No DOM. */
import { words } from './clock_words';
import { bigOrNull } from './report_types';
import { spanText } from './units';

/** The clock of an event, and its start as this clock showed it, ns. */
export interface EventReading {
  clock: string;
  reading: string;
}

/** A clock between the two events, and the evidence that leads to the next one. */
export interface OrderStep {
  clock: number;
  label: string;
  /** Row of clock_edge; null at the last clock. */
  edge: number | null;
  source: string;
  bound_ns: string | null;
}

/** An answer of the route /order; times are ns as decimal texts. */
export interface EventOrder {
  order: 'before' | 'after' | 'same' | 'undecided' | 'not_known';
  reason: 'clock' | 'flow' | 'bounds';
  gap_ns: string | null;
  bound_ns: string | null;
  at_most: boolean;
  contradicted: boolean;
  a: EventReading | null;
  b: EventReading | null;
  /** From the clock of A to that of B; empty if both are one clock. */
  path: readonly OrderStep[];
}

export type OrderLook = 'certain' | 'uncertain' | 'guessed';

export interface OrderWords {
  verdict: string;
  detail: string;
  look: OrderLook;
}

const size = (ns: bigint): bigint => (ns < 0n ? -ns : ns);
const signed = (ns: bigint): string => `${ns < 0n ? '−' : ''}${spanText(size(ns))}`;
const units = [[1_000_000_000n, 's'], [1_000_000n, 'ms'], [1000n, 'µs']] as const;

/** Returns a gap and its bound, in one unit if the bound has three decimals in that of the gap: 3.2 ms ± 0.4 ms. */
export function gapText(gap: bigint, bound: bigint | null): string {
  const text = spanText(size(gap));
  if (bound === null || bound === 0n) return text;
  const [unit, name] = units.find(([, n]) => text.endsWith(` ${n}`)) ?? [0n, ''];
  const isFine = unit > 0n && bound < unit && bound % (unit / 1000n) === 0n;
  return `${text} ± ${isFine ? `${Number(bound) / Number(unit)} ${name}` : spanText(bound)}`;
}

/** Returns the step of the path that limits its exactness: the one with the largest bound, or without one. */
export function weakestStep(path: readonly OrderStep[]): OrderStep | null {
  const steps = path.filter((step) => step.edge !== null);
  const free = steps.find((step) => step.bound_ns === null);
  return free ?? steps.reduce<OrderStep | null>((worst, step) => (worst && BigInt(worst.bound_ns ?? 0) >= BigInt(step.bound_ns ?? 0) ? worst : step), null);
}

/** Returns the order of A and B: a verdict, and why. */
export function orderWords(found: EventOrder): OrderWords {
  const gap = bigOrNull(found.gap_ns);
  const bound = bigOrNull(found.bound_ns);
  const apart = gap === null ? '' : gapText(gap, bound);
  const limit = found.at_most ? 'Several clocks are possible; the bound is the largest of theirs.' : '';
  const because = (...reasons: string[]): string => [...reasons, limit].filter((text) => text !== '').join(' ');
  const weakest = weakestStep(found.path);
  const way = weakest ? `By the path over ${words('source', weakest.source)}${bound === null || bound === 0n ? '' : `, ±${spanText(bound)}`}.` : '';
  if (found.order === 'same') return { verdict: 'The same reading', detail: 'One clock showed the same for both.', look: 'certain' };
  if (found.order === 'not_known') return { verdict: 'The order is not known', detail: because('Nothing limits the error between the clocks of A and B.', way), look: 'guessed' };
  if (found.order === 'undecided') {
    const between = gap === null || bound === null ? '' : `B is between ${signed(gap - bound)} and ${signed(gap + bound)} after A.`;
    return { verdict: 'The order is not certain', detail: because(between, way), look: 'uncertain' };
  }
  const verdict = `${found.order === 'before' ? 'A precedes B' : 'B precedes A'}: certain${apart === '' || found.contradicted ? '' : `, ${apart}`}`;
  if (found.reason === 'clock') return { verdict, detail: 'By the readings of one clock.', look: 'certain' };
  if (found.reason === 'bounds') return { verdict, detail: because(way === '' ? 'By the best path between the two clocks.' : way), look: 'certain' };
  const against = found.contradicted ? ` The clocks contradict it: they say ${apart} the other way round.` : '';
  return { verdict, detail: `By a flow that leads from one to the other.${against}`, look: 'certain' };
}

/** Where B is, in ns after A: the usual distance, and its range; null: nothing limits it. */
export interface OrderRange {
  gap: number;
  low: number | null;
  high: number | null;
}

/** Returns the range in which B is after A; null if nothing relates the two. */
export function orderRange(found: EventOrder): OrderRange | null {
  const gap = bigOrNull(found.gap_ns);
  const bound = bigOrNull(found.bound_ns);
  if (gap === null) return null;
  return { gap: Number(gap), low: bound === null ? null : Number(gap - bound), high: bound === null ? null : Number(gap + bound) };
}
