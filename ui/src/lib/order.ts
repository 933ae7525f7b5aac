/** The order of two events in words. No DOM. */
import { bigOrNull } from './report_types';
import { spanText } from './units';

/** The clock of an event, and its start as this clock showed it, ns. */
export interface EventReading {
  clock: string;
  reading: string;
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
}

export type OrderLook = 'certain' | 'uncertain' | 'guessed';

export interface OrderWords {
  verdict: string;
  detail: string;
  look: OrderLook;
}

const size = (ns: bigint): bigint => (ns < 0n ? -ns : ns);
const signed = (ns: bigint): string => `${ns < 0n ? '−' : ''}${spanText(size(ns))}`;

/** Returns the order of A and B: a verdict, and why. */
export function orderWords(found: EventOrder): OrderWords {
  const gap = bigOrNull(found.gap_ns);
  const bound = bigOrNull(found.bound_ns);
  const apart = gap === null ? '' : `${spanText(size(gap))}${bound === null || bound === 0n ? '' : ` ± ${spanText(bound)}`}`;
  const limit = found.at_most ? 'Several clocks are possible; the bound is the largest of theirs.' : '';
  const because = (reason: string): string => [reason, limit].filter((text) => text !== '').join(' ');
  if (found.order === 'same') return { verdict: 'The same reading', detail: 'One clock showed the same for both.', look: 'certain' };
  if (found.order === 'not_known') return { verdict: 'The order is not known', detail: because('Nothing limits the error between the clocks of A and B.'), look: 'guessed' };
  if (found.order === 'undecided') {
    const between = gap === null || bound === null ? '' : `B is between ${signed(gap - bound)} and ${signed(gap + bound)} after A.`;
    return { verdict: 'The order is not certain', detail: because(between), look: 'uncertain' };
  }
  const verdict = `${found.order === 'before' ? 'A precedes B' : 'B precedes A'}: certain${apart === '' || found.contradicted ? '' : `, ${apart}`}`;
  if (found.reason === 'clock') return { verdict, detail: 'By the readings of one clock.', look: 'certain' };
  if (found.reason === 'bounds') return { verdict, detail: because('By the best path between the two clocks.'), look: 'certain' };
  const against = found.contradicted ? ` The clocks contradict it: they say ${apart} the other way round.` : '';
  return { verdict, detail: `By a flow that leads from one to the other.${against}`, look: 'certain' };
}
