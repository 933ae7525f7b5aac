/** Parts of the order of two events, which the timeline and the clock page show: the range in which B is, and the clocks between. */
import type { JSX } from 'preact';
import type { Brief } from '../api/timeline';
import { signed, unitOf } from '../lib/clock_fit';
import { words } from '../lib/clock_words';
import { orderRange, orderWords, type EventOrder } from '../lib/order';
import { shown } from '../lib/text';
import { spanText } from '../lib/units';
import type { TimelineView } from '../timeline/view';

/** Returns the colour number of an event's machine on the timeline, 1 to 8; 0 if none of its rows is shown. */
export function machineHue(view: TimelineView, event: Brief): number {
  const machine = view.tree.nodes.get(event.node)?.machine_id;
  const row = machine === undefined ? undefined : view.rows.value.find((r) => r.node.machine_id === machine);
  return row && row.machine >= 0 ? (row.machine % 8) + 1 : 0;
}

export interface Hues {
  a: number;
  b: number;
}

const height = 62;
const compactHeight = 34;
const middle = 28;
/** Room at both ends for half a number, and between two numbers. */
const side = 46;
const leastBetween = 62;

const dash: Readonly<Record<string, string>> = { uncertain: '5 4', guessed: '1.5 3' };

/** A at zero, B, and the range of B; numbers below, unless it is compact. */
export function OrderPicture({ found, hues, width, isCompact = false }: { found: EventOrder; hues: Hues; width: number; isCompact?: boolean }): JSX.Element | null {
  const range = orderRange(found);
  if (!range) return null;
  const { look, verdict, detail } = orderWords(found);
  const values = [0, range.gap, range.low ?? 0, range.high ?? 0];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (v: number): number => (most === least ? width / 2 : side + ((v - least) / (most - least)) * (width - 2 * side));
  const unit = unitOf(Math.max(...values.map(Math.abs)));
  const numbers: { at: number; text: string }[] = [];
  // What stands closer to a number than it is wide has none; A and B come first.
  for (const [i, v] of [0, range.gap, range.high, range.low].entries()) {
    if (v === null || numbers.some((n) => Math.abs(n.at - x(v)) < leastBetween)) continue;
    numbers.push({ at: x(v), text: i === 0 ? '0' : `${signed(v / unit.size, unit.name === 'ns' ? 0 : 3)} ${unit.name}` });
  }
  const marks = [{ name: 'A', at: x(0), hue: hues.a }, { name: 'B', at: x(range.gap), hue: hues.b }];
  const isClose = Math.abs(x(0) - x(range.gap)) < 14;
  return (
    <svg class={`order-picture ${look}`} width={width} height={isCompact ? compactHeight : height} viewBox={`0 ${isCompact ? 8 : 0} ${width} ${isCompact ? compactHeight : height}`} role="img" aria-label={`${verdict}. ${detail}`}>
      <path class="base" d={`M8 ${middle}H${width - 8}`} />
      {range.low === null || range.high === null ? <rect class="free" x="8" y={middle - 9} width={width - 16} height="18" /> : (
        <>
          <rect class="band" x={x(range.low)} y={middle - 9} width={Math.max(1, x(range.high) - x(range.low))} height="18" />
          <path class="band-edge" d={`M${x(range.low)} ${middle - 11}v22M${x(range.high)} ${middle - 11}v22`} />
        </>
      )}
      <path class="between" d={`M${x(0)} ${middle}H${x(range.gap)}`} stroke-dasharray={dash[look]} />
      <path class={`hue-${hues.a}`} d={`M${x(0)} ${middle - 13}v26`} />
      {marks.map((mark) => <circle key={mark.name} class={`hue-${mark.hue}`} cx={mark.at} cy={middle} r="4.5" />)}
      {isClose && !isCompact ? <text x={(x(0) + x(range.gap)) / 2} y="12">A, B</text> : marks.map((mark) => <text key={mark.name} x={isCompact ? mark.at + (mark === marks[0] === (range.gap >= 0) ? -12 : 12) : mark.at} y={isCompact ? middle + 4 : 12}>{mark.name}</text>)}
      {!isCompact && numbers.map((n) => <text key={n.text} class="number" x={n.at} y={height - 6}>{n.text}</text>)}
    </svg>
  );
}

/** The clocks from that of A to that of B. On the clock page a step opens its edge. */
export function OrderPath({ found, onEdge }: { found: EventOrder; onEdge?: (edge: number) => void }): JSX.Element | null {
  if (found.path.length === 0) return null;
  return (
    <ol class="order-path" aria-label="Clocks from A to B">
      {found.path.map((step, i) => {
        const bound = step.bound_ns === null ? 'no bound' : step.bound_ns === '0' ? 'exact' : `±${spanText(BigInt(step.bound_ns))}`;
        const text = `${words('source', step.source)}, ${bound}`;
        return (
          <li key={i}>
            <span>{shown(step.label)}</span>
            {step.edge !== null && (onEdge
              ? <button type="button" class="link" onClick={() => step.edge !== null && onEdge(step.edge)}>{shown(text)}</button>
              : <span class="t3">{shown(text)}</span>)}
          </li>
        );
      })}
    </ol>
  );
}
