/** Pairs in the preview of a merge: the slices of a lane that is zoomed in, what was picked, and what it says. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { slicesOf } from '../api/drafts';
import { inRows, xOf, type Lane, type LaneSlice, type Span } from '../lib/preview';
import { exactOffset } from '../lib/offsets';
import { shown } from '../lib/text';
import { counted } from '../lib/units';
import { firstPick, isPicking, pairs, refusal } from '../state/merge_pairs';
import { Icon } from '../widgets/icon';

const mostSlices = 400; // of a lane; with more, it shows the density only
const rowHeight = 10; // px
const top = 3; // px, of the first row
const rows = 4;
const charWidth = 6.2; // px, of the names

/** Returns the slices of a lane in its window; empty while they are many, or if they are not known. `shift`: how far the file moved since the trace was opened, ns. */
export function useSlices(trace: string, row: number | undefined, lane: Lane, span: Span, shift: bigint | null): readonly LaneSlice[] {
  const [slices, setSlices] = useState<readonly LaneSlice[]>([]);
  const events = lane.counts.reduce((a, b) => a + b, 0);
  const isClose = row !== undefined && shift !== null && events > 0 && events <= mostSlices;
  useEffect(() => {
    setSlices([]);
    if (!isClose) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      slicesOf(trace, row, { from: span.from - shift, to: span.to - shift }, mostSlices + 1).then(
        (found) => isCurrent && setSlices(found.length > mostSlices ? [] : found.map((s) => ({ ...s, ts: s.ts + shift }))),
        () => undefined, // the lane shows the density then
      );
    }, 100);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [trace, row, span.from, span.to, shift, isClose]);
  return slices;
}

const endOf = ({ ts, dur }: LaneSlice): bigint => ts + (dur > 0n ? dur : 0n);

/** Returns the slice at a point of a lane, px from its corner; null if none is drawn there. */
export function sliceAt(slices: readonly LaneSlice[], x: number, y: number, span: Span, width: number): LaneSlice | null {
  const found = inRows(slices, rows).find(({ slice, row }) => {
    const left = xOf(slice.ts, span, width);
    return y >= top + row * rowHeight && y < top + (row + 1) * rowHeight && x >= left - 2 && x <= Math.max(xOf(endOf(slice), span, width), left + 2);
  });
  return found?.slice ?? null;
}

export function LaneSlices({ slices, span, width }: { slices: readonly LaneSlice[]; span: Span; width: number }): JSX.Element {
  return (
    <g class="lane-slices">
      {inRows(slices, rows).map(({ slice, row }, i) => {
        const left = Math.max(0, xOf(slice.ts, span, width));
        const right = Math.min(width, xOf(endOf(slice), span, width));
        const letters = Math.floor((right - left - 4) / charWidth);
        const y = top + row * rowHeight;
        return (
          <g key={i}>
            <rect x={left} y={y} width={Math.max(1, right - left)} height={rowHeight - 1} />
            {letters >= 3 && <text x={left + 2} y={y + rowHeight - 2.5}>{shown(slice.name.slice(0, letters))}</text>}
          </g>
        );
      })}
    </g>
  );
}

/** What was picked, and what is to do next. */
export function PairsNote({ nameOf, onEnd }: { nameOf: (file: string) => string; onEnd: () => void }): JSX.Element | null {
  const first = firstPick.value;
  const made = pairs.value;
  if (!isPicking.value) return null;
  const done = made === null ? '' : `${counted(made.points.length, 'pair')} ${made.points.length === 1 ? 'places' : 'place'} ${nameOf(made.file)}. `;
  const next = first === null ? 'Click an event, then the same moment in another lane; or drag from one to the other.' : `${first.name === '' ? 'An event' : first.name} of ${nameOf(first.file)} at ${exactOffset(first.ts)}: click the same moment in another lane.`;
  return (
    <div class="pairs-note" role="group" aria-label="Pairs">
      <span role="status">{shown(done + next)}</span>
      {refusal.value !== '' && <span class="bad" role="alert">{shown(refusal.value)}</span>}
      <button type="button" class="btn ghost icon" aria-label="End picking" title="End picking" onClick={onEnd}><Icon name="close" /></button>
    </div>
  );
}
