/** The picture of the clock graph: nodes are buttons over curves, so that the keyboard reaches them. */
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ClockGraph } from '../lib/clock_types';
import { labelWidth, layoutOf, nodeHeight, nodeWidth, pathOf, litBy, type GraphLink, type GraphNode } from '../lib/clock_layout';
import { shown } from '../lib/text';
import { counted, countText } from '../lib/units';

interface Props {
  graph: ClockGraph;
  /** Names of machines in the order of their colours. */
  machines: readonly string[];
  /** The clock whose path is lit. */
  clock: number | null;
  /** The edge that is shown. */
  edge: number | null;
  /** Edges that are switched off. */
  off: readonly number[];
  onClock: (clock: number) => void;
  onEdge: (edge: number) => void;
}

const pathText = (link: GraphLink): string => {
  const [a, b, c, d] = link.curve;
  return `M${a.x} ${a.y}C${b.x} ${b.y} ${c.x} ${c.y} ${d.x} ${d.y}`;
};

const lookOf = (link: GraphLink, off: readonly number[]): string => (link.edges.every((e) => off.includes(e.id)) ? 'off' : link.isUsed ? link.certainty : 'unused');

function Node({ node, isLit, machine, onClock }: { node: GraphNode; isLit: boolean; machine: number; onClock: Props['onClock'] }): JSX.Element {
  const first = node.clocks[0];
  return (
    <button type="button" class={`clock-node${isLit ? ' lit' : ''}${node.isGuess ? ' guess' : ''}`} aria-pressed={isLit}
      title={shown(node.clocks.slice(0, 20).map((c) => c.label).join('\n'))}
      style={{ left: `${node.x}px`, top: `${node.y}px`, width: `${nodeWidth}px`, height: `${nodeHeight}px` }} onClick={() => first && onClock(first.id)}>
      {machine >= 0 && <i class={`strip machine-${(machine % 8) + 1}`} />}
      <b class="cut">{shown(node.title)}</b>
      <small class="cut">{shown(node.note)}</small>
    </button>
  );
}

/** What the lines mean. */
function Legend({ path }: { path: string }): JSX.Element {
  const line = (look: string): JSX.Element => <svg width="26" height="6" aria-hidden="true"><path class={`edge ${look}`} d="M1 3h24" /></svg>;
  return (
    <div class="graph-legend">
      <span>{line('certain')}measured or stated</span>
      <span>{line('uncertain')}between machines</span>
      <span>{line('guessed')}guessed</span>
      <span>{line('unused')}not used</span>
      {path !== '' && <span><svg width="26" height="8" aria-hidden="true"><path class="halo" d="M3 4h20" /></svg>path of {path}</span>}
    </div>
  );
}

/** Returns the width of an element, and again when it changes. */
function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => setWidth(element.current?.clientWidth ?? 0);
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  return width;
}

export function ClockPicture({ graph, machines, clock, edge, off, onClock, onEdge }: Props): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  // A graph that is a little too wide is drawn smaller, and one with much room larger; a wider one is scrolled, beginning at the timeline.
  const zoom = useMemo(() => {
    if (width === 0) return 1;
    const least = layoutOf(graph, 0);
    const height = scroller.current?.clientHeight ?? least.height;
    return Math.max(0.78, Math.min(1.4, width / least.width, Math.max(1, height / least.height)));
  }, [graph, width]);
  const layout = useMemo(() => layoutOf(graph, width / zoom), [graph, width, zoom]);
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, [layout]);
  const clocks = useMemo(() => pathOf(graph, clock), [graph, clock]);
  const path = useMemo(() => litBy(layout, clocks), [layout, clocks]);
  const isChosen = (link: GraphLink): boolean => link.edges.some((e) => e.id === edge);
  const first = clocks[0];
  return (
    <section class="graph" aria-label="Clock graph">
      <div class="graph-scroll" ref={scroller} role="group" tabIndex={0} aria-label="Clocks, from the furthest to the timeline">
        <div class="graph-in" style={{ width: `${layout.width}px`, height: `${layout.height}px`, zoom }}>
          {layout.columns.map((c) => <span key={c.text} class="column-head" style={{ left: `${c.x}px`, width: `${nodeWidth}px` }}>{c.text}</span>)}
          {layout.lanes.map((lane) => (
            <div key={lane.machine} class="lane" style={{ top: `${lane.y}px`, height: `${lane.height}px` }}>
              <i class={`strip machine-${(machines.indexOf(lane.machine) % 8) + 1}`} />
              <span class="cut">{shown(lane.machine === '' ? 'no machine' : lane.machine)}</span>
            </div>
          ))}
          <svg class="edges" width={layout.width} height={layout.height} aria-hidden="true">
            {layout.links.filter((l) => path.links.has(l.key)).map((l) => <path key={l.key} class="halo" d={pathText(l)} />)}
            {layout.links.map((l) => <path key={l.key} data-edges={l.edges.map((e) => e.id).join(' ')} class={`edge ${lookOf(l, off)}${isChosen(l) ? ' chosen' : ''}`} d={pathText(l)} />)}
            {layout.links.map((l) => <path key={l.key} class="edge-hit" d={pathText(l)} onClick={() => l.edges[0] && onEdge(l.edges[0].id)} />)}
          </svg>
          {layout.links.map((l) => l.label && (
            <button key={l.key} type="button" class={`edge-label ${lookOf(l, off)}`} aria-pressed={isChosen(l)} title={`${l.edges[0]?.kind ?? ''}: ${counted(l.edges.length, 'edge')}`}
              aria-label={`${shown(l.from.title)} to ${shown(l.to.title)}: ${l.text}`}
              style={{ left: `${l.label.x - labelWidth(l.text) / 2}px`, top: `${l.label.y - 9}px`, width: `${labelWidth(l.text)}px` }}
              onClick={() => l.edges[0] && onEdge(l.edges[0].id)}>{l.text}</button>
          ))}
          {layout.nodes.map((n) => <Node key={n.key} node={n} isLit={path.nodes.has(n.key)} machine={machines.indexOf(n.machine)} onClock={onClock} />)}
        </div>
      </div>
      {layout.hidden > 0 && <p class="note t2">{countText(layout.hidden)} more clocks are not drawn. SQL has all: <code>SELECT * FROM clock</code></p>}
      <Legend path={first ? shown(first.label) : ''} />
    </section>
  );
}
