/** Picking pairs of events in the preview of a merge: two events that are one moment place a file. */
import { signal } from '@preact/signals';
import type { Placing } from '../lib/manifest';
import { canPair, withPair, type Pairs, type Picked } from '../lib/pairs';
import type { Report } from '../lib/report_types';

/** Whether a click in a lane picks an event instead of moving the lane. */
export const isPicking = signal(false);
/** The first event of a pair. */
export const firstPick = signal<Picked | null>(null);
/** The pairs that were picked last. */
export const pairs = signal<Pairs | null>(null);
/** Why the last pick did nothing; empty: it did something. */
export const refusal = signal('');

export function setPicking(isOn: boolean): void {
  isPicking.value = isOn;
  firstPick.value = null;
  refusal.value = '';
}

/** Forgets what was picked. */
export function forgetPairs(): void {
  setPicking(false);
  pairs.value = null;
}

interface Place {
  report: Report;
  placingOf: (file: string) => Placing;
  nameOf: (file: string) => string;
  /** The file whose form is shown, which is the one that is moved if it can be. */
  file: string;
  onPlace: (file: string, placing: Placing) => void;
}

/** Takes an event; the second one of another file makes a pair with the first, which places one of the two files. */
export function pick(event: Picked | null, { report, placingOf, nameOf, file, onPlace }: Place): void {
  const first = firstPick.peek();
  refusal.value = event === null ? 'There is no event near it.' : '';
  if (event === null) return;
  if (first === null || first.file === event.file) {
    firstPick.value = event;
    return;
  }
  firstPick.value = null;
  const both = first.file === file ? [first, event] as const : event.file === file ? [event, first] as const : [first, event] as const;
  const movable = [both, [both[1], both[0]] as const].find(([each]) => canPair(report, each.file, placingOf(each.file)));
  if (!movable) {
    refusal.value = 'Both files are held by their clock snapshots. Relate a clock of one of them first.';
    return;
  }
  const [moved, fixed] = movable;
  const made = withPair(report, placingOf(moved.file), moved, fixed, pairs.peek(), nameOf);
  if (typeof made === 'string') {
    refusal.value = made;
    return;
  }
  pairs.value = made;
  onPlace(moved.file, made.placing);
}
