/** Marks that a trace has itself beside those of the user, and which of them and of its flows are drawn. */
import { computed, signal, type Signal } from '@preact/signals';
import type { TraceMark } from '../lib/trace_marks';

export class OwnMarks {
  /** True if instants of the whole trace and of processes are lines across their tracks. */
  readonly showsMarks = signal(true);
  /** Categories of flows that are not drawn. */
  readonly hiddenFlows: Signal<ReadonlySet<string>> = signal(new Set());
  /** Annotations, in order of time. */
  readonly annotations: Signal<readonly TraceMark[]> = signal([]);
  /** Moments at which clocks were synchronised; loaded when they are shown first. */
  readonly syncPoints: Signal<readonly TraceMark[]> = signal([]);
  readonly showsSync = signal(false);
  readonly shownSyncPoints = computed<readonly TraceMark[]>(() => (this.showsSync.value ? this.syncPoints.value : []));
}
