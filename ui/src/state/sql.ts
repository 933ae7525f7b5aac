/** Tabs of the SQL page: texts, running statements, results. */
import { batch, computed, signal } from '@preact/signals';
import { ApiError, cancelled, hasCode } from '../api/http';
import * as queries from '../api/queries';
import { longestSlices } from '../lib/example_queries';
import { splitStatements } from '../lib/sql_split';
import { current } from './app';
import { remember } from './settings';

/** The statements of one run, and what came of them. */
export interface Outcome {
  trace: string;
  /** The text that was run, and its offset in the tab's text. */
  sql: string;
  offset: number;
  startedAt: number;
  elapsedMs: number;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Results with columns, in order; the last one may still grow. */
  results: queries.ResultInfo[];
  shown: number;
  /** What failed, and the statement whose lines the error counts. */
  error: ApiError | null;
  failedSql: string;
  failedOffset: number;
}

export interface Tab {
  id: number;
  title: string;
  text: string;
  outcome: Outcome | null;
}

let nextId = 1;
const newTab = (text: string, title = `query ${nextId}`): Tab => ({ id: nextId++, title, text, outcome: null });

export const tabs = signal<Tab[]>([newTab(longestSlices.sql, longestSlices.title)]);
export const activeId = signal(tabs.value[0]?.id ?? 1);
export const activeTab = computed<Tab>(() => tabs.value.find((t) => t.id === activeId.value) ?? (tabs.value[0] as Tab));

interface Running {
  isCancelled: boolean;
  query: string | null;
}

const running = new Map<number, Running>();
const workspaces = new Map<string, Promise<string | null>>();

export function updateTab(id: number, part: Partial<Tab>): void {
  tabs.value = tabs.value.map((t) => (t.id === id ? { ...t, ...part } : t));
}

function updateOutcome(id: number, part: Partial<Outcome>): void {
  const tab = tabs.value.find((t) => t.id === id);
  if (tab?.outcome) updateTab(id, { outcome: { ...tab.outcome, ...part } });
}

/** Opens a tab with a text. */
export function addTab(text = '', title?: string): void {
  const tab = newTab(text, title);
  batch(() => {
    tabs.value = [...tabs.value, tab];
    activeId.value = tab.id;
  });
}

/** Closes a tab and drops its results; the last one is replaced by an empty one. */
export function closeTab(id: number): void {
  cancel(id);
  const at = tabs.value.findIndex((t) => t.id === id);
  for (const r of tabs.value[at]?.outcome?.results ?? []) queries.drop(r.result);
  const rest = tabs.value.filter((t) => t.id !== id);
  batch(() => {
    tabs.value = rest.length > 0 ? rest : [newTab('')];
    if (activeId.value === id) activeId.value = tabs.value[Math.max(0, at - 1)]?.id ?? 1;
  });
}

/** Shows another result of the tab. */
export const showResult = (id: number, shown: number): void => updateOutcome(id, { shown });

/** Returns the workspace of the page for a trace, in which temporary tables and included modules stay. */
function workspaceOf(trace: string): Promise<string | null> {
  const known = workspaces.get(trace);
  if (known) return known;
  const made = queries.newWorkspace(trace).catch((error: unknown) => {
    workspaces.delete(trace);
    // All workspaces of the trace are taken: the statement runs in one that keeps nothing.
    if (hasCode(error, 'rate_limited', 'limit')) return null;
    throw error;
  });
  workspaces.set(trace, made);
  return made;
}

/** Makes the workspace of a trace before the first statement needs it. */
export function prepareWorkspace(trace: string): void {
  workspaceOf(trace).catch(() => undefined);
}

async function begin(trace: string, sql: string): Promise<{ query: string; result: string }> {
  try {
    return await queries.begin(trace, sql, await workspaceOf(trace));
  } catch (error) {
    // A restarted server does not know the workspace.
    if (!hasCode(error, 'gone', 'not_found') || !workspaces.delete(trace)) throw error;
    return queries.begin(trace, sql, await workspaceOf(trace));
  }
}

/** Milliseconds between questions about a running statement: often at first, so that short ones are shown at once. */
const pauses: readonly number[] = [4, 8, 15, 25, 40, 60, 100, 150];

/** Runs one statement to its end and shows its rows as they come. Throws its error. */
async function runStatement(id: number, trace: string, sql: string, run: Running): Promise<void> {
  const { query, result } = await begin(trace, sql);
  run.query = query;
  if (run.isCancelled) queries.cancel(query).catch(() => undefined);
  for (let n = 0; ; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, pauses[n] ?? 250));
    const [now, info] = await Promise.all([queries.query(query), queries.result(result).catch(() => null)]);
    const isEnded = now.state !== 'running' && now.state !== 'queued';
    if (info && info.columns.length > 0 && (info.rows > 0 || isEnded)) {
      const before = tabs.value.find((t) => t.id === id)?.outcome?.results ?? [];
      const others = before.filter((r) => r.result !== result);
      if (now.state !== 'failed' || info.rows > 0) updateOutcome(id, { results: [...others, info], shown: others.length });
    }
    if (!isEnded) continue;
    run.query = null;
    if (now.error) throw now.error;
    if (now.state === 'cancelled') throw cancelled();
    if (!info || info.columns.length === 0) queries.drop(result);
    return;
  }
}

/** Runs the statements of a part of the tab's text, one after the other. The rows stay on the server. */
export async function run(id: number, sql: string, offset: number): Promise<void> {
  const trace = current.value?.trace;
  const statements = splitStatements(sql);
  if (trace === undefined || statements.length === 0 || running.has(id)) return;
  const own: Running = { isCancelled: false, query: null };
  running.set(id, own);
  const startedAt = Date.now();
  for (const r of tabs.value.find((t) => t.id === id)?.outcome?.results ?? []) queries.drop(r.result);
  updateTab(id, {
    outcome: { trace, sql, offset, startedAt, elapsedMs: 0, state: 'running', results: [], shown: 0, error: null, failedSql: '', failedOffset: 0 },
  });
  remember(sql);
  const elapsed = (): number => Date.now() - startedAt;
  try {
    for (const { from, to } of statements) {
      if (own.isCancelled) throw cancelled();
      updateOutcome(id, { failedSql: sql.slice(from, to), failedOffset: offset + from });
      await runStatement(id, trace, sql.slice(from, to), own);
    }
    updateOutcome(id, { state: 'done', elapsedMs: elapsed() });
  } catch (error) {
    const problem = error instanceof ApiError ? error : new ApiError('internal', 0, String(error));
    const isCancelled = problem.code === 'cancelled' || own.isCancelled;
    updateOutcome(id, { state: isCancelled ? 'cancelled' : 'failed', error: isCancelled ? null : problem, elapsedMs: elapsed() });
  } finally {
    running.delete(id);
  }
}

/** Stops the tab's statement, and does not begin the next ones. */
export function cancel(id: number): void {
  const own = running.get(id);
  if (!own) return;
  own.isCancelled = true;
  if (own.query !== null) queries.cancel(own.query).catch(() => undefined);
}
