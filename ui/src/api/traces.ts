/** Traces, jobs, reports, schema, server folders and settings: one function a route. */
import type { Report } from '../lib/report_types';
import { base, call, pathOf, send, type Answer, type ErrorPlace } from './http';

export interface Status {
  version: string;
  session: string;
  /** What the server has beyond traces and queries: `settings`, `files`, ... */
  features: string[];
  /** Names of the folders of the server that `--root` allows. */
  roots: string[];
}

export interface ProblemDocument {
  code: string;
  detail: string;
  title?: string;
  where?: ErrorPlace;
}

export interface Input {
  name: string;
  size?: number;
  path?: string;
  root?: string;
  upload?: string;
}

export interface TraceInfo {
  trace: string;
  name: string;
  state: 'opening' | 'open' | 'failed' | 'cancelled';
  inputs: Input[];
  job?: string;
  error?: ProblemDocument;
  /** Inputs that could not be opened; the others are. */
  missing: { file: string; message: string }[];
}

export interface Job {
  job: string;
  kind: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  stage?: string;
  unit?: string;
  done?: number;
  total?: number;
  elapsed_ms?: number;
  error?: ProblemDocument;
}

export interface SchemaColumn {
  name: string;
  type: string;
  description: string;
}

export interface SchemaTable {
  name: string;
  kind: string;
  description: string;
  rows?: number;
  module?: string;
  columns: SchemaColumn[];
}

export interface SchemaFunction {
  name: string;
  signature: string;
  description: string;
  module?: string;
}

export interface Schema {
  tables: SchemaTable[];
  functions: SchemaFunction[];
  modules: { name: string; description: string }[];
}

export interface Listing {
  entries: { name: string; kind: 'file' | 'folder'; size?: number }[];
  total: number;
}

export type FullReport = Report & { command?: string };

export async function status(): Promise<Status> {
  const { version, session, features, roots } = await call('GET /status', {});
  return { version, session, features: features ?? [], roots: roots ?? [] };
}

export async function listTraces(): Promise<TraceInfo[]> {
  const { traces } = await call('GET /traces', {});
  return traces.map((each) => {
    const { id, ...rest } = each as unknown as Answer<'GET /traces/{t}'>;
    return { ...rest, trace: id, missing: rest.missing ?? [] } as unknown as TraceInfo;
  });
}

/** Returns inputs as requests name them. */
export const namedInputs = (inputs: readonly Input[]): { path?: string; root?: string; upload?: string }[] =>
  inputs.map(({ path, root, upload }) => (upload !== undefined ? { upload } : { path: path ?? '', ...(root === undefined ? {} : { root }) }));

/** Begins to open inputs as one trace. `started` gets its id before others can see it. */
export async function openTrace(inputs: readonly Input[], manifest?: Record<string, unknown>, started?: (trace: string) => void): Promise<{ job: string; trace: string }> {
  const answer = await call('POST /traces', {}, { body: { inputs: namedInputs(inputs), ...(manifest ? { manifest } : {}) } });
  started?.(answer.trace);
  return answer;
}

export const closeTrace = (t: string): Promise<void> => call('DELETE /traces/{t}', { t });

/** Returns the text of the manifest that applies to all inputs of a trace, and which input it is. */
export const manifestOf = (t: string): Promise<{ manifest: string | null; input: number | null }> => call('GET /traces/{t}/manifest', { t });

export const report = async (t: string): Promise<FullReport> => (await call('GET /traces/{t}/report', { t })) as unknown as FullReport;
export const explain = (t: string, file: string): Promise<{ text: string }> => call('GET /traces/{t}/explain', { t }, { query: { file } });
export const job = async (j: string): Promise<Job> => (await call('GET /jobs/{j}', { j })) as unknown as Job;
/** Returns the address of the file that a job wrote. */
export const jobFile = (j: string): string => base + pathOf('GET /jobs/{j}/file', { j });
export const cancelJob = (j: string): Promise<void> => call('DELETE /jobs/{j}', { j });

interface Described {
  about?: string;
  module?: string;
}

interface SchemaAnswer {
  relations?: (Described & { name: string; kind: string; rows?: number | string; columns?: DescribedColumn[] })[];
  functions?: (Described & { name: string; signature?: string })[];
  modules?: (Described & { key: string; objects?: ModuleObject[] })[];
}

type DescribedColumn = Described & { name: string; type?: string };

/** What a module defines; statements can name it behind INCLUDE. */
type ModuleObject = Described & { name: string; kind: string; arguments?: DescribedColumn[]; columns?: DescribedColumn[]; returns?: string };

const columnOf = (c: DescribedColumn): SchemaColumn => ({ name: c.name, type: c.type ?? '', description: c.about ?? '' });

/** Returns a function's or macro's call: `name(a INT, b STRING) -> INT`. */
function signatureOf({ name, arguments: list, returns }: ModuleObject): string {
  const given = (list ?? []).map((a) => (a.type ? `${a.name} ${a.type}` : a.name)).join(', ');
  return `${name}(${given})${returns ? ` -> ${returns}` : ''}`;
}

/** Returns tables, functions and modules that statements of the trace can name. */
export async function schema(t: string): Promise<Schema> {
  const answer = (await call('GET /traces/{t}/schema', { t })) as unknown as SchemaAnswer;
  const module = (d: Described): { module?: string } => (d.module ? { module: d.module } : {});
  const own = (answer.relations ?? []).map((r): SchemaTable => ({
    name: r.name, kind: r.kind, description: r.about ?? '', ...module(r), ...(r.rows === undefined ? {} : { rows: Number(r.rows) }), columns: (r.columns ?? []).map(columnOf),
  }));
  const known = new Set(own.map((table) => table.name)); // a connection may have included a module
  const objects = (answer.modules ?? []).flatMap((m) => (m.objects ?? []).map((object) => ({ ...object, module: m.key })));
  const isRelation = (o: ModuleObject): boolean => o.kind === 'table' || o.kind === 'view';
  return {
    tables: [...own, ...objects.filter((o) => isRelation(o) && !known.has(o.name)).map((o): SchemaTable => ({ name: o.name, kind: o.kind, description: o.about ?? '', module: o.module, columns: (o.columns ?? []).map(columnOf) }))],
    functions: [
      ...(answer.functions ?? []).map((f): SchemaFunction => ({ name: f.name, signature: f.signature ?? '', description: f.about ?? '', ...module(f) })),
      ...objects.filter((o) => !isRelation(o)).map((o): SchemaFunction => ({ name: o.name, signature: signatureOf(o), description: o.about ?? '', module: o.module })),
    ],
    modules: (answer.modules ?? []).map((m) => ({ name: m.key, description: m.about ?? '' })),
  };
}

/** Lists a folder of the server below one of its roots. */
export async function listFolder(root: string, path: string, offset = 0): Promise<Listing> {
  const answer = await call('GET /files', {}, { query: { root, path, offset: String(offset) } });
  const entries = (answer.entries ?? []) as unknown as { name: string; kind: 'file' | 'folder'; size?: number | string }[];
  return {
    entries: entries.map(({ name, kind, size }) => ({ name, kind, ...(size === undefined ? {} : { size: Number(size) }) })),
    total: Number(answer.total ?? entries.length),
  };
}

/** Returns sizes and digests of a trace's files, the key of its states (null if the bytes are not from files), and whether it has one. */
export const identityOf = (t: string): Promise<{ key: string | null; has_state: boolean; inputs: { name: string; size: number; digest: string }[] }> => call('GET /traces/{t}/identity', { t });

export const loadState = (key: string): Promise<Record<string, unknown>> => call('GET /states/{key}', { key });
/** Keeps a state, which is JSON already. */
export const saveState = async (key: string, state: string): Promise<void> => {
  await send('PUT', pathOf('PUT /states/{key}', { key }), { headers: { 'Content-Type': 'application/json' }, body: state });
};

/** Returns the document of settings, an empty object at first. */
export const loadSettings = (): Promise<Record<string, unknown>> => call('GET /settings', {});
export const saveSettings = (settings: object): Promise<void> => call('PUT /settings', {}, { body: settings as Record<string, unknown> });
