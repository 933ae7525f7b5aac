/** The clock page: how the clocks are related, by what and how exactly, and what contradicts it. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { clockGraph, timeOf } from '../api/clocks';
import { errorText } from '../api/http';
import type { TraceInfo } from '../api/traces';
import { hopsOf, pathOf } from '../lib/clock_layout';
import type { ClockGraph, Contradiction, PlacedClock } from '../lib/clock_types';
import { below, commonFolder, machinesOf } from '../lib/report';
import { shown } from '../lib/text';
import { counted, countText } from '../lib/units';
import { current, generation } from '../state/app';
import { notify } from '../state/notices';
import { formatRoute, go } from '../state/route';
import { addTab } from '../state/sql';
import { currentReport, pageStatus } from '../state/status';
import { currentView } from '../state/timeline';
import { beginWhatIf, endWhatIf, toggleEdge, whatIf } from '../state/what_if';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';
import { EdgePanel } from './clocks_edge';
import { ClockPicture } from './clocks_graph';
import { OrderPanel } from './clocks_order';
import { ContradictionsPanel, EdgeTable, PathPanel } from './clocks_side';
import { WhatIfPanel } from './clocks_what_if';

const flowsSql = `SELECT v.start_ts, v.end_ts, v.off_by_at_least_ns, o.name AS from_slice, i.name AS to_slice, v.slice_out, v.slice_in
FROM flow_violation v
JOIN slice o ON o.id = v.slice_out
JOIN slice i ON i.id = v.slice_in
ORDER BY v.off_by_at_least_ns DESC;`;

/** Returns the clock whose path is shown first: the placed one with the most hops, and of these the most events. */
function furthest(graph: ClockGraph): number | null {
  const all = hopsOf(graph);
  const hops = (p: PlacedClock): number => all.get(p.clock) ?? 0;
  const [first] = [...graph.placed].sort((a, b) => hops(b) - hops(a) || Number(b.events - a.events));
  return first?.clock ?? null;
}

/** Length of the window in which a moment is shown, of the distance by which clocks disagree there, and at least, ns. */
const windowOfApart = 20n;
const leastWindow = 100_000n;

/** Opens the timeline where two clocks disagree, with a mark at the moment. */
async function showMoment(trace: string, graph: ClockGraph, found: Contradiction): Promise<void> {
  const ends = new Set([...hopsOf(graph)].filter(([, hops]) => hops === 0).map(([clock]) => clock));
  const [end] = ends;
  if (end === undefined) return;
  try {
    const ts = (await timeOf(trace, found.a, found.readingA, end)) ?? (await timeOf(trace, found.b, found.readingB, end));
    const view = currentView.peek();
    if (ts === null || !view) return notify('Nothing places the clock at this moment.');
    const length = found.apart * windowOfApart > leastWindow ? found.apart * windowOfApart : leastWindow;
    view.marks.value = [...view.marks.value.filter((m) => m.isPinned || m.digit > 0), { ts, digit: 0, isPinned: false }];
    view.setWindow({ from: ts - length / 2n, part: 0, span: Number(length) });
    go('timeline', trace);
  } catch (error) {
    notify(errorText(error));
  }
}

function PathChoice({ graph, clock, folder, onClock }: { graph: ClockGraph; clock: number | null; folder: number; onClock: (clock: number) => void }): JSX.Element {
  const label = (id: number): string => graph.clocks.find((c) => c.id === id)?.label ?? '';
  const placed = graph.placed.slice(0, 2000);
  return (
    <label class="path-choice">
      <span class="t2">Path of</span>
      <select class="select" value={clock ?? ''} onChange={(e) => onClock(Number(e.currentTarget.value))}>
        {!placed.some((p) => p.clock === clock) && <option value={clock ?? ''}>{clock === null ? 'no clock' : shown(label(clock))}</option>}
        {placed.map((p, i) => <option key={i} value={p.clock}>{shown(p.file === '' ? label(p.clock) : `${below(p.file, folder)}: ${label(p.clock)}`)}</option>)}
      </select>
    </label>
  );
}

function Content({ info, graph }: { info: TraceInfo; graph: ClockGraph }): JSX.Element {
  const { trace } = info;
  const [clock, setClock] = useState<number | null>(() => furthest(graph));
  const [edge, setEdge] = useState<number | null>(null);
  const path = useMemo(() => pathOf(graph, clock), [graph, clock]);
  const report = currentReport.value;
  const machines = report ? machinesOf(report) : [...new Set(graph.clocks.map((c) => c.machine))];
  const folder = commonFolder([...new Set(graph.placed.map((p) => p.file).filter((f) => f !== ''))]);
  const chosen = graph.edges.find((e) => e.id === edge);
  const asked = whatIf.value;
  useEffect(() => endWhatIf, []);
  const onClock = (next: number): void => {
    setClock(next);
    setEdge(null);
  };
  const showFlows = (): void => {
    addTab(flowsSql, 'impossible flows');
    go('sql', trace);
  };
  return (
    <>
      <div class="page-h">
        <h1>Clocks</h1>
        <span class="chip">{counted(graph.allClocks, 'clock')}</span>
        <span class="chip">{counted(graph.allEdges, 'edge')}, {countText(graph.usedEdges)} used</span>
        <PathChoice graph={graph} clock={clock} folder={folder} onClock={onClock} />
        <span class="grow" />
        <span class="btn-set"><button type="button" class="btn" aria-pressed={asked !== null} title="Switch evidence off, and see what changes" onClick={() => (asked ? endWhatIf() : void beginWhatIf(info))}>What if</button></span>
        <a class="btn" href={formatRoute({ page: 'report', trace })}><Icon name="report" />Placement</a>
        <a class="btn" href={formatRoute({ page: 'merge', trace })}><Icon name="merge" />Fix in Merge</a>
      </div>
      <div class="clocks">
        <ClockPicture graph={graph} machines={machines} clock={clock} edge={edge} off={asked?.off ?? []} onClock={onClock} onEdge={setEdge} />
        <div class="clocks-below">
          <ContradictionsPanel graph={graph} report={report} folder={folder} onEdge={setEdge} onFlows={showFlows} onMoment={(found) => void showMoment(trace, graph, found)} />
          <OrderPanel trace={trace} onEdge={setEdge} />
        </div>
        <div class="clocks-side">
          {chosen ? (
            <EdgePanel key={chosen.id} trace={trace} edge={chosen} from={graph.clocks.find((c) => c.id === chosen.from)} to={graph.clocks.find((c) => c.id === chosen.to)} folder={folder} onClose={() => setEdge(null)} />
          ) : asked ? (
            <WhatIfPanel trace={info} graph={graph} now={asked} onEdge={setEdge} />
          ) : (
            <PathPanel trace={trace} graph={graph} clocks={path} placed={graph.placed.find((p) => p.clock === clock)} folder={folder} onEdge={setEdge} />
          )}
          {!chosen && <EdgeTable graph={graph} edge={edge} onEdge={setEdge} off={asked?.off ?? null} onSwitch={(e) => void toggleEdge(info, e)} />}
        </div>
      </div>
    </>
  );
}

export function ClocksPage(): JSX.Element {
  const info = current.value;
  const trace = info?.trace ?? null;
  const { value: graph, error } = useLoaded(() => (trace === null ? null : clockGraph(trace)), [trace, generation.value]);
  useEffect(() => {
    if (graph) pageStatus.value = [`${counted(graph.allClocks, 'clock')}, ${counted(graph.usedEdges, 'edge')} used`, counted(graph.allContradictions, 'contradiction')];
    return () => {
      pageStatus.value = [];
    };
  }, [graph]);
  if (error !== '') return <div class="empty"><p class="bad" role="alert">{shown(error)}</p></div>;
  if (!graph || !info || trace === null) return <div class="page" aria-busy="true" />;
  if (graph.clocks.length === 0) return <div class="empty"><h1>Clocks</h1><p>The trace has no clock: the times of its files are unchanged.</p></div>;
  return <Content key={trace} info={info} graph={graph} />;
}
