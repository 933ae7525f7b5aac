/** Drafts: inputs that the server reads once, to try manifests on them. One function a route. */
import type { WireSuggestion } from '../lib/content';
import type { Inside } from '../lib/file_cards';
import type { Lane, LaneSlice, Snap, Span } from '../lib/preview';
import { big, bigOrNull, type Report } from '../lib/report_types';
import { call } from './http';
import { small } from './queries';
import { namedInputs, type Input } from './traces';

export interface DraftInfo {
  draft: string;
  state: 'reading' | 'ready' | 'failed' | 'cancelled';
  version: string;
  events: bigint;
  error: string;
}

/** The report of where a manifest places the inputs. */
export type DraftReport = Report & { version: string; placed_in_ms: number; whole: boolean; command?: string; without?: readonly SwitchedOff[] };

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

/** The report with what only opening the inputs finds; takes as long. */
export const wholeReport = async (d: string): Promise<DraftReport> => (await call('GET /drafts/{d}/check', { d })) as unknown as DraftReport;

/** Returns what files contain that relates clocks, by the path of reports; files without any are left out. */
export async function insideFiles(d: string): Promise<Map<string, Inside>> {
  const { files } = await call('GET /drafts/{d}/files', { d });
  return new Map(files.map((f) => [f.path, { clocks: f.clocks, sequences: f.sequences, syncMarkers: f.sync_markers, dates: f.dates.map(({ moment, utc_ns }) => ({ moment, utc: big(utc_ns) })) }]));
}

/** Returns the lanes of files (rows of trace_file), or of all; each px of the width is a bucket. */
export async function lanesOf(d: string, span: Span, px: number, files: readonly number[] = []): Promise<Lane[]> {
  const query = { from: String(span.from), to: String(span.to), px: String(px), ...(files.length === 0 ? {} : { files: files.join(',') }) };
  const { lanes } = await call('GET /drafts/{d}/lanes', { d }, { query });
  return lanes.map((l) => ({
    file: l.file, path: l.path, name: l.name, events: big(l.events), first: bigOrNull(l.first_ts), last: bigOrNull(l.last_ts), buckets: l.buckets, counts: l.counts, firsts: l.firsts.map(big),
  }));
}

/** Returns where a file (a row of trace_file) may belong, best first. */
export const suggestionsFor = async (d: string, file: number): Promise<WireSuggestion[]> => (await call('POST /drafts/{d}/suggest', { d }, { body: { file } })).suggestions;

/** Returns how far a file that is dragged by `by` ns moves to meet an event of another file within `reach` ns. */
export async function snapOf(d: string, file: number, by: bigint, reach: bigint, marks: readonly bigint[]): Promise<Snap> {
  const { by_ns: moves, to } = await call('POST /drafts/{d}/snap', { d }, { body: { file, by_ns: String(by), reach_ns: String(reach), marks: marks.map(String) } });
  return { by: big(moves), to: to === null ? null : { ts: big(to.ts), file: to.path, kind: to.kind } };
}

/** Returns the event of a file (a row of trace_file) nearest to a time, at most `reach` ns away. */
export async function nearestOf(d: string, file: number, ts: bigint, reach: bigint): Promise<{ ts: bigint; reading: bigint; clock: string | null } | null> {
  const { event } = await call('POST /drafts/{d}/nearest', { d }, { body: { file, ts: String(ts), reach_ns: String(reach) } });
  return event === null ? null : { ts: big(event.ts), reading: big(event.reading_ns), clock: event.clock };
}

/** Returns the slices of a file (a row of trace_file) of an open trace that touch a span, the first ones up to `most`. */
export async function slicesOf(t: string, file: number, span: Span, most: number): Promise<LaneSlice[]> {
  const { rows } = await small(t, `SELECT s.ts, s.dur, s.depth, s.name FROM slice s JOIN __intrinsic_track t ON t.id = s.track_id
    WHERE t.trace_id = ${file} AND s.ts < ${span.to} AND s.ts + max(s.dur, 0) >= ${span.from} ORDER BY s.ts, s.depth LIMIT ${most}`);
  return rows.map(([ts, dur, depth, name]) => ({ ts: big(String(ts)), dur: big(String(dur)), depth: Number(depth), name: String(name ?? '') }));
}

/** Returns the kinds of content that a manifest can name. */
export async function contentKinds(): Promise<string[]> {
  const { $defs: parts } = (await call('GET /manifest.schema.json', {})) as { $defs?: { kind?: { enum?: string[] } } };
  return parts?.kind?.enum ?? [];
}

/** Adds inputs to those of a draft, which the server reads again. */
export const addInputs = (d: string, inputs: readonly Input[]): Promise<{ draft: string; job: string }> => call('POST /drafts/{d}/files', { d }, { body: { inputs: namedInputs(inputs) } });

/** Packs the inputs and the manifest into one file, as a job whose file it is. */
export const packDraft = (d: string, format: 'tar' | 'zip'): Promise<{ job: string }> => call('POST /drafts/{d}/archive', { d }, { body: { format } });

export const dropDraft = (d: string): Promise<void> => call('DELETE /drafts/{d}', { d });
