/** What the bar of the page holds for the timeline: the search, the shown time, zoom, options. */
import type { JSX } from 'preact';
import { currentView } from '../state/timeline';
import { Icon } from '../widgets/icon';
import { TimelineTime } from './timeline';
import { Omni } from './timeline_omni';
import { TimelineOptions } from './timeline_options';

export function TimelineBar(): JSX.Element | null {
  const view = currentView.value;
  return view?.phase.value === 'ready' ? <Omni key={view.trace} view={view} /> : null;
}

export function TimelineTools(): JSX.Element | null {
  const view = currentView.value;
  if (view?.phase.value !== 'ready') return null;
  return (
    <>
      <TimelineTime view={view} />
      <button type="button" class="btn ghost icon" aria-label="Zoom out" title="Zoom out (S)" onClick={() => view.zoom(1.5)}><Icon name="minus" /></button>
      <button type="button" class="btn ghost icon" aria-label="Zoom in" title="Zoom in (W)" onClick={() => view.zoom(1 / 1.5)}><Icon name="plus" /></button>
      <button type="button" class="btn ghost icon" aria-label="Show the whole trace" title="Show the whole trace" onClick={() => view.fitTrace()}><Icon name="fit" /></button>
      <TimelineOptions view={view} />
    </>
  );
}
