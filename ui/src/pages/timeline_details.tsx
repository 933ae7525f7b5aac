/** The drawer: what is known of the selected event, or of the selected area. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import * as api from '../api/timeline';
import type { Brief, EventDetails, FlowArrow } from '../api/timeline';
import { exactTime, frequencyText, lengthText } from '../lib/axis';
import { eventName } from '../lib/event_extras';
import { ruleWords } from '../lib/report';
import { shortened, shown } from '../lib/text';
import { countText } from '../lib/units';
import { showEvent, startSearch } from '../state/timeline';
import { counterText } from '../timeline/overlay';
import type { TimelineView } from '../timeline/view';
import { Icon } from '../widgets/icon';
import { lazyPage } from '../widgets/lazy';
import { useLoaded } from '../widgets/loaded';
import { Bound } from '../widgets/parts';
import { ArgTree } from './timeline_args';
import { LogPanel, logMachines, logPanel, logTitles, openLog } from './timeline_log';
import { nameSql, showSql } from './timeline_sql';
import { EventClocks } from './timeline_clocks';
import { focusOmni } from './timeline_omni';
import { Stacks, ThreadStates } from './timeline_extras';
import { OrderSection } from './timeline_order';
import { boundLook, titleParts } from './timeline_tree';
import { WholeText } from './timeline_whole_text';

const MemoryPanel = lazyPage(() => import('./timeline_memory').then((m) => m.MemoryPanel));

const durationText = (view: TimelineView, ns: string | bigint | null): string => (ns === null ? '' : lengthText(BigInt(ns), view.format.value));

/** Returns the exact duration behind the rounded one, where they differ. */
function Duration({ view, ns }: { view: TimelineView; ns: string }): JSX.Element {
  return <span title={`${countText(BigInt(ns))} ns`}>{durationText(view, ns)}</span>;
}

function EventLink({ view, event, text }: { view: TimelineView; event: Brief; text?: string }): JSX.Element {
  return (
    <button type="button" class="link" onClick={() => void showEvent(view, event)}>{text ?? shortened(eventName(event.kind, event.name) || `${event.kind} ${event.row}`, 80)}</button>
  );
}

function Timing({ view, event }: { view: TimelineView; event: EventDetails }): JSX.Element {
  const look = boundLook(event.place?.bound ?? { kind: 'unknown' });
  const origin = view.origin.value;
  const format = view.format.value;
  const wall = BigInt(event.dur);
  const share = event.thread_dur !== null && wall > 0n ? Math.min(1, Number(event.thread_dur) / Number(wall)) : null;
  const siblings = useLoaded(() => (event.instant || event.kind === 'counter' || event.kind === 'log' ? null : api.siblings(view.trace, event.kind, event.row)), [event.kind, event.row]);
  const same = siblings.value;
  return (
    <section aria-label="Timing">
      <h2>Timing</h2>
      <dl class="kv">
        <dt>Start</dt><dd>{exactTime(BigInt(event.ts), format, origin)}</dd>
        {look.certainty !== 'none' && <><dt>Start is within</dt><dd title={look.title}><Bound certainty={look.certainty} text={look.certainty === 'uncertain' ? `at most ${look.text}` : look.text} /></dd></>}
        {event.value !== null && <><dt>Value</dt><dd class="strong">{counterText(view.tree.nodes.get(event.node) ?? { track_type: null, unit: null }, event.value)}</dd></>}
        {event.kind !== 'counter' && (
          <><dt>Wall duration</dt><dd class="strong">{event.unfinished ? <span class="bad">did not finish</span> : event.instant ? 'instant' : <Duration view={view} ns={event.dur} />}</dd></>
        )}
        {event.cut && <><dt>Drawn until</dt><dd title="The next event of its line begins before its own end."><Duration view={view} ns={(BigInt(event.end) - BigInt(event.ts)).toString()} /> <span class="bad">cut</span></dd></>}
        {event.thread_dur !== null && <><dt>CPU duration</dt><dd>{share !== null && <span class="meter" aria-hidden="true"><i style={{ width: `${Math.round(share * 100)}%` }} /></span>}<Duration view={view} ns={event.thread_dur} /></dd></>}
        {event.self !== null && <><dt>Self time</dt><dd><Duration view={view} ns={event.self} /></dd></>}
        {event.cpu_self !== null && <><dt>CPU self time</dt><dd><Duration view={view} ns={event.cpu_self} /></dd></>}
        {event.category && <><dt>Category</dt><dd class="cut">{shown(event.category)}</dd></>}
        {event.fields.map((f) => <Field key={f.name} view={view} event={event} name={f.name} value={f.value} />)}
      </dl>
      <ThreadStates view={view} event={event} />
      {same && Number(same.count) > 1 && (
        <p class="help small">
          p{Math.round(same.percentile)} of {countText(BigInt(same.count))} of this name, mean {durationText(view, BigInt(Math.round(same.mean)))}, longest{' '}
          {same.longest[0] ? <EventLink view={view} event={same.longest[0]} text={durationText(view, same.max)} /> : durationText(view, same.max)}
        </p>
      )}
    </section>
  );
}

/** Searches for all slices that began in a context. */
function searchContext(view: TimelineView, context: string): void {
  const text = `context="${context}"`;
  focusOmni.value?.(text);
  void startSearch(view, text);
}

/** The contexts in which a slice began; each leads to the slices of that context. */
function Contexts({ view, all }: { view: TimelineView; all: string }): JSX.Element {
  return (
    <>
      <dt>contexts</dt>
      <dd class="cut">{all.split(', ').map((context, i) => (
        <span key={i}>{i > 0 && ', '}{context.includes('"') ? shortened(context, 80)
          : <button type="button" class="link" title="Search for the slices of this context" onClick={() => searchContext(view, context)}>{shortened(context, 80)}</button>}</span>
      ))}</dd>
    </>
  );
}

function Field({ view, event, name, value }: { view: TimelineView; event: EventDetails; name: string; value: unknown }): JSX.Element {
  if (name === 'contexts' && event.kind === 'slice' && typeof value === 'string' && !event.cut_texts.includes(name)) return <Contexts view={view} all={value} />;
  const text = value === null || value === undefined ? 'NULL' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return (
    <>
      <dt>{shown(name)}</dt>
      <dd class="cut" title={shortened(text, 2000)}>{shortened(text, 300)}{event.cut_texts.includes(name) && <WholeText view={view} event={event} field={name} />}</dd>
    </>
  );
}

function Place({ view, event }: { view: TimelineView; event: EventDetails }): JSX.Element {
  const node = view.tree.nodes.get(event.node);
  const path = node ? [...view.tree.ancestors(node), node] : [];
  const hops = event.place?.path ? event.place.path.split(' > ') : [];
  const look = boundLook(event.place?.bound ?? { kind: 'unknown' });
  return (
    <section aria-label="Place">
      <h2>Place</h2>
      <dl class="kv left">
        <dt>Track</dt>
        <dd class="crumbs">{path.map((n, i) => (
          <span key={n.node}>{i > 0 && <span class="t3"> › </span>}
            <button type="button" class="link" onClick={() => (view.focusedRow.value = view.revealNode(n.node)?.key ?? null)}>{titleParts(shown(n.title)).name}</button></span>
        ))}</dd>
        {event.process && <><dt>Process</dt><dd class="cut">{shown(event.process)}</dd></>}
        {event.thread && <><dt>Thread</dt><dd class="cut">{shown(event.thread)}</dd></>}
        {event.place?.file && <><dt>File</dt><dd class="cut" title={shown(event.place.file)}>{shown(event.place.file.slice(event.place.file.lastIndexOf('/') + 1))}</dd></>}
        {event.place && <><dt>Placed by</dt><dd>{shown(ruleWords(event.place.rule))}</dd></>}
      </dl>
      {hops.length > 0 && (
        <ul class="path" aria-label="Path of clocks to the timeline">
          {hops.map((hop, i) => (
            <li key={i}>
              <i class={`n${i < hops.length - 1 && look.certainty === 'uncertain' ? ' u' : ''}`} />
              <span class="cut">{shown(hop)}{i === hops.length - 1 && <span class="t3"> is the timeline</span>}</span>
            </li>
          ))}
        </ul>
      )}
      <Stacks view={view} event={event} />
      <EventClocks view={view} kind={event.kind} row={event.row} />
      {look.certainty !== 'none' && <p class="help small">{look.title} Both edges move together: the bound does not change the duration.</p>}
    </section>
  );
}

/** Returns what the trace says of a flow: its title, category and id. */
const flowWords = (f: FlowArrow): string => [f.name && shortened(f.name, 60), f.category && `category ${shortened(f.category, 60)}`, f.id !== null && `id 0x${BigInt.asUintN(64, BigInt(f.id)).toString(16)}`].filter((word) => word).join(', ');

function Relations({ view, event }: { view: TimelineView; event: EventDetails }): JSX.Element {
  const flows = view.selectedFlows.value;
  const machineOf = (b: Brief): string => {
    const node = view.tree.nodes.get(b.node);
    const machine = node ? view.tree.ancestors(node).find((n) => n.type === 'machine') : undefined;
    return machine ? shown(machine.title) : '';
  };
  const isSelf = (b: Brief | null): boolean => b !== null && b.kind === event.kind && b.row === event.row;
  return (
    <section aria-label="Order and flows">
      <h2>Flows and nesting</h2>
      <ul class="rel">
        {flows.slice(0, 50).map((f) => {
          const isOut = isSelf(f.out);
          const other = isOut ? f.in : f.out;
          const latency = f.out && f.in ? (BigInt(f.to_ts) - BigInt(f.from_ts)).toString() : null;
          return (
            <li key={`${f.row}-${isOut}`} class={f.violation ? 'bad' : ''}>
              <Icon name="flow" small />
              <span class="cut">{isOut ? 'to ' : 'from '}{other ? <EventLink view={view} event={other} /> : 'an end on no track'} <span class="t3">{other ? machineOf(other) : ''}</span></span>
              <span class="mono">{latency ? durationText(view, latency) : ''}</span>
              {f.violation && <span class="why">arrives before it leaves{f.off_by_ns ? `, off by at least ${durationText(view, f.off_by_ns)}` : ''}</span>}
              <span class="why t3 cut">{flowWords(f)}</span>
            </li>
          );
        })}
        {event.flows > 50 && <li class="t3">and {countText(event.flows - 50)} more</li>}
        {event.linked.map((other, i) => (
          <li key={`l${i}`}><Icon name="link" small />
            <span class="cut">same id in {other.kind} {other.event ? <EventLink view={view} event={other.event} /> : 'on no track'} <span class="t3">{shortened(other.id, 40)}</span></span></li>
        ))}
        {event.parents.slice(-3).reverse().map((p) => (
          <li key={`p${p.row}`}><Icon name="arrow-up" small /><span class="cut">in <EventLink view={view} event={p} /></span><span class="mono">{durationText(view, p.dur)}</span></li>
        ))}
        {event.children.slice(0, 20).map((c) => (
          <li key={`c${c.row}`}><Icon name="arrow-down" small /><span class="cut"><EventLink view={view} event={c} /></span><span class="mono">{durationText(view, c.dur)}</span></li>
        ))}
        {event.children_total > 20 && <li class="t3">and {countText(event.children_total - 20)} more inside</li>}
      </ul>
      {flows.length === 0 && event.parents.length === 0 && event.children.length === 0 && event.linked.length === 0 && <p class="t3 help">No flow, parent or child.</p>}
    </section>
  );
}

function AreaTab({ view }: { view: TimelineView }): JSX.Element | null {
  const area = view.area.value;
  if (!area) return null;
  const span = area.range.to - area.range.from;
  return (
    <div class="cols one">
      <section aria-label="Area">
        <h2>Area</h2>
        <dl class="kv">
          <dt>From</dt><dd>{exactTime(area.range.from, view.format.value, view.origin.value)}</dd>
          <dt>To</dt><dd>{exactTime(area.range.to, view.format.value, view.origin.value)}</dd>
          <dt>Length</dt><dd class="strong">{durationText(view, span)}</dd>
          <dt>As a frequency</dt><dd>{frequencyText(Number(span)) || 'none'}</dd>
          <dt>Rows</dt><dd>{area.rows === null ? 'all' : countText(area.rows.length)}</dd>
        </dl>
        <p class="actions"><button type="button" class="btn" onClick={() => view.show(area.range)}>Zoom to the area <kbd>F</kbd></button>
          <button type="button" class="btn" onClick={() => (view.area.value = null)}>Clear</button></p>
      </section>
    </div>
  );
}

export function TimelineDetails({ view }: { view: TimelineView }): JSX.Element | null {
  const event = view.selection.value;
  const area = view.area.value;
  const [tab, setTab] = useState<'event' | 'area' | 'log' | 'memory'>('event');
  const log = logPanel.value;
  const machines = useMemo(() => logMachines(view.tree.nodes.values()), [view.treeVersion.value]);
  const hasMemory = useMemo(() => [...view.tree.nodes.values()].some((n) => n.kind === 'dump'), [view.treeVersion.value]);
  // A line of the panel is selected within it, a memory dump shows the panel of dumps; other selections show their details.
  useEffect(() => setTab((t) => (t === 'log' && log && event?.kind === log.source ? 'log' : event?.kind === 'dump' ? 'memory' : area && !event ? 'area' : 'event')), [event?.kind, event?.row, area === null]);
  useEffect(() => {
    if (log) setTab('log');
  }, [log]);
  const error = view.selectionError.value;
  if (!view.drawerOpen.value || (!event && !area && !log && error === '')) return null;
  const isLog = log !== null && (tab === 'log' || (!event && !area));
  const isMemory = !isLog && hasMemory && tab === 'memory';
  const isArea = !isLog && !isMemory && tab === 'area' && area !== null;
  return (
    <section class="drawer" aria-label="Details" data-testid="drawer">
      <div class="tabs">
        <div class="tablist" role="tablist" aria-label="Details">
          {event && <button type="button" role="tab" class="tab" aria-selected={!isArea && !isLog && !isMemory} onClick={() => setTab('event')}><i class={`sw hue-${event.colour < 23 ? event.colour : 22}`} /><span class="cut name">{shortened(eventName(event.kind, event.name) || event.kind, 60)}</span></button>}
          {area && <button type="button" role="tab" class="tab" aria-selected={!isLog && !isMemory && (isArea || !event)} onClick={() => setTab('area')}><Icon name="area" small />Area<span class="n">{durationText(view, area.range.to - area.range.from)}</span></button>}
          {hasMemory && <button type="button" role="tab" class="tab" aria-selected={isMemory} onClick={() => setTab('memory')}><Icon name="report" small />Memory</button>}
          {(['log', 'ftrace'] as const).map((source) => machines[source].length > 0 && (
            <button key={source} type="button" role="tab" class="tab" aria-selected={isLog && log.source === source} onClick={() => (log?.source === source ? setTab('log') : openLog(view, source, null))}><Icon name="report" small />{logTitles[source]}</button>
          ))}
        </div>
        <span class="tools">
          {event && <button type="button" class="btn ghost" onClick={() => view.show({ from: BigInt(event.ts), to: BigInt(event.end) })}><Icon name="fit" />Fit<kbd>F</kbd></button>}
          {event && !event.instant && <button type="button" class="btn ghost" onClick={() => (view.area.value = { range: { from: BigInt(event.ts), to: BigInt(event.end) }, rows: null })}><Icon name="area" />As area<kbd>R</kbd></button>}
          {event?.kind === 'slice' && <button type="button" class="btn ghost" onClick={() => showSql(view.trace, nameSql(event.name))}><Icon name="sql" />SQL</button>}
          <button type="button" class="btn ghost icon" aria-label="Close the details" onClick={() => (view.drawerOpen.value = false)}><Icon name="close" /></button>
        </span>
      </div>
      {error !== '' && <p class="help bad note" role="alert">{shown(error)}</p>}
      {!isLog && !isMemory && <OrderSection view={view} />}
      {isLog ? <LogPanel view={view} /> : isMemory ? <MemoryPanel /> : isArea || !event ? <AreaTab view={view} /> : (
        <div class="cols">
          <Timing view={view} event={event} />
          <Place view={view} event={event} />
          <Relations view={view} event={event} />
          <ArgTree key={`${event.kind}${event.row}`} view={view} event={event} />
        </div>
      )}
    </section>
  );
}
