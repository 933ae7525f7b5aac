/** Drafts: inputs that the server reads once, to try manifests on them. One function a route. */
import type { Lane, Span } from '../lib/preview';
import { big, bigOrNull, type Report } from '../lib/report_types';
import { call } from './http';
import { namedInputs, type Input } from './traces';

export interface DraftInfo {
  draft: string;
  state: 'reading' | 'ready' | 'failed' | 'cancelled';
  version: string;
  events: bigint;
  error: string;
}

/** The report of where a manifest places the inputs. */
export type DraftReport = Report & { version: string; placed_in_ms: number; command?: string; without?: readonly SwitchedOff[] };

/** Evidence of one kind between two clocks, which a draft is placed without. */
export interface SwitchedOff {
  /** Row of clock_edge. */
  edge: number;
  from: string;
  to: string;
  kind: string;
}

/** Begins to read inputs. */
export const openDraft = (inputs: readonly Input[]): Promise<{ draft: string; job: string }> => call('POST /drafts', {}, { body: { inputs: namedInputs(inputs) } });

export async function draftOf(d: string): Promise<DraftInfo> {
  const { draft, state, version, events, error } = await call('GET /drafts/{d}', { d });
  return { draft, state, version, events: big(events), error: String((error as { detail?: string } | undefined)?.detail ?? '') };
}

/** Replaces the manifest by a text; null: the inputs are placed as they state themselves. `without`: rows of clock_edge that are ignored. */
export const tryManifest = (d: string, manifest: string | null, without: readonly number[] = []): Promise<{ version: string }> =>
  call('PUT /drafts/{d}', { d }, { body: { manifest, ...(without.length === 0 ? {} : { without: [...without] }) } });

export const draftReport = async (d: string): Promise<DraftReport> => (await call('GET /drafts/{d}/report', { d })) as unknown as DraftReport;

/** Returns the lanes of files (rows of trace_file), or of all; each px of the width is a bucket. */
export async function lanesOf(d: string, span: Span, px: number, files: readonly number[] = []): Promise<Lane[]> {
  const query = { from: String(span.from), to: String(span.to), px: String(px), ...(files.length === 0 ? {} : { files: files.join(',') }) };
  const { lanes } = await call('GET /drafts/{d}/lanes', { d }, { query });
  return lanes.map((l) => ({
    file: l.file, path: l.path, events: big(l.events), first: bigOrNull(l.first_ts), last: bigOrNull(l.last_ts), buckets: l.buckets, counts: l.counts, firsts: l.firsts.map(big),
  }));
}

/** Packs the inputs and the manifest into one file, as a job whose file it is. */
export const packDraft = (d: string, format: 'tar' | 'zip'): Promise<{ job: string }> => call('POST /drafts/{d}/archive', { d }, { body: { format } });

export const dropDraft = (d: string): Promise<void> => call('DELETE /drafts/{d}', { d });
