/** The order of two events: A, which was kept, and B, the selected one. */
import type { JSX } from 'preact';
import type { Brief } from '../api/timeline';
import { exactTime } from '../lib/axis';
import { orderWords, type EventReading } from '../lib/order';
import { shortened, shown } from '../lib/text';
import { countText } from '../lib/units';
import { showEvent } from '../state/timeline';
import type { TimelineView } from '../timeline/view';
import { Icon } from '../widgets/icon';
import { certaintyIcon } from '../widgets/parts';
import { machineHue, OrderPath, OrderPicture } from './order_parts';

/** One of the two: its name, its time, and what its own clock showed. */
function Event({ view, label, event, reading, isLink }: { view: TimelineView; label: string; event: Brief; reading: EventReading | null; isLink: boolean }): JSX.Element {
  const name = shortened(event.name || event.kind, 40);
  const time = exactTime(BigInt(event.ts), view.format.value, view.origin.value);
  return (
    <span class="order-event">
      <b>{label}</b> {isLink ? <button type="button" class="link" onClick={() => void showEvent(view, event)}>{name}</button> : name}{' '}
      <span class="t2" title={`${time} on the timeline`}>{reading ? `${countText(BigInt(reading.reading))} ns, ${shown(reading.clock)}` : time}</span>
    </span>
  );
}

export function OrderSection({ view }: { view: TimelineView }): JSX.Element | null {
  const { order } = view;
  const first = order.first.value;
  const second = view.selection.value;
  if (!first) return null;
  const isSame = order.isOnlyFirst();
  const found = order.found.value;
  const words = found ? orderWords(found) : null;
  return (
    <section aria-label="Order of two events" class="order">
      {words && <div class={`verdict ${words.look}`} role="status"><Icon name={certaintyIcon(words.look)} /><span><b>{words.verdict}.</b> {words.detail}</span></div>}
      {found && second && <OrderPicture found={found} hues={{ a: machineHue(view, first), b: machineHue(view, second) }} width={260} isCompact />}
      {isSame && <p class="t2">Select a second event, B, to see its order to A.</p>}
      {order.error.value !== '' && <p class="bad" role="alert">{shown(order.error.value)}</p>}
      <div class="order-events">
        <Event view={view} label="A" event={first} reading={found?.a ?? null} isLink={!isSame} />
        {second && !isSame && <Event view={view} label="B" event={second} reading={found?.b ?? null} isLink={false} />}
      </div>
      {found && <OrderPath found={found} />}
      <button type="button" class="btn ghost" onClick={() => order.start(null)}>Clear A<kbd>V</kbd></button>
    </section>
  );
}
