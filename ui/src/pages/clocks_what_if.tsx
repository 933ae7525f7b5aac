/** What if: the report before and after evidence is switched off. */
import type { JSX } from 'preact';
import type { TraceInfo } from '../api/traces';
import type { ClockGraph } from '../lib/clock_types';
import { words } from '../lib/clock_words';
import { changesOf } from '../lib/dry_run';
import { below, commonFolder, hopsOf } from '../lib/report';
import { shown, shownLines } from '../lib/text';
import { counted, elapsedText } from '../lib/units';
import { switchAllOn, toggleEdge, type WhatIf } from '../state/what_if';
import { Icon } from '../widgets/icon';
import { Progress } from '../widgets/parts';
import { Outcome } from './merge_run';

const mostPaths = 20;

function state({ kind, after }: WhatIf): string {
  if (kind === 'reading') return 'reading the files once';
  if (kind === 'placing') return 'placing again';
  return kind === 'done' && after ? `placed again in ${elapsedText(after.placed_in_ms)}` : '';
}

export function WhatIfPanel({ trace, graph, now, onEdge }: { trace: TraceInfo; graph: ClockGraph; now: WhatIf; onEdge: (edge: number) => void }): JSX.Element {
  const label = (clock: number | undefined): string => graph.clocks.find((c) => c.id === clock)?.label ?? '';
  const { before, after, off } = now;
  const folder = commonFolder([...new Set((after?.placements ?? []).map((p) => p.file))]);
  const paths = before && after ? changesOf(before, after).filter((c) => c.before && c.before.path !== c.path) : [];
  return (
    <section class="panel what-if" aria-label="What if" aria-busy={now.kind === 'reading' || now.kind === 'placing'}>
      <div class="panel-h"><h2>What if</h2><small role="status">{state(now)}</small><span class="grow" />
        {off.length > 0 && <button type="button" class="btn ghost" onClick={() => void switchAllOn(trace)}>Switch all on</button>}</div>
      <p class="note t2">{off.length === 0 ? 'Switch evidence off in the list below, to see what the places rest on. The trace stays as it is.' : `Without ${counted(off.length, 'edge')}, and with all other evidence of the same files:`}</p>
      {off.length > 0 && (
        <ul class="off-edges">
          {off.map((id) => {
            const edge = graph.edges.find((e) => e.id === id);
            return (
              <li key={id}>
                <button type="button" class="link cut" onClick={() => onEdge(id)}>{shown(label(edge?.from))} <span aria-hidden="true">→</span> {shown(label(edge?.to))}</button>
                <span class="t3">{edge && shown(words('source', edge.source))}</span>
                <button type="button" class="btn ghost icon" aria-label={`Switch on: ${shown(label(edge?.from))} to ${shown(label(edge?.to))}`} title="Switch on" onClick={() => void toggleEdge(trace, id)}><Icon name="close" /></button>
              </li>
            );
          })}
        </ul>
      )}
      {now.kind === 'reading' && <div class="trial-wait"><Progress done={0} total={0} label="Reading the files" /></div>}
      {now.kind === 'failed' && <div class="trial-wait" role="alert"><p class="bad">The files cannot be placed.</p><pre class="reason">{shownLines(now.reason)}</pre></div>}
      {before && after && <Outcome before={before} after={after} folder={folder} isPlacedOnly />}
      {paths.length > 0 && (
        <div class="new-paths">
          <h3 class="eyebrow">Other paths</h3>
          {paths.slice(0, mostPaths).map((c) => (
            <dl key={c.file}>
              <dt class="strong cut" title={shown(c.file)}>{shown(below(c.file, folder))}</dt>
              <dd class="t3"><span class="sr">before: </span><s>{shown(hopsOf(c.before?.path ?? '').join(' › '))}</s></dd>
              <dd class={c.path === '' ? 'bad' : ''}>{c.path === '' ? 'no path to the timeline' : shown(hopsOf(c.path).join(' › '))}</dd>
            </dl>
          ))}
          {paths.length > mostPaths && <p class="t2">{counted(paths.length - mostPaths, 'more file')} have another path.</p>}
        </div>
      )}
    </section>
  );
}
