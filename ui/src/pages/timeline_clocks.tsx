/** What clocks say in the timeline: the readings at an event, and the strip that says when an order is not certain. */
import { effect, untracked } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { clocksAt, machinePairs, type ClockTime } from '../api/clocks';
import { uncertainOrder } from '../lib/machine_pairs';
import { shown } from '../lib/text';
import { counted, countText, spanText, utcText } from '../lib/units';
import { formatRoute } from '../state/route';
import { layoutRows } from '../timeline/layout';
import type { TimelineView } from '../timeline/view';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';

const mostClocks = 12;

const boundOf = ({ bound, isOwn }: ClockTime): string => (isOwn ? '' : bound === null ? 'no bound' : bound === 0n ? 'exact' : `±${spanText(bound)}`);

/** The raw reading of an event's clock, and the wall clock of each machine at its start. */
export function EventClocks({ view, kind, row }: { view: TimelineView; kind: string; row: number }): JSX.Element | null {
  const { value } = useLoaded(() => clocksAt(view.trace, kind, row), [view.trace, kind, row]);
  if (!value || value.length === 0) return null;
  const several = value.filter((c) => c.isOwn).length > 1;
  return (
    <>
      <h3 class="eyebrow">Clocks at its start</h3>
      <dl class="event-clocks">
        {value.slice(0, mostClocks).map((c) => (
          <div key={`${c.clock} ${c.isOwn}`} class={c.isOwn ? 'own' : ''}>
            <dt class="cut" title={shown(c.label)}>{shown(c.label)}{c.isOwn && <span class="t3"> {several ? 'may be its clock' : 'its own clock'}</span>}</dt>
            <dd class="mono">{c.reading === null ? <span class="t3">not known</span> : c.isOwn ? `${countText(c.reading)} ns` : utcText(c.reading, 9)}</dd>
            <dd class="t2">{c.reading !== null && boundOf(c)}</dd>
          </div>
        ))}
      </dl>
      {value.length > mostClocks && <p class="t3">{counted(value.length - mostClocks, 'more clock')}</p>}
    </>
  );
}

/** Returns the machines of the rows in sight that show events. */
function machinesInSight(view: TimelineView): Set<number> {
  const machines = new Set<number>();
  if (view.size.value.height > 0) {
    layoutRows(view, (row, _y, clipTop, clipBottom) => {
      if (row.node.machine_id !== null && row.layers.length > 0 && clipBottom > clipTop) machines.add(row.node.machine_id);
    });
  }
  return machines;
}

/** Draws the component again when other rows have been in sight for a while, not at each frame of scrolling. */
function useSettledRows(view: TimelineView): void {
  const [, again] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = effect(() => {
      void view.scroll.value;
      void view.rows.value;
      clearTimeout(timer);
      timer = setTimeout(() => again((n) => n + 1), 150);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [view]);
}

/** Says of which shown machines the order of events is not certain in this window. */
export function OrderStrip({ view }: { view: TimelineView }): JSX.Element | null {
  const { value } = useLoaded(() => machinePairs(view.trace), [view.trace]);
  const { span } = view.settledWindow.value;
  useSettledRows(view);
  const found = value && value.length > 0 ? uncertainOrder(value, untracked(() => machinesInSight(view)), span) : null;
  if (!found) return null;
  const { names: [a, b], bound } = found.pair;
  return (
    <a class="order-strip" href={formatRoute({ page: 'clocks', trace: view.trace })} title="Show the clocks" data-testid="order-strip">
      <Icon name={bound === null ? 'guessed' : 'bounded'} small />
      <span>
        {bound === null ? `The order of events of ${shown(a)} and ${shown(b)} is not known: nothing relates their clocks with a bound`
          : `At this zoom the order of events of ${shown(a)} and ${shown(b)} is not certain (±${spanText(bound)})`}
        {found.more > 0 && `, and of ${counted(found.more, 'more pair')} of machines`}
      </span>
    </a>
  );
}
