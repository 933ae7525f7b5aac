/** One edge of the clock graph: what it rests on, and its readings over time. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { edgeReadings } from '../api/clocks';
import { fitOf, signed, unitOf, type Fit, type Jump } from '../lib/clock_fit';
import { certaintyOfEdge, edgeText } from '../lib/clock_layout';
import { words } from '../lib/clock_words';
import type { Clock, Edge, Readings } from '../lib/clock_types';
import { below } from '../lib/report';
import { shown } from '../lib/text';
import { counted, countText, secondsText, spanText } from '../lib/units';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';
import { Bound, Tabs } from '../widgets/parts';
import { FitPlot } from './clocks_plot';

const modelWords: Readonly<Record<string, string>> = { step: 'the latest reading holds', linear: 'a line from reading to reading', stated: 'a stated line', paths: 'by the paths of both clocks' };

const mostListed = 1000;

const jumpKinds: readonly (readonly [Jump['kind'], string])[] = [['step', 'step'], ['suspend', 'suspend'], ['set back', 'set-back']];

function noteOf(fit: Fit, i: number): string {
  const point = fit.points[i];
  if (point?.isOutside) return 'outside';
  if (point?.jump) return jumpText(point.jump);
  return i === 0 ? 'first' : '';
}

/** "step +3.2 ms": by how much the second clock went ahead. */
function jumpText({ kind, by }: Jump): string {
  return `${kind} ${by < 0 ? '−' : '+'}${spanText(BigInt(Math.round(Math.abs(by))))}`;
}

function Observations({ fit }: { fit: Fit }): JSX.Element {
  const unit = unitOf(Math.max(1, ...fit.points.map((p) => Math.abs(p.y)), ...fit.points.map((p) => p.bound ?? 0)));
  const decimals = unit.name === 'ns' ? 0 : 2;
  const inUnit = (ns: number): string => signed(ns / unit.size, decimals);
  const hasPlaces = fit.points.some((p) => p.reading.byteOffset !== null && p.reading.byteOffset !== undefined);
  return (
    <div class="scroll scroll-x" tabIndex={0} role="group" aria-label="Observations">
      <table class="t">
        <thead><tr>
          <th scope="col" class="num">#</th><th scope="col">Note</th><th scope="col" class="num">Time, s</th><th scope="col" class="num" title="Reading of the second clock minus that of the first.">Offset, s</th>
          <th scope="col" class="num" title="The observation minus what the map gives: that between the clocks, or that of their paths.">Residual, {unit.name}</th>
          <th scope="col" class="num">Bound</th>{hasPlaces && <th scope="col" class="num" title="Where the file has the observation.">At byte</th>}
        </tr></thead>
        <tbody>
          {fit.points.slice(0, mostListed).map((p, i) => (
            <tr key={i} class={p.isOutside ? 'sel' : ''}>
              <td class="num t3">{i + 1}</td>
              <td class={p.isOutside ? 'bad' : 't2'}>{noteOf(fit, i)}</td>
              <td class="num">{p.reading.ts === null ? '' : secondsText(p.reading.ts)}</td>
              <td class="num">{secondsText(p.reading.to - p.reading.from)}</td>
              <td class="num">{p.reading.mapped === null ? '' : inUnit(Number(p.reading.to - p.reading.mapped))}</td>
              <td class="num">{p.reading.bound === null ? 'none' : p.reading.bound === 0n ? 'exact' : `±${spanText(p.reading.bound)}`}</td>
              {hasPlaces && <td class="num t2">{p.reading.byteOffset === null || p.reading.byteOffset === undefined ? '' : countText(p.reading.byteOffset)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {fit.points.length > mostListed && <p class="note t2">{countText(fit.points.length - mostListed)} more are not listed.</p>}
    </div>
  );
}

function Picture({ readings, names }: { readings: Readings; names: readonly [string, string] }): JSX.Element {
  const [view, setView] = useState<'deviation' | 'offset'>('deviation');
  const fit = fitOf(readings, view === 'deviation', names);
  const outside = fit.points.filter((p) => p.isOutside).length;
  const jumps = fit.points.map((p) => p.jump?.kind).filter((kind) => kind !== undefined);
  const kinds = jumpKinds.filter(([kind]) => jumps.includes(kind));
  const told = kinds.map(([kind, word]) => `, ${counted(jumps.filter((k) => k === kind).length, word)}`).join('');
  const label = `${view === 'deviation' ? 'Deviation from the line' : 'Change of the offset'} of ${counted(fit.points.length, 'observation')}, ${outside === 0 ? 'all within the bound' : `${outside} outside of the bound`}${told}`;
  return (
    <>
      <div class="tabs"><Tabs label="Picture" active={view} onSelect={setView} tabs={[{ id: 'deviation', text: 'Drift removed' }, { id: 'offset', text: 'Offset' }]} />
        <span class="tools t2">{modelWords[readings.model] ?? readings.model}</span></div>
      {fit.points.length > 1 ? <FitPlot fit={fit} label={label} /> : <p class="note t2">One observation: its offset holds for the whole recording, and the bound grows with the assumed drift.</p>}
      {fit.points.length > 1 && (
        <p class="plot-legend">
          <span><i class="sw band" />bound of the map</span><span><i class="sw seen" />observation</span>{outside > 0 && <span><i class="sw outside" />outside of the bound</span>}{kinds.map(([kind]) => <span key={kind}><i class={`sw jump ${kind.replace(' ', '-')}`} />{kind}</span>)}
        </p>
      )}
      {readings.total > readings.observations.length && <p class="note t2">{countText(readings.observations.length)} of {counted(readings.total, 'observation')}: those furthest from the line.</p>}
      <Observations fit={fit} />
    </>
  );
}

interface Props {
  trace: string;
  edge: Edge;
  from: Clock | undefined;
  to: Clock | undefined;
  folder: number;
  onClose: () => void;
}

export function EdgePanel({ trace, edge, from, to, folder, onClose }: Props): JSX.Element {
  const { value, error } = useLoaded(() => edgeReadings(trace, edge.id), [trace, edge.id]);
  const isAcross = from?.machine !== to?.machine;
  const fit = value && value.observations.length > 1 ? fitOf(value, false) : null;
  return (
    <section class="panel edge-panel" aria-label="Edge">
      <div class="panel-h">
        <h2 class="cut" title={shown(`${from?.label ?? ''} → ${to?.label ?? ''}`)}>{shown(from?.label ?? '')} <Icon name="arrow-right" small /> {shown(to?.label ?? '')}</h2>
        <span class="grow" />
        <Bound certainty={certaintyOfEdge(edge, isAcross)} text={edgeText(edge)} />
        <button type="button" class="btn ghost icon" aria-label="Close the edge" title="Close the edge" onClick={onClose}><Icon name="close" /></button>
      </div>
      <dl class="kv edge-facts">
        <dt>Kind</dt><dd>{shown(words('kind', edge.kind))}</dd>
        <dt>Source</dt><dd>{shown(words('source', edge.source))}</dd>
        <dt>Observations</dt><dd class="mono">{countText(edge.observations)}</dd>
        <dt>Used</dt><dd>{edge.isUsed ? 'yes, on a path to the timeline' : 'no, another path is better'}</dd>
        {edge.file !== '' && <><dt>File</dt><dd class="cut" title={shown(edge.file)}>{shown(below(edge.file, folder))}</dd></>}
        {edge.byteOffset !== null && <><dt>First at byte</dt><dd class="mono">{countText(edge.byteOffset)}</dd></>}
        {fit && <><dt>Drift</dt><dd class="mono">{signed(fit.drift / 1000, 3)} ppm</dd></>}
      </dl>
      {error !== '' && <p class="note bad" role="alert">{shown(error)}</p>}
      {!value && error === '' && <p class="note t3">…</p>}
      {value && value.observations.length > 0 && edge.kind !== 'guessed' && <Picture key={edge.id} readings={value} names={[from?.name ?? '', to?.name ?? '']} />}
      {value && edge.kind === 'guessed' && <p class="note t2">Nothing relates these clocks. They are assumed to be zero apart, and no bound limits the error. State an offset, or give sync markers, in the manifest.</p>}
    </section>
  );
}
