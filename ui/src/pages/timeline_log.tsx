/** The panel of a log, or of kernel events: the lines in view, in step with the window, and filtered. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { small } from '../api/queries';
import * as api from '../api/timeline';
import type { TreeNode } from '../api/timeline';
import { errorText } from '../api/http';
import { exactTime } from '../lib/axis';
import { anyLine, countSql, lineOf, linesSql, originsSql, priorities, priorityLetter, type LogFilter, type LogLine, type LogSource } from '../lib/log_query';
import { shortened, shown } from '../lib/text';
import { rangeOf } from '../lib/time_window';
import { counted } from '../lib/units';
import { showEvent } from '../state/timeline';
import { currentReport } from '../state/status';
import type { TimelineView } from '../timeline/view';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';
import { titleParts } from './timeline_tree';

/** The panel that is open, and the machine whose lines it shows; null is closed. */
export const logPanel = signal<{ source: LogSource; machine: number | null } | null>(null);

export const logTitles: Readonly<Record<LogSource, string>> = { log: 'Log', ftrace: 'Kernel events' };

/** Opens the panel for the track of a log or of kernel events. */
export function openLog(view: TimelineView, source: LogSource, machine: number | null): void {
  logPanel.value = { source, machine };
  view.drawerOpen.value = true;
}

/** Returns the machines that have lines of each kind. */
export function logMachines(nodes: Iterable<TreeNode>): Readonly<Record<LogSource, readonly number[]>> {
  const found = { log: new Set<number>(), ftrace: new Set<number>() };
  for (const n of nodes) if ((n.kind === 'log' || n.kind === 'ftrace') && n.machine_id !== null && n.events !== '0') found[n.kind].add(n.machine_id);
  return { log: [...found.log], ftrace: [...found.ftrace] };
}

const rowHeight = 18;
const pageRows = 100;

/** Lines by number, loaded in pages as they come into sight; all are forgotten when the statement changes. */
function useLines(view: TimelineView, source: LogSource, filter: LogFilter): { total: number | null; line: (i: number) => LogLine | undefined; want: (from: number, to: number) => void; error: string } {
  const window = view.settledWindow.value;
  const range = rangeOf(window);
  const key = `${source}/${JSON.stringify(filter)}/${range.from}/${range.to}`;
  const [state, setState] = useState<{ key: string; total: number | null; error: string; version: number }>({ key: '', total: null, error: '', version: 0 });
  const pages = useRef<{ key: string; lines: Map<number, LogLine[] | null> }>({ key: '', lines: new Map() });
  if (pages.current.key !== key) pages.current = { key, lines: new Map() };
  useEffect(() => {
    // A window that still moves is not asked for.
    const timer = globalThis.setTimeout(() => {
      small(view.trace, countSql(source, filter, range)).then(
        ({ rows }) => setState((s) => ({ key, total: Number(rows[0]?.[0] ?? 0), error: '', version: s.version + 1 })),
        (e: unknown) => setState((s) => ({ key, total: null, error: errorText(e), version: s.version + 1 })),
      );
    }, 120);
    return () => clearTimeout(timer);
  }, [key]);
  const { lines } = pages.current;
  return {
    total: state.total, error: state.error,
    line: (i) => lines.get(Math.floor(i / pageRows))?.[i % pageRows],
    want: (from, to) => {
      if (state.key !== key) return;
      for (let page = Math.floor(from / pageRows); page * pageRows < to; page += 1) {
        if (lines.has(page)) continue;
        lines.set(page, null);
        small(view.trace, linesSql(source, filter, range, page * pageRows, pageRows)).then(
          ({ rows }) => {
            lines.set(page, rows.map(lineOf));
            setState((s) => ({ ...s, version: s.version + 1 }));
          },
          (e: unknown) => setState((s) => ({ ...s, error: errorText(e), version: s.version + 1 })),
        );
      }
    },
  };
}

function Filters({ view, source, filter, machines, onChange }: { view: TimelineView; source: LogSource; filter: LogFilter; machines: readonly number[]; onChange: (part: Partial<LogFilter>) => void }): JSX.Element {
  const origins = useLoaded(() => (source === 'log' ? small(view.trace, originsSql) : null), [view.trace, source]).value?.rows.map((r) => String(r[0])) ?? [];
  const titleOf = (id: number): string => {
    for (const n of view.tree.nodes.values()) if (n.type === 'machine' && n.machine_id === id) return titleParts(shown(n.title)).name;
    return `machine ${id}`;
  };
  const home = currentReport.value?.timeline.machine;
  return (
    <div class="log-filter">
      <label class="field soft"><Icon name="filter" small /><input value={filter.text} placeholder={source === 'log' ? 'Message' : 'Name'} aria-label={source === 'log' ? 'Message contains' : 'Name contains'} onInput={(e) => onChange({ text: e.currentTarget.value })} /></label>
      {source === 'log' && <label class="field soft"><input value={filter.tag} placeholder="Tag" aria-label="Tag contains" onInput={(e) => onChange({ tag: e.currentTarget.value })} /></label>}
      {source === 'log' && (
        <select class="select" aria-label="Least priority" value={String(filter.priority)} onChange={(e) => onChange({ priority: Number(e.currentTarget.value) })}>
          <option value="0">any priority</option>
          {priorities.slice(1).map(([, name], i) => <option key={name} value={String(i + 3)}>{name}{i < 4 ? ' and above' : ''}</option>)}
        </select>
      )}
      {origins.length > 1 && (
        <select class="select" aria-label="Source" value={filter.origin} onChange={(e) => onChange({ origin: e.currentTarget.value })}>
          <option value="">any source</option>
          {origins.map((o) => <option key={o} value={o}>{shown(o)}</option>)}
        </select>
      )}
      {machines.length > 1 && (
        <select class="select" aria-label="Machine" value={String(filter.machine?.id ?? '')} onChange={(e) => {
          const id = e.currentTarget.value;
          onChange({ machine: id === '' ? null : { id: Number(id), hasOthers: titleOf(Number(id)) === home } });
        }}>
          <option value="">all machines</option>
          {machines.map((id) => <option key={id} value={String(id)}>{titleOf(id)}</option>)}
        </select>
      )}
    </div>
  );
}

/** The lines in view. A click on one selects its event. */
export function LogPanel({ view }: { view: TimelineView }): JSX.Element | null {
  const open = logPanel.value;
  const source = open?.source ?? 'log';
  const machines = useMemo(() => logMachines(view.tree.nodes.values()), [view.treeVersion.value]);
  const home = currentReport.value?.timeline.machine;
  const [filter, setFilter] = useState<LogFilter>(anyLine);
  useEffect(() => {
    const id = open?.machine ?? null;
    const title = [...view.tree.nodes.values()].find((n) => n.type === 'machine' && n.machine_id === id)?.title;
    setFilter({ ...anyLine, machine: id === null || machines[source].length < 2 ? null : { id, hasOthers: title === home } });
  }, [open]);
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const { total, line, want, error } = useLines(view, source, filter);
  const height = box.current?.clientHeight ?? 140;
  const first = Math.max(0, Math.floor(top / rowHeight) - 2);
  const end = Math.min(total ?? 0, first + Math.ceil(height / rowHeight) + 4);
  useEffect(() => want(first, end));
  if (!open) return null;
  const select = (l: LogLine): void => void api.event(view.trace, source, l.id).then((event) => showEvent(view, event), () => undefined);
  const selected = view.selection.value;
  const indices = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  return (
    <div class="log" data-testid="log">
      <Filters view={view} source={source} filter={filter} machines={machines[source]} onChange={(part) => setFilter({ ...filter, ...part })} />
      {error !== '' && <p class="help bad note" role="alert">{shown(error)}</p>}
      <div class="log-box" ref={box} tabIndex={0} role="region" aria-label={`${logTitles[source]} in view`} onScroll={(e) => setTop(e.currentTarget.scrollTop)}>
        <div class="log-size" style={{ height: `${(total ?? 0) * rowHeight}px` }}>
          {indices.map((i) => {
            const l = line(i);
            if (!l) return <div key={i} class="log-l t3" style={{ top: `${i * rowHeight}px` }}>…</div>;
            const isOwn = selected?.kind === source && selected.row === l.id;
            return (
              <button key={i} type="button" tabIndex={-1} class={`log-l${source === 'log' && l.level >= 6 ? ' bad' : source === 'log' && l.level === 5 ? ' warn' : ''}${isOwn ? ' sel' : ''}`} style={{ top: `${i * rowHeight}px` }} onClick={() => select(l)} data-testid="log-line">
                <span class="mono">{exactTime(l.ts, view.format.value, view.origin.value)}</span>
                <span class="mono">{source === 'log' ? priorityLetter(l.level) : `CPU ${l.level}`}</span>
                <span class="cut">{shortened(l.tag, 60)}</span>
                <span class="cut t3">{shortened(l.thread, 60)}</span>
                <span class="cut" title={shortened(l.message, 2000)}>{shortened(l.message, 600)}</span>
              </button>
            );
          })}
        </div>
      </div>
      <p class="t3 log-n" role="status">{total === null ? 'counting' : `${counted(total, source === 'log' ? 'line' : 'event')} in view`}</p>
    </div>
  );
}
