/** The clock that the axis shows beside trace time: its readings follow the window. */
import { effect } from '@preact/signals';
import { clockReading, machineClocks } from '../api/clocks';
import { ApiError } from '../api/http';
import type { TimelineView } from '../timeline/view';

/** Shows a clock on the axis by its label; an empty one shows none. */
export function showClock(view: TimelineView, label: string): void {
  view.axisClock.value = label;
  view.format.value = label === '' ? 'seconds' : 'clock';
}

/** Asks for the reading of the chosen clock in the middle of the window, and again when the window has settled elsewhere. The newest answer wins. */
export function followClock(view: TimelineView): () => void {
  let asked = 0;
  return effect(() => {
    const label = view.axisClock.value;
    const { from, span } = view.settledWindow.value;
    asked += 1;
    const mine = asked;
    if (label === '') {
      if (view.clock.peek() !== null) view.clock.value = null;
      return;
    }
    const ts = from + BigInt(Math.round(span / 2));
    const load = async (): Promise<void> => {
      const clock = (await machineClocks(view.trace)).find((c) => c.label === label);
      const at = clock ? await clockReading(view.trace, ts, clock.clock) : null;
      if (mine !== asked) return;
      view.clock.value = clock && at?.reading != null ? { label, offset: at.reading - ts, bound: at.bound, isWall: clock.name.startsWith('REALTIME') } : null;
    };
    load().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      if (mine === asked) view.clock.value = null; // the trace was closed
    });
  });
}
