/** Marks of the trace itself: lines of sync points across all tracks, flags of annotations on the axis. */
import { shortened } from '../lib/text';
import { markNear, type TraceMark } from '../lib/trace_marks';
import { xOf } from '../lib/time_window';
import type { Paint } from './paint';
import type { TimelineView } from './view';
import type { Spot } from './view_types';
import type { Row } from './rows';

/** The width of a line across all tracks, in px. */
const lineWidth = 4;
/** Flags have their texts unless more than this many are in sight. */
const fewFlags = 12;

/** Draws the sync points in sight. */
export function drawSyncPoints(g: CanvasRenderingContext2D, view: TimelineView, paint: Paint): void {
  const points = view.own.shownSyncPoints.value;
  if (points.length === 0) return;
  const { width, height } = view.size.value;
  g.fillStyle = paint.token('certain');
  g.globalAlpha = 0.5;
  let last = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const x = Math.round(xOf(view.window.value, width, point.ts));
    if (x < -lineWidth || x > width + lineWidth || x - last < lineWidth) continue;
    last = x;
    g.fillRect(x - lineWidth / 2, 0, lineWidth, height);
  }
  g.globalAlpha = 1;
}

/** Returns the mark within `reach` px of a place. */
function nearest(view: TimelineView, marks: readonly TraceMark[], x: number, reach: number): TraceMark | null {
  if (marks.length === 0) return null;
  const perPx = view.window.value.span / Math.max(1, view.size.value.width);
  return markNear(marks, view.timeAt(x), BigInt(Math.ceil(reach * perPx)));
}

/** Returns the sync point at a place of the tracks, as what the pointer is at. */
export function syncSpot(view: TimelineView, row: Row | null, x: number, y: number): Spot | null {
  const point = nearest(view, view.own.shownSyncPoints.value, x, 3);
  if (!point || !row) return null;
  const left = xOf(view.window.value, view.size.value.width, point.ts);
  return { row, node: row.node, kind: 'sync', eventRow: -1, line: 0, name: point.text, nameId: -1, count: 1, left, right: left + 1, flags: 0, value: null, min: null, max: null, series: null, ts: point.ts, x, y };
}

/** Returns the text of the annotation at a place of the axis; empty without one. */
export const annotationAt = (view: TimelineView, x: number): string => nearest(view, view.own.annotations.value, x, 6)?.text ?? '';

/** Draws the flags of annotations on the lower line of the axis. */
export function drawFlags(g: CanvasRenderingContext2D, view: TimelineView, width: number, height: number, paint: Paint): void {
  const window = view.window.value;
  const shown = view.own.annotations.value.map((mark) => ({ x: Math.round(xOf(window, width, mark.ts)), text: mark.text })).filter(({ x }) => x >= -1 && x <= width);
  g.font = `500 10px ${paint.token('font-ui')}`;
  g.textBaseline = 'middle';
  g.textAlign = 'left';
  shown.forEach(({ x, text }, i) => {
    const room = Math.min(180, (shown[i + 1]?.x ?? width) - x - 14);
    const label = shown.length <= fewFlags && room > 24 ? shortened(text, Math.floor(room / 6)) : '';
    if (label !== '') {
      g.fillStyle = paint.token('bg-panel');
      g.fillRect(x + 1, height / 2, Math.min(room, g.measureText(label).width) + 14, height / 2 - 1);
    }
    g.fillStyle = paint.token('uncertain');
    g.fillRect(x, height / 2 + 2, 1, height / 2 - 2);
    g.beginPath();
    g.moveTo(x, height / 2 + 2);
    g.lineTo(x + 9, height / 2 + 6);
    g.lineTo(x, height / 2 + 10);
    g.fill();
    g.fillStyle = paint.token('text-1');
    g.fillText(label, x + 12, height / 2 + 7, room);
  });
}
