/** Above the tracks: minimap with its legend of machines, and the axis with what its times are. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { exactTime, type AxisFormat } from '../lib/axis';
import { shown } from '../lib/text';
import { spanText, utcText } from '../lib/units';
import { currentReport } from '../state/status';
import { axisLines } from '../timeline/axis_canvas';
import { annotationAt } from '../timeline/trace_marks';
import { minimapNodes, minimapWindow } from '../timeline/minimap';
import { limited, moved, rangeOf, type TimeWindow } from '../lib/time_window';
import type { TimelineView } from '../timeline/view';
import { titleParts } from './timeline_tree';

/** The canvases that follow each drawn frame. */
export interface HeadCanvases {
  bands: HTMLCanvasElement | null;
  frame: HTMLCanvasElement | null;
  axis: HTMLCanvasElement | null;
}

function axisWords(view: TimelineView, format: AxisFormat): string {
  const timeline = currentReport.value?.timeline;
  if (format === 'utc') {
    const offset = view.utcOffset.value;
    return offset === null ? 'UTC' : `UTC, ${utcText(view.settledWindow.value.from + offset, 0).slice(0, 10)}`;
  }
  const { clock } = view.origin.value;
  if (format === 'clock' && clock) {
    const bound = clock.bound === null ? 'no bound' : clock.bound === 0n ? 'exact' : `±${spanText(clock.bound)}`;
    const date = clock.isWall ? `, ${utcText(view.settledWindow.value.from + clock.offset, 0).slice(0, 10)}` : '';
    return `${shown(clock.label)}${date}, ${bound}`;
  }
  if (format === 'raw') return timeline && timeline.clock !== '' ? `${shown(timeline.clock)} of ${shown(timeline.machine)}, ns` : 'trace time, ns';
  return format === 'timecode' ? 'h:m:s from the start' : 'seconds from the start';
}

/** Drag moves the window, its edges resize it, a click outside centres it there. */
function followMinimap(canvas: HTMLElement, view: TimelineView): () => void {
  const abort = new AbortController();
  // What the minimap shows stays the same during a drag.
  let drag: { kind: 'move' | 'left' | 'right'; x: number; shown: TimeWindow } | null = null;
  const place = (window: TimeWindow, shown: TimeWindow): void => view.setWindow(limited(window, rangeOf(shown)));
  const edges = (): [number, number] => {
    const whole = minimapWindow(view);
    const width = canvas.clientWidth;
    const left = ((Number(view.window.value.from - whole.from) + view.window.value.part) / whole.span) * width;
    return [left, left + (view.window.value.span / whole.span) * width];
  };
  const kindAt = (x: number): 'move' | 'left' | 'right' => {
    const [left, right] = edges();
    if (Math.abs(x - left) < 5 && right - left > 12) return 'left';
    return Math.abs(x - right) < 5 && right - left > 12 ? 'right' : 'move';
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    const x = event.offsetX;
    const [left, right] = edges();
    const shown = minimapWindow(view);
    const perPx = shown.span / Math.max(1, canvas.clientWidth);
    drag = { kind: kindAt(x), x, shown };
    if (drag.kind === 'move' && (x < left || x > right)) place(moved(view.window.value, (x - (left + right) / 2) * perPx), shown);
  }, { signal: abort.signal });
  canvas.addEventListener('pointermove', (event) => {
    canvas.style.cursor = drag ? 'grabbing' : kindAt(event.offsetX) === 'move' ? 'grab' : 'ew-resize';
    if (!drag) return;
    const { shown } = drag;
    const ns = (event.offsetX - drag.x) * (shown.span / Math.max(1, canvas.clientWidth));
    drag.x = event.offsetX;
    const window = view.window.value;
    if (drag.kind === 'move') place(moved(window, ns), shown);
    else if (drag.kind === 'left') place({ ...moved(window, Math.min(ns, window.span - 8)), span: Math.max(8, window.span - ns) }, shown);
    else place({ ...window, span: Math.max(8, window.span + ns) }, shown);
  }, { signal: abort.signal });
  const stop = (): void => {
    drag = null;
  };
  canvas.addEventListener('pointerup', stop, { signal: abort.signal });
  canvas.addEventListener('pointercancel', stop, { signal: abort.signal });
  canvas.addEventListener('dblclick', () => view.fitTrace(), { signal: abort.signal });
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    view.zoom(Math.exp(Math.max(-120, Math.min(120, event.deltaY)) * 0.004));
  }, { signal: abort.signal, passive: false });
  return () => abort.abort();
}

export function TimelineHead({ view, canvases }: { view: TimelineView; canvases: HeadCanvases }): JSX.Element {
  const frame = useRef<HTMLCanvasElement>(null);
  useEffect(() => (frame.current ? followMinimap(frame.current, view) : undefined), [view]);
  void view.treeVersion.value;
  const nodes = minimapNodes(view);
  const others = view.tree.children(null).length - nodes.length;
  const [first, second] = axisLines(view);
  const timeline = currentReport.value?.timeline;
  return (
    <>
      <div class="mini">
        <div class={nodes.length > 3 ? 'many' : ''}>
          {nodes.map((node, i) => (
            <span key={node.node} class="cut"><i class={`sw machine-${(i % 8) + 1}`} /><span class="cut">{titleParts(shown(node.title)).name}</span>{i === nodes.length - 1 && others > 0 && <span class="t3">and {others} more</span>}</span>
          ))}
        </div>
        <div class="canvas-box">
          <canvas ref={(e) => void (canvases.bands = e)} aria-hidden="true" />
          <canvas ref={(e) => {
            frame.current = e;
            canvases.frame = e;
          }} role="img" aria-label="The whole trace: activity of each machine, and the shown time" data-testid="minimap" />
        </div>
      </div>
      <div class="axis">
        <div>
          <span title={`Times: ${axisWords(view, first)}. U changes the format.`}><span class="cut">{axisWords(view, first)}</span></span>
          <span><span class="cut">{axisWords(view, second)}</span>{timeline && timeline.clock !== '' && <span class="t3 cut clock" title={`The timeline is ${timeline.clock} of ${timeline.machine}.`}>{shown(timeline.clock)}</span>}</span>
        </div>
        <div class="canvas-box"><canvas ref={(e) => void (canvases.axis = e)} role="img" onPointerMove={(e) => (e.currentTarget.title = shown(annotationAt(view, e.offsetX)))} aria-label={`Axis from ${exactTime(view.settledWindow.value.from, first, view.origin.value)}`} /></div>
      </div>
    </>
  );
}
