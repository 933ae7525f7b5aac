/** The order of the two events that are chosen in the timeline, with the clocks between them, on the clock page. */
import type { JSX } from 'preact';
import { exactTime } from '../lib/axis';
import { orderWords } from '../lib/order';
import { shortened, shown } from '../lib/text';
import { countText } from '../lib/units';
import { formatRoute } from '../state/route';
import { currentView } from '../state/timeline';
import { Bound } from '../widgets/parts';
import { machineHue, OrderPath, OrderPicture } from './order_parts';

const short = { certain: 'certain', uncertain: 'not certain', guessed: 'not known' } as const;

export function OrderPanel({ trace, onEdge }: { trace: string; onEdge: (edge: number) => void }): JSX.Element {
  const view = currentView.value;
  const [first, second, found] = [view?.order.first.value ?? null, view?.selection.value ?? null, view?.order.found.value ?? null];
  const words = found ? orderWords(found) : null;
  const hues = view && first && second ? { a: machineHue(view, first), b: machineHue(view, second) } : { a: 0, b: 0 };
  const events = view && found && first && second ? [
    { label: 'A', event: first, reading: found.a, hue: hues.a }, { label: 'B', event: second, reading: found.b, hue: hues.b },
  ] : [];
  return (
    <section class="panel order-panel" aria-label="Order of two events">
      <div class="panel-h"><h2>Order of A and B</h2><span class="grow" />{words && <Bound certainty={words.look} text={short[words.look]} />}</div>
      <div class="scroll" tabIndex={0} role="group" aria-label="Order of A and B">
        {!found && (
          <p class="note t2">
            {first ? 'A is chosen. Select a second event, B, in the ' : 'Select an event in the '}<a href={formatRoute({ page: 'timeline', trace })}>timeline</a>
            {first ? '.' : ', press V, and select another one: this says which was first, how certain that is, and by which clocks.'}
          </p>
        )}
        {view && found && words && (
          <>
            <ul class="order-two">
              {events.map(({ label, event, reading, hue }) => (
                <li key={label}>
                  <i class={`sw hue-${hue}`} /><b>{label}</b><span class="cut" title={shown(reading?.clock ?? '')}>{shortened(event.name || event.kind, 60)} <span class="t3">{shown(reading?.clock ?? '')}</span></span>
                  <span class="mono" title={reading ? `${countText(BigInt(reading.reading))} ns on its own clock` : ''}>{exactTime(BigInt(event.ts), view.format.value, view.origin.value)}</span>
                </li>
              ))}
            </ul>
            <p class="order-words"><b>{words.verdict}.</b> {words.detail}</p>
            <OrderPicture found={found} hues={hues} width={340} />
            <OrderPath found={found} onEdge={onEdge} />
          </>
        )}
      </div>
    </section>
  );
}
