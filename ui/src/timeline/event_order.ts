/** The order of two events: A, which the user kept, and B, the selected one. */
import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import * as api from '../api/timeline';
import type { Brief, EventKey } from '../api/timeline';
import type { EventOrder } from '../lib/order';

const isSame = (a: EventKey, b: EventKey): boolean => a.kind === b.kind && a.row === b.row;

export class OrderOfTwo {
  /** A; null while no order is wanted. */
  readonly first: Signal<Brief | null> = signal(null);
  readonly found: Signal<EventOrder | null> = signal(null);
  readonly error = signal('');

  constructor(
    private readonly trace: string,
    private readonly second: ReadonlySignal<Brief | null>,
    private readonly changed: () => void,
  ) {}

  /** Keeps an event as A, so that its order to the selected one is shown; null ends that. */
  start(event: Brief | null): void {
    this.first.value = event;
    void this.find();
  }

  /** Whether the selected event is A itself. */
  isOnlyFirst(): boolean {
    const [a, b] = [this.first.value, this.second.value];
    return a !== null && b !== null && isSame(a, b);
  }

  /** Asks for the order of A and the selected event. */
  async find(): Promise<void> {
    const [a, b] = [this.first.value, this.second.value];
    batch(() => {
      this.found.value = null;
      this.error.value = '';
    });
    if (!a || !b || isSame(a, b)) return this.changed();
    const isCurrent = (): boolean => this.first.value === a && this.second.value === b;
    try {
      const order = await api.order(this.trace, a, b);
      if (isCurrent()) this.found.value = order;
    } catch (error) {
      if (isCurrent()) this.error.value = error instanceof Error ? error.message : String(error);
    }
    this.changed();
  }
}
