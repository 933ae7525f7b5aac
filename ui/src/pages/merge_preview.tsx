/** The preview of a merge: a lane per file with the density of its events; lanes of files that may be moved are dragged. */
import type { JSX, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ticksOf } from '../lib/axis';
import { placingOf, type Manifest, type Placing } from '../lib/manifest';
import { exactOffset } from '../lib/offsets';
import { apart, marksOf, mobilityOf, movedPlacing, relatedPlacing, snapped, timeOf, wholeSpan, xOf, zoomed, panned, type Lane, type LaneSlice, type Mobility, type Snap, type Span } from '../lib/preview';
import type { Picked } from '../lib/pairs';
import { certaintyOf } from '../lib/certainty';
import { big, bigOrNull, type Report } from '../lib/report_types';
import { below } from '../lib/report';
import { shown } from '../lib/text';
import { counted, offsetText } from '../lib/units';
import { nearestEvent, offered, preview, setSpan, snapFile } from '../state/merge';
import { firstPick, isPicking, pick, setPicking } from '../state/merge_pairs';
import { Icon } from '../widgets/icon';
import { LaneSlices, PairsNote, sliceAt, useSlices } from './merge_pairs';

const height = 46;
const reachPx = 8;
const mostMarks = 60; // of a dragged lane, that the server compares
/** Lanes that are shown at once. */
export const mostLanes = 40;

const notes: Readonly<Record<Mobility, string>> = {
  free: '', timeline: 'is the timeline', clocks: 'has clock snapshots', empty: 'no events with a time',
};

/** Returns the outline of a lane's density: a bar for each bucket with events. */
function barsOf({ buckets, counts }: Lane, scale: number): string {
  const most = Math.max(1, ...counts);
  return buckets.map((bucket, i) => `M${(bucket * scale + scale / 2).toFixed(1)} ${height - 3}v-${(2 + Math.sqrt((counts[i] ?? 0) / most) * (height - 9)).toFixed(1)}`).join('');
}

/** Returns the bound of a file's place, ns: null without one, 0 for exact places. */
function boundOf(report: Report, file: string): bigint | null {
  let bound = 0n;
  for (const p of report.placements) {
    if (p.file !== file || certaintyOf(p) === 'none') continue;
    const own = bigOrNull(p.uncertainty_ns);
    if (own === null) return null;
    if (own > bound) bound = own;
  }
  return bound;
}

interface Picture {
  lane: Lane;
  span: Span;
  width: number;
  bound: bigint | null;
  /** How far it is dragged, and where a suggestion would move it, px. */
  by: number;
  offered: number;
  slices: readonly LaneSlice[];
  /** The event that was picked, or that keys are at; null: none. */
  picked: bigint | null;
}

function LanePicture({ lane, span, width, bound, by, offered: to, slices, picked }: Picture): JSX.Element {
  const { px, shown: at } = preview.value;
  // The lanes of a span that is not loaded yet are those of the last one, moved and stretched.
  const left = xOf(at.from, span, width);
  const scale = (xOf(at.to, span, width) - left) / Math.max(1, px);
  const first = lane.first === null ? 0 : xOf(lane.first, span, width);
  const last = lane.last === null ? 0 : xOf(lane.last, span, width);
  const band = bound === null ? 0 : (Number(bound) / Math.max(1, Number(span.to - span.from))) * width;
  const box = (x: number): JSX.Element => <rect x={x} y="3" width={Math.max(2, last - first + 2)} height={height - 6} rx="1.5" />;
  return (
    <svg width={width} height={height} aria-hidden="true">
      {by !== 0 && <g class="ghost">{box(first - 1)}</g>}
      {to !== 0 && <g class="offered">{box(first + to - 1)}</g>}
      <g transform={by === 0 ? undefined : `translate(${by.toFixed(1)} 0)`}>
        <g class={bound === null ? 'extent guessed' : 'extent'}>{box(first - 1)}</g>
        {slices.length > 0 ? <LaneSlices slices={slices} span={span} width={width} /> : <path class="density" transform={`translate(${left.toFixed(1)} 0)`} d={barsOf(lane, scale)} stroke-width={Math.max(1, Math.min(3, scale * 0.8)).toFixed(1)} />}
        {band >= 1 && [first, last].map((x) => <rect key={x} class="band" x={x - band} y="3" width={2 * band} height={height - 6} />)}
      </g>
      {picked !== null && <path class="picked" d={`M${xOf(picked, span, width).toFixed(1)} 0v${height}`} />}
    </svg>
  );
}

interface Down {
  path: string;
  event: Promise<Picked | null>;
}

interface LaneProps {
  lane: Lane;
  name: string;
  path: string;
  machine: number;
  span: Span;
  width: number;
  isSelected: boolean;
  report: Report;
  placing: Placing;
  nameOf: (file: string) => string;
  trace: string;
  /** Row of trace_file in the trace, and how far the file moved since the trace was opened. */
  row: number | undefined;
  shift: bigint | null;
  /** Where the pointer went down to pick an event. */
  down: RefObject<Down | null>;
  onSelect: () => void;
  onPlace: (placing: Placing) => void;
  onPick: (event: Picked | null) => void;
}

function LaneRow({ lane, name, path, machine, span, width, isSelected, report, placing, nameOf, trace, row, shift, down, onSelect, onPlace, onPick }: LaneProps): JSX.Element {
  const [cursor, setCursor] = useState<bigint | null>(null); // of the keys, while events are picked
  const picks = isPicking.value;
  const slices = useSlices(trace, picks || isSelected ? row : undefined, lane, span, shift);
  const [drag, setDrag] = useState<{ from: number; moved: Snap } | null>(null);
  const mobility = mobilityOf(report, lane.path);
  const hasOwn = (placing.kind === 'offset' || placing.kind === 'points') && placing.own !== undefined; // one of its clocks is related
  const canMove = (mobility === 'free' || hasOwn) && movedPlacing(report, lane.path, placing, 0n, nameOf) !== null;
  const related = mobility === 'clocks' && placing.kind === 'automatic' ? relatedPlacing(report, lane.path, nameOf) : null;
  const by = drag?.moved.by ?? 0n;
  const toOffered = offered.value?.file === lane.path && !drag ? offered.value.by : null;
  const latest = useRef<{ free: bigint } | null>(null); // of the pointer; null: nothing is dragged, or nothing is to snap
  const snap = (from: number, px: number, isFree: boolean): void => {
    const free = timeOf(px, span, width);
    latest.current = isFree ? null : { free };
    if (isFree) return setDrag({ from, moved: { by: free, to: null } });
    const own = marksOf(lane);
    const reach = timeOf(reachPx, span, width);
    // At once what the lanes show, then the exact events that only the server has.
    setDrag({ from, moved: snapped(own, preview.value.lanes.filter((l) => l.path !== lane.path).flatMap(marksOf), free, reach) });
    const asked = latest.current;
    void snapFile(lane.path, free, reach, own.map((m) => m.ts).slice(0, mostMarks)).then((found) => {
      if (found?.to && asked !== null && latest.current === asked) setDrag({ from, moved: found });
    });
    return undefined;
  };
  const place = (ns: bigint): void => {
    const next = ns === 0n ? null : movedPlacing(report, lane.path, placing, ns, nameOf);
    if (next) onPlace(next);
  };
  const eventNear = async (target: bigint, reach: bigint, known = ''): Promise<Picked | null> => {
    const event = await nearestEvent(path, target, reach);
    return event && { file: path, ...event, name: known === '' ? slices.find((s) => s.ts === event.ts)?.name ?? '' : known };
  };
  const eventAt = (e: PointerEvent): Promise<Picked | null> => {
    const { left, top } = (e.currentTarget as Element).getBoundingClientRect();
    const x = e.clientX - left;
    const slice = sliceAt(slices, x, e.clientY - top, span, width);
    return eventNear(slice?.ts ?? span.from + timeOf(x, span, width), timeOf(reachPx, span, width), slice?.name);
  };
  const keyed = (e: KeyboardEvent): void => {
    const direction = e.key === 'ArrowLeft' ? -1n : e.key === 'ArrowRight' ? 1n : 0n;
    if (picks && direction !== 0n) {
      e.preventDefault();
      const next = direction > 0n ? lane.firsts.find((ts) => cursor === null || ts > cursor) : lane.firsts.filter((ts) => cursor === null || ts < cursor).pop();
      return setCursor(next ?? cursor);
    }
    if (picks && e.key === 'Enter' && cursor !== null) return void eventNear(cursor, 0n).then(onPick);
    if (direction === 0n || !canMove) return undefined;
    e.preventDefault();
    const one = e.altKey ? 1n : timeOf(e.shiftKey ? 10 : 1, span, width);
    return place(direction * (one > 0n ? one : 1n));
  };
  const moved = movedPlacing(report, lane.path, placing, by, nameOf);
  const offset = moved?.kind === 'offset' ? exactOffset(moved.offset) : '';
  return (
    <div class={`preview-lane${isSelected ? ' sel' : ''}${drag ? ' dragged' : ''}`} style={{ '--lane': `var(--machine-${machine})` }}>
      <button type="button" class="preview-lane-h" onClick={onSelect} title={shown(path)}><i class={`strip machine-${machine}`} /><span class="cut">{shown(name)}</span>
        {mobility !== 'free' && !hasOwn && <small>{notes[mobility]}</small>}{mobility === 'free' && boundOf(report, lane.path) === null && <small class="guess">guessed</small>}</button>
      <div
        class={picks ? 'preview-lane-body picks' : canMove ? 'preview-lane-body free' : 'preview-lane-body'} role="slider" tabIndex={0} aria-label={`${picks ? 'Event' : 'Place'} of ${shown(path)}`} aria-orientation="horizontal"
        aria-valuenow={picks ? Number(cursor ?? 0n) : moved?.kind === 'offset' ? Number(moved.offset) : 0} aria-valuetext={picks ? (cursor === null ? 'none' : exactOffset(cursor)) : canMove ? offset : notes[mobility] || 'placed by the manifest’s text'} aria-disabled={!picks && !canMove}
        onFocus={() => picks || onSelect()} onKeyDown={keyed}
        onPointerDown={(e) => {
          if (picks && e.button === 0) down.current = { path, event: eventAt(e) };
          if (e.button !== 0 || !canMove || picks) return;
          e.currentTarget.setPointerCapture(e.pointerId);
          setDrag({ from: e.clientX, moved: { by: 0n, to: null } });
        }}
        onPointerMove={(e) => drag && snap(drag.from, e.clientX - drag.from, e.altKey)}
        onPointerUp={(e) => {
          const from = down.current;
          down.current = null;
          if (picks && from !== null) return void (from.path === path ? from.event.then(onPick) : Promise.all([from.event, eventAt(e)]).then((both) => both.includes(null) ? onPick(null) : both.forEach(onPick)));
          latest.current = null;
          if (!drag) return undefined;
          setDrag(null);
          return place(by);
        }}
        onPointerCancel={() => {
          latest.current = null;
          setDrag(null);
        }}
      >
        <LanePicture lane={lane} span={span} width={width} bound={boundOf(report, lane.path)} by={xOf(span.from + by, span, width)} offered={toOffered === null ? 0 : xOf(span.from + toOffered, span, width)} slices={slices} picked={!picks ? null : firstPick.value?.file === path ? firstPick.value.ts : cursor} />
        {drag && <output class="preview-lane-tip">{offset} <span class="t2">moved {offsetText(by)}{drag.moved.to && `, snapped to the ${drag.moved.to.kind === 'event' ? 'events' : drag.moved.to.kind} of ${shown(nameOf(drag.moved.to.file))}`}</span></output>}
      </div>
      {related && isSelected && <button type="button" class="btn relate" title="States where this clock is now, so that the lane can be moved" onClick={() => onPlace(related)}>Relate its {related.own}</button>}
    </div>
  );
}

interface Props {
  report: Report;
  manifest: Manifest | null;
  files: readonly string[];
  machines: readonly string[];
  folder: number;
  file: string;
  nameOf: (file: string) => string;
  /** The open trace, and the rows of its files. */
  trace: string;
  rowOf: (file: string) => number | undefined;
  /** Returns how far a file moved since the trace was opened, ns; null: that is not known. */
  shiftOf: (file: string) => bigint | null;
  onSelect: (file: string) => void;
  onPlace: (file: string, placing: Placing) => void;
  /** Loads the lanes for a width. */
  load: (px: number) => void;
}

export function PreviewPanel({ report, manifest, files, machines, folder, file, nameOf, trace, rowOf, shiftOf, onSelect, onPlace, load }: Props): JSX.Element {
  const down = useRef<Down | null>(null);
  const placingAt = (path: string): Placing => (manifest ? placingOf(manifest, nameOf(path)) : { kind: 'other' });
  const body = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!body.current) return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(body.current);
    return () => observer.disconnect();
  }, []);
  const { span: chosen, lanes } = preview.value;
  const whole = wholeSpan(report);
  const span = chosen ?? whole;
  useEffect(() => {
    const timer = setTimeout(() => load(width), 30);
    return () => clearTimeout(timer);
  }, [width, report, span.from, span.to, files.join('\n')]);
  const zoom = (factor: number, at = 0.5): void => setSpan(zoomed(span, factor, at));
  const wheel = (e: WheelEvent): void => {
    if (!e.ctrlKey && !e.shiftKey) return;
    e.preventDefault();
    if (e.shiftKey) return setSpan(panned(span, timeOf(e.deltaY + e.deltaX, span, width)));
    const at = body.current ? (e.clientX - body.current.getBoundingClientRect().left) / Math.max(1, width) : 0.5;
    return zoom(e.deltaY > 0 ? 1.25 : 0.8, at);
  };
  const ticks = apart(ticksOf({ from: span.from, part: 0, span: Number(span.to - span.from) }, width, 'seconds', { start: big(report.timeline.start_ts), utcOffset: null }, 90), width);
  const machineOf = (path: string): number => (machines.indexOf(report.placements.find((p) => p.file === path)?.machine ?? '') % 8) + 1;
  return (
    <section class="panel preview" aria-label="Preview">
      <div class="panel-h"><h2>Preview</h2><small class="cut">drag a lane to move its file; it snaps to events</small><span class="grow" />
        <button type="button" class="btn" aria-pressed={isPicking.value} title="Two events that are one moment place a file; more pairs give its drift, too" onClick={() => setPicking(!isPicking.value)}><Icon name="link" />Pair events</button>
        <span class="btn-set">
          <button type="button" class="btn icon" aria-label="Zoom out" title="Zoom out" onClick={() => zoom(1.6)}><Icon name="minus" /></button>
          <button type="button" class="btn icon" aria-label="Zoom in" title="Zoom in" onClick={() => zoom(0.625)}><Icon name="plus" /></button>
          <button type="button" class="btn icon" aria-label="Show all" title="Show all" onClick={() => setSpan(null)}><Icon name="fit" /></button>
        </span></div>
      <PairsNote nameOf={nameOf} onEnd={() => setPicking(false)} />
      <div class="preview-lanes scroll" onWheel={wheel} onPointerUpCapture={(e) => (e.target instanceof Element && e.target.closest('.preview-lane-body')) || (down.current = null)}>
        <div class="preview-lane axis" aria-hidden="true"><span class="preview-lane-h" /><div class="preview-lane-body" ref={body}>{ticks.map((t) => <span key={t.x} style={{ left: `${t.x.toFixed(1)}px` }}>{t.text}</span>)}</div></div>
        {width > 0 && lanes.map((lane) => (
          <LaneRow
            key={lane.path} lane={lane} name={below(lane.path, folder)} path={lane.path} machine={machineOf(lane.path)} span={span} width={width} isSelected={lane.path === file} report={report}
            placing={placingAt(lane.path)} nameOf={nameOf} trace={trace} row={rowOf(lane.path)} shift={shiftOf(lane.path)} down={down} onSelect={() => onSelect(lane.path)} onPlace={(placing) => onPlace(lane.path, placing)}
            onPick={(event) => pick(event, { report, placingOf: placingAt, nameOf, file, onPlace })}
          />
        ))}
        {report.placements.length > 0 && files.length === mostLanes && <p class="note t2">The lanes of {counted(mostLanes, 'file')} are shown; choose another file to see it here.</p>}
      </div>
    </section>
  );
}
