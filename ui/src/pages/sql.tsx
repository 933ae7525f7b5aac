/** The SQL page: schema at the left, tabs of queries with their results at the right. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api/http';
import { errorLines } from '../lib/error_lines';
import { offsetOf, statementAt } from '../lib/sql_split';
import { counted, elapsedText } from '../lib/units';
import { current, link } from '../state/app';
import { shownKey } from '../state/keys';
import { schemaOf } from '../state/schema';
import { activeId, activeTab, addTab, cancel, closeTab, prepareWorkspace, run, tabs, updateTab, type Outcome } from '../state/sql';
import { Editor, type EditorHandle } from '../widgets/editor';
import { Icon } from '../widgets/icon';
import { Tabs } from '../widgets/parts';
import { onEscape, runSql } from './commands';
import { ResultPanel, ResultTools } from './sql_result';
import { SideBar } from './sql_side';

function QueryTabs(): JSX.Element {
  return (
    <div class="tabs">
      <Tabs label="Queries" active={activeId.value} onSelect={(id) => (activeId.value = id)}
        tabs={tabs.value.map((tab) => ({ id: tab.id, text: tab.title, note: tab.outcome?.state === 'running' ? 'running' : undefined }))} />
      <button type="button" class="btn ghost icon" aria-label="New query" title="New query" onClick={() => addTab()}><Icon name="plus" /></button>
      <span class="grow" />
      <button type="button" class="btn ghost icon" aria-label="Close this query" title="Close this query" onClick={() => closeTab(activeId.value)}><Icon name="close" /></button>
    </div>
  );
}

/** Shows the time since the start while a statement runs. */
function Running({ outcome }: { outcome: Outcome }): JSX.Element {
  const [now, setNow] = useState(Date.now());
  const rows = outcome.results[outcome.results.length - 1]?.rows ?? 0;
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 100);
    return () => window.clearInterval(timer);
  }, []);
  return (
    <span class="t2" role="status" data-testid="running">
      running, {elapsedText(Math.max(1, now - outcome.startedAt))}
      {rows > 0 && `, ${counted(rows, 'row')} so far`}
    </span>
  );
}

function Summary({ outcome }: { outcome: Outcome }): JSX.Element {
  const result = outcome.results[outcome.shown];
  const rows = result ? counted(result.rows, 'row') : '';
  if (outcome.state === 'cancelled') return <span class="t2" role="status">cancelled after {elapsedText(outcome.elapsedMs)}{rows !== '' && `, ${rows} until then`}</span>;
  if (outcome.state === 'failed') return <span class="bad" role="status">failed after {elapsedText(outcome.elapsedMs)}</span>;
  return (
    <span class="t2" role="status" data-testid="summary">
      <b>{rows || 'done, no rows'}</b> in {elapsedText(outcome.elapsedMs)}
    </span>
  );
}

/** Shows an error with the line of the statement and a caret below the column. */
function SqlError({ error, sql }: { error: ApiError; sql: string }): JSX.Element {
  const { line, column } = error.where ?? {};
  const title = error.code === 'sql_error' ? 'The statement failed' : error.code === 'limit' ? 'A limit ended the statement' : 'The query failed';
  return (
    <div class="sql-error" role="alert" data-testid="sql-error">
      <p class="head">
        <Icon name="lost" />
        {title}
        {line !== undefined && <span class="t2">line {line}{column !== undefined && `, column ${column}`} of the statement</span>}
      </p>
      <pre tabIndex={0}>{errorLines(error.detail, sql, line, column)}</pre>
      {error.hint !== '' && <p class="t2" data-testid="sql-hint">{error.hint}</p>}
    </div>
  );
}

function Outlook({ outcome }: { outcome: Outcome | null }): JSX.Element {
  if (!outcome) return <div class="empty"><p>Run a statement to see its rows here. They stay on the server; the grid asks for what it shows.</p></div>;
  if (outcome.error) return <SqlError error={outcome.error} sql={outcome.failedSql} />;
  if (outcome.results.length === 0 && outcome.state === 'running') return <div class="empty"><p>No rows yet.</p></div>;
  if (outcome.results.length === 0 && outcome.state === 'cancelled') return <div class="empty"><p>The statement was cancelled.</p></div>;
  if (outcome.results.length === 0) return <div class="empty"><p>The statements are done. They gave no rows.</p></div>;
  return <ResultPanel key={`${activeId.value} ${outcome.startedAt}`} tab={activeId.value} outcome={outcome} />;
}

const minEditor = 80;

/** Returns the line between editor and result; dragging it or arrow keys change the editor's height. */
function Splitter({ height, onChange }: { height: number; onChange: (height: number) => void }): JSX.Element {
  const drag = useRef<{ y: number; height: number } | null>(null);
  return (
    <div class="splitter" role="separator" aria-orientation="horizontal" aria-label="Height of the editor" tabIndex={0} aria-valuenow={Math.round(height)} aria-valuemin={minEditor} aria-valuemax={800}
      onPointerDown={(e) => {
        drag.current = { y: e.clientY, height };
        e.currentTarget.setPointerCapture(e.pointerId);
      }}
      onPointerMove={(e) => drag.current && onChange(drag.current.height + e.clientY - drag.current.y)}
      onPointerUp={() => (drag.current = null)}
      onKeyDown={(e) => {
        const step = e.key === 'ArrowDown' ? 20 : e.key === 'ArrowUp' ? -20 : 0;
        if (step !== 0) {
          e.preventDefault();
          onChange(height + step);
        }
      }} />
  );
}

export function SqlPage(): JSX.Element {
  const tab = activeTab.value;
  const { outcome } = tab;
  const editor = useRef<EditorHandle | null>(null);
  const [height, setHeight] = useState(190);
  const trace = current.value?.trace ?? null;
  const schema = schemaOf(trace);
  useEffect(() => {
    if (trace !== null) prepareWorkspace(trace);
  }, [trace]);
  const isRunning = outcome?.state === 'running';

  const runAll = (): void => void run(tab.id, activeTab.value.text, 0);
  const runHere = (): void => {
    const { id, text } = activeTab.value; // not `tab`: runSql keeps the function of the first render
    const selected = editor.current?.selection();
    const statement = statementAt(text, editor.current?.cursor() ?? 0);
    if (selected) void run(id, selected.text, selected.offset);
    else if (statement) void run(id, text.slice(statement.from, statement.to), statement.from);
  };
  useEffect(() => {
    runSql.value = runHere;
    onEscape.value = () => cancel(activeId.value);
    return () => {
      runSql.value = null;
      onEscape.value = null;
    };
  }, []);
  useEffect(() => {
    const place = outcome?.error?.where;
    if (outcome?.error && place?.line !== undefined) {
      const from = outcome.failedOffset + offsetOf(outcome.failedSql, place.line, place.column ?? 1);
      const word = /^[\w.$]+/.exec(tab.text.slice(from))?.[0].length ?? 1;
      editor.current?.mark({ from, to: from + word, text: outcome.error.detail.split('\n')[0] ?? '' });
    } else {
      editor.current?.mark(null);
    }
  }, [outcome?.state, outcome?.startedAt]);
  const clamped = Math.max(minEditor, Math.min(height, window.innerHeight - 260));
  return (
    <div class="sql">
      <h1 class="sr">SQL</h1>
      <SideBar schema={schema} onInsert={(sql, title) => addTab(sql, title)} />
      <section class="work" aria-label="Query" style={{ gridTemplateRows: `30px ${clamped}px 5px 34px minmax(0, 1fr)` }}>
        <QueryTabs />
        <Editor text={tab.text} document={tab.id} schema={schema} onChange={(text) => updateTab(activeId.value, { text })} onRun={runHere}
          handle={(handle) => (editor.current = handle)} />
        <Splitter height={clamped} onChange={setHeight} />
        <div class="run">
          {isRunning ? (
            <button type="button" class="btn danger" onClick={() => cancel(tab.id)}><Icon name="stop" />Cancel<span class="mono keyhint">Esc</span></button>
          ) : (
            <button type="button" class="btn primary" disabled={link.value.kind === 'lost'} onClick={runHere} title="Runs the selection, or the statement at the cursor">
              <Icon name="play" />Run<span class="mono keyhint">{shownKey('Mod+Enter')}</span>
            </button>
          )}
          {!isRunning && <button type="button" class="btn" disabled={link.value.kind === 'lost'} onClick={runAll}>Run all</button>}
          {outcome && (isRunning ? <Running outcome={outcome} /> : <Summary outcome={outcome} />)}
          <span class="grow" />
          {outcome && outcome.results.length > 0 && !outcome.error && <ResultTools outcome={outcome} />}
        </div>
        <div class="result"><Outlook outcome={outcome} /></div>
      </section>
    </div>
  );
}
