/** What stands beside and below the clock graph: the path of a file in words, all edges, contradictions and impossible flows. */
import type { JSX } from 'preact';
import { explain, type FullReport } from '../api/traces';
import { certaintyOfEdge, edgeText } from '../lib/clock_layout';
import type { Clock, ClockGraph, Contradiction, Edge, PlacedClock } from '../lib/clock_types';
import { words } from '../lib/clock_words';
import { below, ruleWords } from '../lib/report';
import { big } from '../lib/report_types';
import { shown, shownLines } from '../lib/text';
import { counted, countText, spanText } from '../lib/units';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';
import { Bound } from '../widgets/parts';

/** The text of `tracebraid check --explain FILE`. */
function Words({ trace, file }: { trace: string; file: string }): JSX.Element {
  const { value, error } = useLoaded(() => explain(trace, file), [trace, file]);
  if (!value && error === '') return <p class="t3">…</p>;
  return <pre class="explain">{shownLines((value?.text ?? error).trimEnd())}</pre>;
}

interface PathProps {
  trace: string;
  graph: ClockGraph;
  clocks: readonly Clock[];
  placed: PlacedClock | undefined;
  folder: number;
  onEdge: (edge: number) => void;
}

/** The clocks from a file's to the timeline, each with the edge that leads on. */
export function PathPanel({ trace, graph, clocks, placed, folder, onEdge }: PathProps): JSX.Element {
  const edgeOf = (a: Clock, b: Clock | undefined): Edge | undefined =>
    b && graph.edges.find((e) => e.isUsed && ((e.from === a.id && e.to === b.id) || (e.from === b.id && e.to === a.id)));
  return (
    <section class="panel" aria-label="Path">
      <div class="panel-h"><h2>Path to the timeline</h2><span class="grow" />{placed && <small>{counted(placed.events, 'event')}, {shown(ruleWords(placed.rule))}</small>}</div>
      <ol class="clock-path">
        {clocks.map((clock, i) => {
          const next = clocks[i + 1];
          const edge = edgeOf(clock, next);
          return (
            <li key={clock.id}>
              <span class="cut strong" title={shown(clock.label)}>{shown(clock.label)}</span>
              {edge && next && (
                <button type="button" class="link hop-edge" onClick={() => onEdge(edge.id)}>
                  <span>{shown(words('source', edge.source))}{edge.observations > 1 ? `, ${countText(edge.observations)}` : ''}</span>
                  <Bound certainty={certaintyOfEdge(edge, clock.machine !== next.machine)} text={edgeText(edge)} quiet />
                </button>
              )}
            </li>
          );
        })}
      </ol>
      {placed && placed.file !== '' && <div class="path-words"><h3 class="eyebrow">{shown(below(placed.file, folder))} in words</h3><Words trace={trace} file={placed.file} /></div>}
    </section>
  );
}

/** All edges, those of paths first. */
interface EdgeTableProps {
  graph: ClockGraph;
  edge: number | null;
  onEdge: (edge: number) => void;
  /** Edges that are switched off; null: none can be. */
  off: readonly number[] | null;
  onSwitch: (edge: number) => void;
}

export function EdgeTable({ graph, edge, onEdge, off, onSwitch }: EdgeTableProps): JSX.Element {
  const byId = new Map(graph.clocks.map((c) => [c.id, c]));
  const most = 500;
  return (
    <section class="panel edge-table" aria-label="Edges">
      <div class="panel-h"><h2>Evidence</h2><small>{countText(graph.usedEdges)} of {counted(graph.allEdges, 'edge')} used</small></div>
      <div class="scroll" tabIndex={0} role="group" aria-label="Edges">
        <table class="t">
          <thead><tr>{off && <th scope="col"><span class="sr">Use</span></th>}<th scope="col">Clocks</th><th scope="col">Source</th><th scope="col" class="num">Seen</th><th scope="col">Within</th></tr></thead>
          <tbody>
            {graph.edges.slice(0, most).map((e) => {
              const [a, b] = [byId.get(e.from), byId.get(e.to)];
              return (
                <tr key={e.id} class={`${e.id === edge ? 'sel' : ''}${off?.includes(e.id) === true ? ' off' : ''}`}>
                  {off && <td><input type="checkbox" checked={!off.includes(e.id)} aria-label={`Use ${shown(a?.label ?? '')} to ${shown(b?.label ?? '')}`} onChange={() => onSwitch(e.id)} /></td>}
                  <td class="two-clocks"><button type="button" class="link cut" onClick={() => onEdge(e.id)} title={shown(`${a?.label ?? ''} → ${b?.label ?? ''}`)}>{shown(a?.label ?? '')} <span aria-hidden="true">→</span> {shown(b?.label ?? '')}</button></td>
                  <td class="t2">{shown(words('source', e.source))}</td>
                  <td class="num">{countText(e.observations)}</td>
                  <td>{off?.includes(e.id) === true ? <span class="t3">off</span> : e.isUsed ? <Bound certainty={certaintyOfEdge(e, a?.machine !== b?.machine)} text={edgeText(e)} quiet /> : <span class="t3">not used</span>}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {graph.allEdges > most && <p class="note t2">{countText(graph.allEdges - most)} more are not listed. SQL has all: <code>SELECT * FROM clock_edge</code></p>}
      </div>
    </section>
  );
}

function Disagreement({ found, graph, folder, onEdge, onMoment }: { found: Contradiction; graph: ClockGraph; folder: number; onEdge: (edge: number) => void; onMoment: (found: Contradiction) => void }): JSX.Element {
  const label = (id: number): string => graph.clocks.find((c) => c.id === id)?.label ?? `clock ${id}`;
  const edge = graph.edges.find((e) => e.kind === found.kind && ((e.from === found.a && e.to === found.b) || (e.from === found.b && e.to === found.a)));
  return (
    <li>
      <span class="tone lost"><Icon name="warning" /></span>
      <div>
        <p>{shown(label(found.a))} and {shown(label(found.b))} disagree by <b>{spanText(found.apart)}</b>; their bounds allow {spanText(found.bound)}.</p>
        <p class="t2">{counted(found.observations, 'moment')}, {shown(words('kind', found.kind))}{found.file !== '' && `, ${shown(below(found.file, folder))}`}{found.byteOffset !== null && ` at byte ${countText(found.byteOffset)}`}</p>
        <dl class="kv"><dt>One path</dt><dd class="cut" title={shown(found.pathA)}>{shown(found.pathA)}</dd><dt>Another</dt><dd class="cut" title={shown(found.pathB)}>{shown(found.pathB)}</dd></dl>
      </div>
      <span class="acts">
        {edge && <button type="button" class="link" onClick={() => onEdge(edge.id)}>Show</button>}
        <button type="button" class="link" title="Show this moment in the timeline" onClick={() => onMoment(found)}>Jump</button>
      </span>
    </li>
  );
}

interface ContradictionsProps {
  graph: ClockGraph;
  report: FullReport | null;
  folder: number;
  onEdge: (edge: number) => void;
  onFlows: () => void;
  onMoment: (found: Contradiction) => void;
}

/** Evidence against the chosen paths. */
export function ContradictionsPanel({ graph, report, folder, onEdge, onFlows, onMoment }: ContradictionsProps): JSX.Element {
  const flows = report?.broken_flows ?? [];
  const isFine = graph.allContradictions === 0 && flows.length === 0;
  return (
    <section class="panel contradictions" aria-label="Contradictions">
      <div class="panel-h"><h2>Contradictions</h2><small>{countText(graph.allContradictions + flows.length)}</small></div>
      <div class="scroll" tabIndex={0} role="group" aria-label="Contradictions">
        {isFine && <p class="fine"><Icon name="check" />No reading and no flow contradicts the paths.</p>}
        <ul>
          {graph.contradictions.slice(0, 200).map((c) => <Disagreement key={c.id} found={c} graph={graph} folder={folder} onEdge={onEdge} onMoment={onMoment} />)}
          {flows.map((f) => (
            <li key={`${f.from} ${f.to}`}>
              <span class="tone lost"><Icon name="flow" /></span>
              <div>
                <p>{shown(f.from)} to {shown(f.to)}: {countText(big(f.violations))} of {counted(big(f.flows), 'flow')} end before they start.</p>
                <p class="t2">Off by at least {spanText(big(f.off_by_at_least_ns))}{f.off_by_at_most_ns === null ? '; nothing limits it' : `, at most ${spanText(big(f.off_by_at_most_ns))}`}.</p>
              </div>
              <button type="button" class="link" onClick={onFlows}>Show</button>
            </li>
          ))}
        </ul>
        {graph.allContradictions > 200 && <p class="note t2">{countText(graph.allContradictions - 200)} more. SQL has all: <code>SELECT * FROM clock_contradiction</code></p>}
      </div>
    </section>
  );
}
