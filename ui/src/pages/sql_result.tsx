/** A result of the SQL page: grid, order, filter, columns, copies, downloads, a cell in full. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { errorText, hasCode } from '../api/http';
import { downloadAddress, downloadFormats, rows as loadRows, viewParameters, type Condition, type DownloadFormat, type ResultInfo, type SortOrder } from '../api/queries';
import { isNumeric, toMarkdown, toSql, toTsv, type Cell, type Column, type TimeFormat } from '../lib/cells';
import { allColumns, moved, type ColumnOrder } from '../lib/column_order';
import { commonType } from '../lib/json_page';
import { meaningOf, referenceOf } from '../lib/links';
import { PageCache } from '../lib/page_cache';
import { machinesOf } from '../lib/report';
import { shown } from '../lib/text';
import { counted, countText } from '../lib/units';
import { copy } from '../state/notices';
import { change, settings } from '../state/settings';
import { run, showResult, type Outcome } from '../state/sql';
import { currentReport, pageStatus } from '../state/status';
import { Grid } from '../widgets/grid';
import { MenuButton, Tabs } from '../widgets/parts';
import { CellDialog } from './sql_cell';
import { Columns } from './sql_columns';
import { RowFilter } from './sql_filter';

/** Rows that a copy takes at most: the clipboard is no way for millions. */
const copyLimit = 10_000;

/** The view of the shown result, which the tools above the grid work on. */
interface View {
  result: ResultInfo;
  columns: Column[];
  total: number;
  selection: { from: number; to: number } | null;
  rows: (from: number, to: number) => Promise<Cell[][]>;
  visible: readonly number[];
  /** Order and filter, for downloads. */
  parameters: URLSearchParams;
}

const view = signal<View | null>(null);

async function copyAs(format: (columns: Column[], rows: Cell[][]) => string, what: string): Promise<void> {
  const now = view.value;
  if (!now) return;
  const { from, to } = now.selection ?? { from: 0, to: Math.min(now.total, copyLimit) - 1 };
  const end = Math.min(to + 1, from + copyLimit);
  const rows = await now.rows(from, end);
  const columns = now.visible.map((c) => now.columns[c]).filter((c): c is Column => c !== undefined);
  const chosen = rows.map((row) => now.visible.map((c) => row[c] ?? null));
  const cut = end < to + 1 || (!now.selection && now.total > copyLimit) ? `, the first of ${countText(now.selection ? to - from + 1 : now.total)}` : '';
  await copy(format(columns, chosen), `${counted(rows.length, 'row')}${cut} as ${what}`);
}

/** Returns the buttons between the query and its result. */
export function ResultTools({ outcome }: { outcome: Outcome }): JSX.Element {
  const result = outcome.results[outcome.shown];
  if (!result) return <></>;
  const now = view.value;
  const some = now?.selection ? counted(now.selection.to - now.selection.from + 1, 'row') : 'all rows';
  return (
    <>
      <label class="times">
        <span class="t2">Times</span>
        <select class="select" value={settings.value.times} onChange={(e) => change({ times: e.currentTarget.value as TimeFormat })}>
          <option value="raw">ns</option>
          <option value="seconds">seconds</option>
          <option value="utc">date</option>
        </select>
      </label>
      <MenuButton label="Copy" icon="copy" items={[
        { label: 'Tab-separated', hint: some, run: () => void copyAs(toTsv, 'tab-separated text') },
        { label: 'Markdown', hint: some, run: () => void copyAs(toMarkdown, 'Markdown') },
        { label: 'SQL', hint: some, run: () => void copyAs(toSql, 'SQL') },
      ]} />
      <MenuButton label="Download" icon="download"
        items={(Object.entries(downloadFormats) as [DownloadFormat, string][]).map(([format, label]) => ({ label, hint: `.${format === 'arrow' ? 'arrows' : format}`, href: downloadAddress(result.result, format, now?.result.result === result.result ? now.parameters : new URLSearchParams()) }))} />
    </>
  );
}

/** Returns the columns with what a page says of them. The type of a column that may hold any is that of the values seen so far. */
function learned(result: ResultInfo, before: readonly Column[], page: readonly Column[]): Column[] {
  return result.columns.map((declared, i) => {
    const seen = page[i] ?? { ...declared, meaning: '' };
    const known = before[i];
    const type = declared.type === 'mixed' && known && known.meaning !== '?' ? commonType([known.type, seen.type]) : seen.type;
    return { name: declared.name, type, meaning: meaningOf({ name: declared.name, type, meaning: seen.meaning }) };
  });
}

const isSame = (a: readonly Column[], b: readonly Column[]): boolean => a.every((c, i) => c.type === b[i]?.type && c.meaning === b[i].meaning);

/** Returns the largest magnitude of the column by which the rows are sorted, for its bars. It is in the first row or the last. */
function useBars(sort: SortOrder | null, columns: readonly Column[], total: number, cache: PageCache): { column: number; largest: number } | null {
  const [bars, setBars] = useState<{ column: number; largest: number } | null>(null);
  const column = sort ? columns[sort.column] : undefined;
  const canHave = sort !== null && column !== undefined && isNumeric(column) && column.meaning !== 'time_ns' && !referenceOf(column) && total > 0;
  useEffect(() => {
    if (!canHave) {
      setBars(null);
      return undefined;
    }
    let isCurrent = true;
    const magnitude = (row: Cell[] | undefined): number => Math.abs(Number(row?.[sort.column] ?? 0));
    Promise.all([cache.rows(0, 1), cache.rows(total - 1, total)]).then(
      ([first, last]) => {
        const largest = Math.max(magnitude(first[0]), magnitude(last[0]));
        if (isCurrent) setBars(largest > 0 ? { column: sort.column, largest } : null);
      },
      () => isCurrent && setBars(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [canHave, sort, total, cache]);
  return bars;
}

function ResultGrid({ result, tab, outcome }: { result: ResultInfo; tab: number; outcome: Outcome }): JSX.Element {
  const [columns, setColumns] = useState<Column[]>(() => result.columns.map((c) => ({ ...c, meaning: '?' })));
  const [order, setOrder] = useState<ColumnOrder>(() => allColumns(result.columns.length));
  const { visible } = order;
  const [sort, setSort] = useState<SortOrder | null>(null);
  const [filter, setFilter] = useState<Condition[]>([]);
  const [total, setTotal] = useState(result.rows);
  const [error, setError] = useState<unknown>(null);
  const [open, setOpen] = useState<{ cell: Cell; column: Column } | null>(null);
  const isFiltered = filter.length > 0;
  const timeline = currentReport.value?.timeline;
  const utcOffsetNs = timeline && timeline.start_utc_ns !== null ? BigInt(timeline.start_utc_ns) - BigInt(timeline.start_ts) : null;

  const parameters = useMemo(() => viewParameters(sort, filter, result.columns.map((c) => c.type)), [result.result, sort, filter]);
  const cache = useMemo(
    () =>
      new PageCache(async (offset, limit) => {
        const page = await loadRows(result.result, offset, limit, parameters, result.columns.some((c) => c.type === 'mixed'));
        setError(null);
        if (isFiltered) setTotal(page.total);
        setColumns((before) => {
          const next = learned(result, before, page.columns);
          return isSame(before, next) ? before : next;
        });
        return page.rows;
      }),
    [parameters],
  );
  useEffect(() => {
    let isCurrent = true;
    cache.forgetPartial();
    if (!isFiltered) setTotal(result.rows);
    // The number of rows behind a filter comes with the first page.
    else cache.rows(0, 1).catch((reason: unknown) => isCurrent && setError(reason));
    return () => {
      isCurrent = false;
    };
  }, [cache, result.rows]);
  useEffect(() => {
    view.value = { result, columns, total, selection: null, rows: (from, to) => cache.rows(from, to), visible, parameters };
  }, [cache, columns, total, visible]);
  useEffect(() => () => {
    view.value = null;
    pageStatus.value = [];
  }, []);
  useEffect(() => {
    pageStatus.value = [
      `${counted(result.rows, 'row')}, ${counted(result.columns.length, 'column')}`,
      ...(!isFiltered ? [] : [`${countText(total)} match the filter`]),
      'rows are kept on the server',
    ];
  }, [result, total, filter]);

  const machines = useMemo(() => (currentReport.value ? machinesOf(currentReport.value) : []), [currentReport.value]);
  const bars = useBars(sort, columns, total, cache);
  const nextSort = (column: number): void => {
    if (sort?.column !== column) setSort({ column, descending: false });
    else setSort(sort.descending ? null : { column, descending: true });
  };
  const isGone = hasCode(error, 'gone', 'not_found');
  return (
    <div class="grid-box" onKeyDown={(e) => {
      if ((e.ctrlKey || e.metaKey) && e.key === 'c' && view.value?.selection && !(e.target instanceof HTMLInputElement)) {
        e.preventDefault();
        void copyAs(toTsv, 'tab-separated text');
      }
    }}>
      <div class="grid-tools">
        <RowFilter columns={columns} conditions={filter} onChange={setFilter} />
        <label class="times">
          <span class="t2">Sort</span>
          <select class="select" value={sort ? String(sort.column) : ''} onChange={(e) => setSort(e.currentTarget.value === '' ? null : { column: Number(e.currentTarget.value), descending: sort?.descending ?? false })}>
            <option value="">as in the query</option>
            {columns.map((c, i) => <option key={i} value={String(i)}>{shown(c.name)}</option>)}
          </select>
        </label>
        {sort && <button type="button" class="btn ghost" onClick={() => setSort({ ...sort, descending: !sort.descending })}>{sort.descending ? 'largest first' : 'smallest first'}</button>}
        <Columns columns={columns} order={order} onChange={setOrder} />
        <span class="grow" />
        {isFiltered && <span class="t2" data-testid="matches">{countText(total)} of {countText(result.rows)} rows</span>}
      </div>
      {error !== null && (
        <p class="help bad strip-error" role="alert">
          {isGone ? 'The server has dropped these rows, as they were not used for long or memory was short.' : shown(errorText(error))}
          {isGone && <button type="button" class="btn" onClick={() => void run(tab, outcome.sql, outcome.offset)}>Run again</button>}
        </p>
      )}
      <Grid columns={columns} total={total} visible={visible} pinned={order.pinned} bars={bars} machines={machines} isLink={(column) => referenceOf(column) !== null} style={{ times: settings.value.times, utcOffsetNs }} sort={sort}
        version={JSON.stringify([result.result, sort, filter])} rows={(from, to) => cache.rows(from, to)} onSort={nextSort} onMove={(from, to) => setOrder(moved(order, from, to))}
        onOpen={(cell, column) => setOpen({ cell, column })} onError={setError}
        onSelect={(from, to) => view.value && (view.value = { ...view.value, selection: { from, to } })} />
      {open && <CellDialog cell={open.cell} column={open.column} utcOffsetNs={utcOffsetNs} onClose={() => setOpen(null)} />}
    </div>
  );
}

/** Returns the results of the tab; several have tabs of their own. */
export function ResultPanel({ tab, outcome }: { tab: number; outcome: Outcome }): JSX.Element {
  const result = outcome.results[outcome.shown];
  return (
    <div class="result-in">
      {outcome.results.length > 1 && (
        <div class="tabs">
          <Tabs label="Results" active={outcome.shown} onSelect={(at) => showResult(tab, at)}
            tabs={outcome.results.map((r, i) => ({ id: i, text: `Result ${i + 1}`, note: r.rows }))} />
        </div>
      )}
      {result && <ResultGrid key={result.result} result={result} tab={tab} outcome={outcome} />}
    </div>
  );
}
