/** Parts of the details that other tables hold: states of the thread during the event, and callstacks. */
import type { JSX } from 'preact';
import { small } from '../api/queries';
import type { EventDetails } from '../api/timeline';
import { lengthText } from '../lib/axis';
import { callsitesOfSlice, framesOf, framesSql, statesOf, statesSql } from '../lib/event_extras';
import { shortened } from '../lib/text';
import type { TimelineView } from '../timeline/view';
import { useLoaded } from '../widgets/loaded';

/** How long the thread of a slice was in each state meanwhile. */
export function ThreadStates({ view, event }: { view: TimelineView; event: EventDetails }): JSX.Element | null {
  const { utid } = event;
  const [from, to] = [BigInt(event.ts), BigInt(event.end)];
  const isAsked = event.kind === 'slice' && utid !== null && to > from;
  const { value } = useLoaded(() => (isAsked && utid !== null ? small(view.trace, statesSql(utid, from, to)) : null), [event.kind, event.row]);
  if (!value || value.rows.length === 0) return null;
  return (
    <dl class="kv states" aria-label="States of the thread meanwhile">
      {statesOf(value.rows).map(({ words, ns }) => (
        <div key={words} class="kv-row"><dt>{shortened(words, 60)}</dt><dd>{lengthText(ns, view.format.value)} <span class="t3">{Math.round((Number(ns) / Number(to - from)) * 100)} %</span></dd></div>
      ))}
    </dl>
  );
}

/** Returns where the callstacks of an event are; null if its kind has none. */
function callsitesOf(event: EventDetails): [string, number | string][] | null {
  if (event.kind === 'slice') return callsitesOfSlice(event.row);
  const site = Number(event.fields.find((f) => f.name === 'callsite_id')?.value ?? NaN);
  return Number.isInteger(site) ? [['sample', site]] : null;
}

const titles: Readonly<Record<string, string>> = { start: 'Stack at its start', end: 'Stack at its end', sample: 'Stack' };

/** The callstacks of an event, the innermost frame first. */
export function Stacks({ view, event }: { view: TimelineView; event: EventDetails }): JSX.Element | null {
  const sites = callsitesOf(event);
  const { value } = useLoaded(() => (sites ? small(view.trace, framesSql(sites)) : null), [event.kind, event.row]);
  const frames = value ? framesOf(value.rows) : [];
  if (frames.length === 0) return null;
  return (
    <>
      {[...new Set(frames.map((f) => f.which))].map((which) => (
        <div key={which} class="stack">
          <h3>{titles[which] ?? which}</h3>
          <ol aria-label={titles[which] ?? which}>
            {frames.filter((f) => f.which === which).map((f, i) => <li key={i} class="cut" title={shortened(f.mapping, 300)}>{shortened(f.name, 120)}</li>)}
          </ol>
        </div>
      ))}
    </>
  );
}
