/** The part of a trace that is shown first, if most of the trace is empty: merges span days, their events seconds. */
import type { TreeNode } from '../api/timeline';
import { limited, rangeOf, type TimeRange, type TimeWindow } from '../lib/time_window';

export interface FirstPart {
  range: TimeRange;
  /** Tracks whose events begin outside of the range. */
  outside: number;
}

/** A gap is longer than this part of the shown time. */
const gapShare = 10n;
/** The part has at least this share of the events. */
const leastEvents = 0.4;

interface Stretch {
  from: bigint;
  to: bigint;
  events: number;
  tracks: TreeNode[];
}

/** Returns stretches of tracks between long gaps. A track that lasts until the end of the trace counts where it begins: it did not finish. */
function stretchesOf(tracks: readonly TreeNode[], bounds: TimeRange): Stretch[] {
  const gap = (bounds.to - bounds.from) / gapShare;
  const stretches: Stretch[] = [];
  const starts = tracks.map((track) => ({ track, from: BigInt(track.first_ts ?? 0) }));
  starts.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  for (const { track, from } of starts) {
    const last = BigInt(track.last_ts ?? track.first_ts ?? 0);
    const to = last < bounds.to ? last : from;
    const open = stretches.at(-1);
    if (!open || from - open.to > gap) stretches.push({ from, to, events: Number(track.events), tracks: [track] });
    else {
      if (to > open.to) open.to = to;
      open.events += Number(track.events);
      open.tracks.push(track);
    }
  }
  return stretches;
}

/** Returns the part that has most events, if it is less than a tenth of the trace; null shows the whole trace. */
export function firstPart(nodes: Iterable<TreeNode>, bounds: TimeRange): FirstPart | null {
  const all = [...nodes].filter((n) => n.type === 'track' && n.first_ts !== null && Number(n.events) > 0);
  const whole = all.reduce((sum, n) => sum + Number(n.events), 0);
  let tracks = all;
  let range = bounds;
  for (;;) {
    const stretches = stretchesOf(tracks, range);
    const best = stretches.reduce((a, b) => (b.events > a.events ? b : a), stretches[0] ?? { from: 0n, to: 0n, events: 0, tracks: [] });
    if (best.to <= best.from || best.events < leastEvents * whole || (best.to - best.from) * gapShare > range.to - range.from) break;
    ({ tracks } = best);
    range = { from: best.from, to: best.to };
  }
  return tracks === all && range === bounds ? null : { range, outside: all.length - tracks.length };
}

/** Returns true if a window is not longer than a part, and its middle is within it. */
export function isWithin(window: TimeWindow, part: TimeWindow): boolean {
  const inside = limited(window, rangeOf(part));
  return inside.span === window.span && Math.abs(Number(inside.from - window.from)) <= 1 + 1e-6 * window.span;
}
