/** Traces, jobs, reports, schema, server folders and settings: one function a route. */
import type { Report } from '../lib/report_types';
import { call, json, type Answer, type ErrorPlace } from './http';

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

/** Begins to open inputs as one trace. */
export function openTrace(inputs: Input[]): Promise<{ job: string; trace: string }> {
  const named = inputs.map(({ path, root, upload }) => (upload !== undefined ? { upload } : { path: path ?? '', ...(root === undefined ? {} : { root }) }));
  return call('POST /traces', {}, { body: { inputs: named } });
}

export const closeTrace = (t: string): Promise<void> => call('DELETE /traces/{t}', { t });
export const report = async (t: string): Promise<FullReport> => (await call('GET /traces/{t}/report', { t })) as unknown as FullReport;
export const explain = (t: string, file: string): Promise<{ text: string }> => call('GET /traces/{t}/explain', { t }, { query: { file } });
export const job = async (j: string): Promise<Job> => (await call('GET /jobs/{j}', { j })) as unknown as Job;
export const cancelJob = (j: string): Promise<void> => call('DELETE /jobs/{j}', { j });

interface Described {
  about?: string;
  module?: string;
}

interface SchemaAnswer {
  relations?: (Described & { name: string; kind: string; rows?: number | string; columns?: (Described & { name: string; type?: string })[] })[];
  functions?: (Described & { name: string; signature?: string })[];
  modules?: (Described & { key: string })[];
}

/** Returns tables, functions and modules that statements of the trace can name. */
export async function schema(t: string): Promise<Schema> {
  const answer = (await call('GET /traces/{t}/schema', { t })) as unknown as SchemaAnswer;
  const module = (d: Described): { module?: string } => (d.module ? { module: d.module } : {});
  return {
    tables: (answer.relations ?? []).map((r) => ({
      name: r.name, kind: r.kind, description: r.about ?? '', ...module(r), ...(r.rows === undefined ? {} : { rows: Number(r.rows) }),
      columns: (r.columns ?? []).map((c) => ({ name: c.name, type: c.type ?? '', description: c.about ?? '' })),
    })),
    functions: (answer.functions ?? []).map((f) => ({ name: f.name, signature: f.signature ?? '', description: f.about ?? '', ...module(f) })),
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

/** Returns the document of settings, an empty object at first. */
export const loadSettings = (): Promise<Record<string, unknown>> => json('GET', '/settings');
export const saveSettings = (settings: unknown): Promise<void> => json('PUT', '/settings', settings);
