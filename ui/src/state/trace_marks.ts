/** Loads the marks that a trace has itself: annotations at once, sync points when they are shown. */
import { effect } from '@preact/signals';
import { small } from '../api/queries';
import { factsOf, factsSql, syncPointsOf, syncSql, type TraceFacts } from '../lib/trace_marks';
import type { TimelineView } from '../timeline/view';

/** Loads the annotations of a trace. Returns null if the server does not answer: the timeline works without them. */
export async function loadFacts(view: TimelineView): Promise<TraceFacts | null> {
  try {
    const facts = factsOf((await small(view.trace, factsSql)).rows);
    view.own.annotations.value = facts.annotations;
    return facts;
  } catch {
    return null;
  }
}

/** Loads the sync points the first time that they are shown. */
export function followSyncPoints(view: TimelineView): () => void {
  let isAsked = false;
  return effect(() => {
    if (!view.own.showsSync.value || isAsked) return;
    isAsked = true;
    small(view.trace, syncSql).then(({ rows }) => (view.own.syncPoints.value = syncPointsOf(rows)), () => (isAsked = false));
  });
}
