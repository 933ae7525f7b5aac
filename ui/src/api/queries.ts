/** Queries whose rows stay on the server, and pages of their results. */
import { decodePage, type Page } from '../lib/arrow';
import type { CellType } from '../lib/cells';
import { jsonPage, type JsonRows } from '../lib/json_page';
import { ApiError, base, call, pathOf, problemOf, send } from './http';

export type RunState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

/** A result that the server keeps; `rows` grows while its statement runs. */
export interface ResultInfo {
  result: string;
  state: RunState;
  rows: number;
  columns: { name: string; type: CellType }[];
}

export interface QueryInfo {
  state: RunState;
  elapsedMs: number;
  error: ApiError | null;
}

/** The column by which the server sorts a result, and in which direction. */
export interface SortOrder {
  column: number;
  descending: boolean;
}

export const operators = ['contains', '=', '!=', '<', '<=', '>', '>=', 'null', 'notnull'] as const;
export type Operator = (typeof operators)[number];

/** Returns true if the operator compares with a value. */
export const needsValue = (operator: Operator): boolean => operator !== 'null' && operator !== 'notnull';

/** A condition on the rows of a result. Conditions are joined by AND. */
export interface Condition {
  column: number;
  operator: Operator;
  value: string;
}

export const newWorkspace = async (t: string): Promise<string> => (await call('POST /traces/{t}/workspaces', { t }, { body: {} })).workspace;

/** Begins one statement, whose rows stay on the server. Returns at once. */
export async function begin(t: string, sql: string, workspace: string | null): Promise<{ query: string; result: string }> {
  const { query, result } = await call('POST /traces/{t}/queries', { t }, { body: { sql, keep: true, async: true, ...(workspace === null ? {} : { workspace }) } });
  if (query === undefined || result === undefined) throw new ApiError('http_200', 200, 'The server began no query.');
  return { query, result };
}

/** Cancels a query. */
export const cancel = (q: string): Promise<void> => call('DELETE /queries/{q}', { q });

/** Returns the state of a query that runs or ended within the last 10 minutes. */
export async function query(q: string): Promise<QueryInfo> {
  const { state, elapsed_ms, error } = await call('GET /queries/{q}', { q });
  return { state, elapsedMs: elapsed_ms, error: error ? problemOf(error) : null };
}

/** Returns the columns of a result, and the rows that it has so far. */
export async function result(r: string): Promise<ResultInfo> {
  const { state, rows, columns } = await call('GET /results/{r}', { r });
  return { result: r, state, rows, columns: columns as ResultInfo['columns'] };
}

/** Returns the parameters of a sorted and filtered view of a result whose columns have these types. */
export function viewParameters(sort: SortOrder | null, filter: readonly Condition[], types: readonly CellType[]): URLSearchParams {
  const parameters = new URLSearchParams();
  if (sort) parameters.set('sort', `${sort.descending ? '-' : ''}${sort.column}`);
  if (filter.length > 0) parameters.set('filter', JSON.stringify(filter.map((c) => [c.column, c.operator, valueOf(c, types[c.column])])));
  return parameters;
}

/** Returns the value of a condition as JSON: a number for columns of numbers where that is exact. */
function valueOf({ operator, value }: Condition, type: CellType | undefined): string | number | null {
  if (!needsValue(operator)) return null;
  const number = Number(value);
  const isExact = value.trim() !== '' && (type === 'double' ? Number.isFinite(number) : Number.isSafeInteger(number));
  return operator !== 'contains' && (type === 'int' || type === 'double') && isExact ? number : value;
}

export interface RowsPage extends Page {
  /** The rows of the result that pass the filter, so far. */
  total: number;
}

/**
 * Returns up to 10,000 rows of a result, sorted and filtered by the server. Columns that may hold several types are texts
 * in Arrow, so a result with such columns comes as JSON, which keeps the type of each value.
 */
export async function rows(r: string, offset: number, limit: number, view: URLSearchParams, isMixed: boolean, signal?: AbortSignal): Promise<RowsPage> {
  const path = pathOf('GET /results/{r}/rows', { r }, { ...Object.fromEntries(view), offset: String(offset), limit: String(limit) });
  const response = await send('GET', path, {
    headers: { Accept: isMixed ? 'application/json' : 'application/vnd.apache.arrow.stream' },
    ...(signal ? { signal } : {}),
  });
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') ?? false;
  const page = isJson ? jsonPage((await response.json()) as JsonRows) : decodePage(new Uint8Array(await response.arrayBuffer()));
  return { ...page, total: Number(response.headers.get('Tracebraid-Total') ?? page.rows.length) };
}

/** Formats of downloads and their names. */
export const downloadFormats = { csv: 'CSV', json: 'JSON', ndjson: 'JSON lines', arrow: 'Arrow stream' } as const;
export type DownloadFormat = keyof typeof downloadFormats;

/** Returns the address from which the browser downloads a view of a result. */
export function downloadAddress(r: string, format: DownloadFormat, view: URLSearchParams): string {
  return base + pathOf('GET /results/{r}/file', { r }, { ...Object.fromEntries(view), format });
}

/** Drops a result. Errors do not matter: the server drops unused results by itself. */
export function drop(r: string): void {
  call('DELETE /results/{r}', { r }).catch(() => undefined);
}

/** Returns the rows of the last statement as JSON values. For small results of the page's own queries. */
export async function small(t: string, sql: string): Promise<{ columns: string[]; rows: unknown[][] }> {
  const { sets } = await call('POST /traces/{t}/queries', { t }, { body: { sql } });
  const { columns, rows } = sets?.at(-1) ?? { columns: [], rows: [] };
  return { columns: (columns as { name: string }[]).map((c) => c.name), rows };
}
