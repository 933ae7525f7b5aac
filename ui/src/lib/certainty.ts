/** How certain the place of events is. No DOM. */
import { bigOrNull, type Placement } from './report_types';

/** The looks of the design: each has a shape, a word and a colour. */
export type Certainty = 'certain' | 'stated' | 'uncertain' | 'guessed' | 'lost' | 'none';

/** Returns how certain the place of a clock's events is. */
export function certaintyOf(clock: Placement): Certainty {
  if (clock.rule === 'unplaced') return 'lost';
  if (['raw', 'without_time', 'other'].includes(clock.rule)) return 'none';
  const bound = bigOrNull(clock.uncertainty_ns);
  if (clock.rule === 'guessed' || bound === null) return 'guessed';
  if (bound !== 0n) return 'uncertain';
  return clock.rule === 'manifest' ? 'stated' : 'certain';
}
