/** Traces, jobs, reports, schema, server folders and settings: one function a route. */
import type { Report } from '../lib/report_types';
import { json, type ErrorPlace } from './http';

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

const trace = (t: string): string => `/traces/${encodeURIComponent(t)}`;

export async function status(): Promise<Status> {
  const answer = await json<{ version: string; session: string; features?: string[]; roots?: string[] }>('GET', '/status');
  return { version: answer.version, session: answer.session, features: answer.features ?? [], roots: answer.roots ?? [] };
}

export async function listTraces(): Promise<TraceInfo[]> {
  const answer = await json<{ traces: (Omit<TraceInfo, 'trace' | 'missing'> & { id: string; missing?: TraceInfo['missing'] })[] }>('GET', '/traces');
  return answer.traces.map(({ id, ...rest }) => ({ ...rest, trace: id, missing: rest.missing ?? [] }));
}

/** Begins to open inputs as one trace. */
export function openTrace(inputs: Input[]): Promise<{ job: string; trace: string }> {
  const named = inputs.map(({ path, root, upload }) => (upload !== undefined ? { upload } : { path, ...(root === undefined ? {} : { root }) }));
  return json('POST', '/traces', { inputs: named });
}

export const closeTrace = (t: string): Promise<void> => json('DELETE', trace(t));
export const report = (t: string): Promise<FullReport> => json('GET', `${trace(t)}/report`);
export const explain = (t: string, file: string): Promise<{ text: string }> =>
  json('GET', `${trace(t)}/explain?file=${encodeURIComponent(file)}`);
export const job = (id: string): Promise<Job> => json('GET', `/jobs/${encodeURIComponent(id)}`);
export const cancelJob = (id: string): Promise<void> => json('DELETE', `/jobs/${encodeURIComponent(id)}`);

interface Described {
  about?: string;
  module?: string;
}

/** Returns tables, functions and modules that statements of the trace can name. */
export async function schema(t: string): Promise<Schema> {
  const answer = await json<{
    relations?: (Described & { name: string; kind: string; rows?: number | string; columns?: (Described & { name: string; type?: string })[] })[];
    functions?: (Described & { name: string; signature?: string })[];
    modules?: (Described & { key: string })[];
  }>('GET', `${trace(t)}/schema`);
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
  const query = new URLSearchParams({ root, path, offset: String(offset) });
  const answer = await json<{ entries: { name: string; kind: 'file' | 'folder'; size?: number | string }[]; total: number | string }>('GET', `/files?${query.toString()}`);
  return {
    entries: answer.entries.map(({ name, kind, size }) => ({ name, kind, ...(size === undefined ? {} : { size: Number(size) }) })),
    total: Number(answer.total),
  };
}

/** Returns the document of settings, an empty object at first. */
export const loadSettings = (): Promise<Record<string, unknown>> => json('GET', '/settings');
export const saveSettings = (settings: unknown): Promise<void> => json('PUT', '/settings', settings);
