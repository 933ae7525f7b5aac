/** The side bar of the SQL page: tables with their columns, functions, modules; history and saved queries below. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Schema, SchemaTable } from '../api/traces';
import { exampleQueries, type ExampleQuery } from '../lib/example_queries';
import { filtered } from '../lib/filter';
import { shortened, shown } from '../lib/text';
import { agoText, countText } from '../lib/units';
import { change, settings } from '../state/settings';
import { activeTab } from '../state/sql';
import { Icon } from '../widgets/icon';
import { Tabs } from '../widgets/parts';

type Insert = (sql: string, title?: string) => void;

const quoted = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : `"${name.replace(/"/g, '""')}"`);

function TableItem({ table, onInsert }: { table: SchemaTable; onInsert: Insert }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div class="item">
        <button type="button" class="twisty" aria-expanded={isOpen} title={shown(table.description)} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <span class="cut">{shown(table.name)}</span>
        </button>
        <span class="ty mono">{table.rows === undefined ? '' : countText(table.rows)}</span>
        <button type="button" class="act" aria-label={`Query ${table.name}`} title="Query this table"
          onClick={() => onInsert(`SELECT * FROM ${quoted(table.name)};\n`, table.name)}>
          <Icon name="play" small />
        </button>
      </div>
      {isOpen && (
        <ul>
          {table.columns.map((column) => (
            <li key={column.name} class="item d1" title={shown(column.description)}>
              <span class="cut">{shown(column.name)}</span>
              <span class="ty">{shown(column.type)}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function ModuleItem({ name, text, onInsert }: { name: string; text: string; onInsert: Insert }): JSX.Element {
  return (
    <li class="item">
      <button type="button" class="twisty" title={shown(text)} onClick={() => onInsert(`INCLUDE PERFETTO MODULE ${name};\n`, name)}>
        <Icon name="plus" />
        <span class="cut">{shown(name)}</span>
      </button>
    </li>
  );
}

type Kind = 'tables' | 'functions' | 'modules';

function SchemaList({ schema, onInsert }: { schema: Schema | null; onInsert: Insert }): JSX.Element {
  const [query, setQuery] = useState('');
  const [kind, setKind] = useState<Kind>('tables');
  const isFiltered = query.trim() !== '';
  // Tables of modules exist after INCLUDE only, so they stand at their module.
  const own = (schema?.tables ?? []).filter((t) => !t.module && (isFiltered || !t.name.startsWith('_')));
  const tables = filtered(own, query, (t) => t.name);
  const functions = filtered((schema?.functions ?? []).filter((f) => isFiltered || !f.module), query, (f) => f.name);
  const modules = filtered(schema?.modules ?? [], query, (m) => m.name);
  return (
    <>
      <div class="panel-h small">
        <label class="field soft">
          <Icon name="filter" small />
          <input aria-label="Filter the schema" placeholder="Filter" value={query} onInput={(e) => setQuery(e.currentTarget.value)} />
        </label>
      </div>
      <div class="tabs">
        <Tabs label="Schema" active={kind} onSelect={setKind}
          tabs={[{ id: 'tables', text: 'Tables', note: tables.length }, { id: 'functions', text: 'Functions', note: functions.length }, { id: 'modules', text: 'Modules', note: modules.length }]} />
      </div>
      <div class="scroll" tabIndex={0} role="group" aria-label="Schema" aria-busy={schema === null}>
        <ul class="tree">
          {kind === 'tables' && tables.map((t) => <TableItem key={t.name} table={t} onInsert={onInsert} />)}
          {kind === 'functions' && functions.map((f) => (
            <li key={f.name} class="item fn" title={shown(f.description)}>
              <span class="cut mono">{shown(f.signature || f.name)}</span>
            </li>
          ))}
          {kind === 'modules' && modules.map((m) => <ModuleItem key={m.name} name={m.name} text={m.description} onInsert={onInsert} />)}
        </ul>
      </div>
    </>
  );
}

function History({ onInsert }: { onInsert: Insert }): JSX.Element {
  const [query, setQuery] = useState('');
  const { history } = settings.value;
  const found = filtered(history, query, (h) => h.sql);
  return (
    <>
      {history.length > 8 && (
        <label class="field soft find">
          <input aria-label="Search the history" placeholder="Search the history" value={query} onInput={(e) => setQuery(e.currentTarget.value)} />
        </label>
      )}
      <ul class="tree">
        {found.slice(0, 200).map((h) => (
          <li key={h.sql} class="item">
            <button type="button" class="twisty" title={shortened(h.sql, 600)} onClick={() => onInsert(`${h.sql}\n`)}>
              <span class="cut mono">{shortened(h.sql.replace(/\s+/g, ' '), 90)}</span>
            </button>
            <span class="ty">{agoText(h.at, Date.now())}</span>
          </li>
        ))}
      </ul>
      {history.length === 0 && <p class="t3 note">Statements that you run stand here.</p>}
    </>
  );
}

function Saved({ onInsert }: { onInsert: Insert }): JSX.Element {
  const { saved } = settings.value;
  const [name, setName] = useState('');
  const save = (event: Event): void => {
    event.preventDefault();
    const title = name.trim() || activeTab.value.title;
    change({ saved: [{ name: title, sql: activeTab.value.text }, ...saved.filter((s) => s.name !== title)] });
    setName('');
  };
  return (
    <>
      <form class="save-form" onSubmit={save}>
        <label class="field soft"><input aria-label="Name of the saved query" placeholder={activeTab.value.title} value={name} onInput={(e) => setName(e.currentTarget.value)} /></label>
        <button type="submit" class="btn"><Icon name="save" />Save</button>
      </form>
      <ul class="tree">
        {saved.map((s) => (
          <li key={s.name} class="item">
            <button type="button" class="twisty" title={shortened(s.sql, 600)} onClick={() => onInsert(s.sql, s.name)}><span class="cut">{shown(s.name)}</span></button>
            <button type="button" class="act" aria-label={`Delete ${s.name}`} title="Delete" onClick={() => change({ saved: saved.filter((other) => other !== s) })}><Icon name="close" small /></button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns the queries over tables that the trace has rows in. */
function examplesFor(schema: Schema | null): ExampleQuery[] {
  const has = (name: string): boolean => (schema?.tables ?? []).some((t) => t.name === name && t.rows !== 0);
  return exampleQueries.filter((e) => has(e.table));
}

type Lower = 'history' | 'saved' | 'examples';

export function SideBar({ schema, onInsert }: { schema: Schema | null; onInsert: Insert }): JSX.Element {
  const [lower, setLower] = useState<Lower>('history');
  return (
    <section class="panel side" aria-label="Schema and history">
      <SchemaList schema={schema} onInsert={onInsert} />
      <div class="tabs above">
        <Tabs label="Queries to reuse" active={lower} onSelect={setLower}
          tabs={[{ id: 'history', text: 'History' }, { id: 'saved', text: 'Saved', note: settings.value.saved.length }, { id: 'examples', text: 'Examples' }]} />
      </div>
      <div class="scroll lower" tabIndex={0} role="group" aria-label="Queries to reuse">
        {lower === 'history' && <History onInsert={onInsert} />}
        {lower === 'saved' && <Saved onInsert={onInsert} />}
        {lower === 'examples' && (
          <ul class="tree">
            {examplesFor(schema).map((e) => (
              <li key={e.title} class="item">
                <button type="button" class="twisty" title={e.sql} onClick={() => onInsert(e.sql, e.title)}><span class="cut">{e.title}</span></button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
