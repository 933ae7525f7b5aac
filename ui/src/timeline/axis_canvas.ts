/** The axis: two lines of times, the length of the selection, and the marks. */
import { TickLine, lengthText, timeLabel, tickStep, type AxisFormat, type Tick } from '../lib/axis';
import { xOf } from '../lib/time_window';
import type { Paint } from './paint';
import { drawFlags } from './trace_marks';
import type { TimelineView } from './view';

/** Returns the formats of the two lines: the chosen one, and another beside it. */
export function axisLines(view: TimelineView): [AxisFormat, AxisFormat] {
  const chosen = view.format.value;
  const hasUtc = view.utcOffset.value !== null;
  if ((chosen === 'utc' && !hasUtc) || (chosen === 'clock' && view.clock.value === null)) return ['seconds', 'timecode'];
  if (chosen !== 'utc' && hasUtc) return [chosen, 'utc'];
  return [chosen, chosen === 'seconds' ? 'timecode' : 'seconds'];
}

/** Draws a line of ticks. A label that the right edge or `covered`, a range in px, would cut is left out, because a part of a time is another time. */
export function drawTicks(g: CanvasRenderingContext2D, ticks: readonly Tick[], y: number, width: number, paint: Paint, mono: string, covered: readonly [number, number] = [0, 0]): void {
  g.textBaseline = 'middle';
  g.textAlign = 'left';
  const strong = `600 10.5px ${mono}`;
  const usual = `10.5px ${mono}`;
  let free = 0;
  for (const tick of ticks) {
    g.fillStyle = paint.token(tick.isMajor ? 'line-3' : 'line-2');
    // Below a label that reaches beyond its tick.
    const top = Math.round(tick.x) < free - 4 ? 16 : tick.isMajor ? 3 : 9;
    g.fillRect(Math.round(tick.x), y + top, 1, 18 - top);
    g.font = tick.isMajor ? strong : usual;
    g.fillStyle = paint.token(tick.isMajor ? 'text-1' : 'text-2');
    const x = Math.round(tick.x) + 4;
    if (x < free) continue; // a long label stands here
    if (tick.width === 0) tick.width = g.measureText(tick.text).width;
    if (x + tick.width > width || (x < covered[1] && x + tick.width > covered[0])) continue;
    g.fillText(tick.text, x, y + 9.5);
    free = x + tick.width + 4;
  }
}

interface Bracket {
  left: number;
  right: number;
  text: string;
  middle: number;
  /** What the bracket and its text cover, in px. */
  covered: readonly [number, number];
}

/** Returns the bracket of the area or of the selected event; null if neither is in sight. */
function bracketOf(g: CanvasRenderingContext2D, view: TimelineView, format: AxisFormat, mono: string, width: number): Bracket | null {
  const event = view.selection.value;
  const area = view.area.value?.range;
  const isEvent = event && !event.instant && event.kind !== 'counter';
  if (!area && !isEvent) return null;
  const [from, to] = area ? [area.from, area.to] : [BigInt(event?.ts ?? 0), BigInt(event?.end ?? 0)];
  const text = area ? lengthText(to - from, format) : event?.unfinished ? 'did not finish' : lengthText(BigInt(event?.dur ?? 0), format);
  const [left, right] = [Math.max(-4, xOf(view.window.value, width, from)), Math.min(width + 4, xOf(view.window.value, width, to))];
  if (right < 0 || left > width) return null;
  g.font = `600 10.5px ${mono}`;
  const w = g.measureText(text).width;
  const middle = Math.max(w / 2 + 4, Math.min(width - w / 2 - 4, (left + right) / 2));
  return { left, right, text, middle, covered: [Math.min(left, middle - w / 2 - 3), Math.max(right, middle + w / 2 + 3)] };
}

function drawBracket(g: CanvasRenderingContext2D, { left, right, text, middle, covered }: Bracket, paint: Paint, mono: string): void {
  g.font = `600 10.5px ${mono}`;
  g.fillStyle = paint.token('bg-panel');
  g.fillRect(covered[0], 1, covered[1] - covered[0], 17);
  g.fillStyle = paint.token('accent');
  g.fillRect(left, 15, Math.max(1, right - left), 2);
  g.fillRect(left, 11, 1.5, 6);
  g.fillRect(right - 1.5, 11, 1.5, 6);
  g.fillStyle = paint.token('text-1');
  g.textAlign = 'center';
  g.fillText(text, middle, 8);
  g.textAlign = 'left';
}

/** Returns the ticks of a line of the axis, until the next call for the same line. */
export const ticksFor = (line: TickLine, view: TimelineView, format: AxisFormat): Tick[] => line.of(view.window.value, view.size.value.width, format, view.origin.value, format === 'raw' ? 120 : 64);

const secondLine = new TickLine();

/** Draws the axis into a canvas of CSS size `width` x `height`; `ticks` are those of the first line. */
export function drawAxis(g: CanvasRenderingContext2D, view: TimelineView, ticks: readonly Tick[], width: number, height: number, paint: Paint): void {
  g.clearRect(0, 0, width, height);
  const mono = paint.token('font-mono');
  const [first, second] = axisLines(view);
  const bracket = bracketOf(g, view, first, mono, width);
  drawTicks(g, ticks, 0, width, paint, mono, bracket?.covered);
  drawTicks(g, ticksFor(secondLine, view, second), height / 2, width, paint, mono);
  drawFlags(g, view, width, height, paint);
  if (bracket) drawBracket(g, bracket, paint, mono);
  const window = view.window.value;
  for (const mark of view.marks.value) {
    const x = Math.round(xOf(window, width, mark.ts));
    if (x < -1 || x > width) continue;
    const text = mark.digit > 0 ? String(mark.digit) : '';
    g.fillStyle = paint.token('accent-solid');
    g.fillRect(x, height / 2, 1, height / 2);
    g.fillRect(x, height / 2, text === '' ? 6 : 12, 12);
    g.fillStyle = paint.token('on-accent');
    g.font = `500 10px ${paint.token('font-ui')}`;
    g.fillText(text, x + 3, height / 2 + 6);
  }
  const pointer = view.pointer.value;
  if (!pointer || view.area.value) return;
  // The time under the pointer, in the chosen format.
  const text = timeLabel(view.timeAt(pointer.x), first, view.origin.value, tickStep(window.span / Math.max(1, width)));
  g.font = `500 10.5px ${mono}`;
  const w = g.measureText(text).width + 8;
  const x = Math.max(0, Math.min(width - w, pointer.x - w / 2));
  g.fillStyle = paint.token('bg-active');
  g.fillRect(x, height - 17, w, 16);
  g.fillStyle = paint.token('text-1');
  g.fillText(text, x + 4, height - 8.5);
}
