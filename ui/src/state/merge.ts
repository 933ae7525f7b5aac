/** The manifest that is edited on the merge page: its versions, the draft of the server that tries each, and the preview. */
import { signal } from '@preact/signals';
import { ApiError, errorText, hasCode } from '../api/http';
import * as drafts from '../api/drafts';
import { small } from '../api/queries';
import * as api from '../api/traces';
import { big } from '../lib/report_types';
import { factsOf, unreadOf, type FileFacts, type Inside } from '../lib/file_cards';
import { emptyManifest, manifestText, parseManifest } from '../lib/manifest';
import type { WireSuggestion } from '../lib/content';
import { wholeSpan, type Lane, type Snap, type Span } from '../lib/preview';
import { keepMeaning, type NamedFile } from '../lib/manifest_content';
import { hiddenTraces, refreshTraces } from './app';
import { forgetPairs } from './merge_pairs';
import { untilDone, untilRead } from './until_done';

/** What the page edits; `versions[at]` is the text that is shown. */
export interface Draft {
  trace: string;
  inputs: api.Input[];
  names: string[];
  facts: ReadonlyMap<string, FileFacts>;
  versions: string[];
  at: number;
  /** Whether the trace was opened with the first version; else the inputs state all themselves. */
  hasManifest: boolean;
}

/** The trial of a text. The report of the last text that could be tried stays until there is a newer one. */
export interface Trial {
  kind: 'none' | 'reading' | 'trying' | 'done' | 'failed';
  text: string;
  /** Of `failed`. */
  reason: string;
  report: drafts.DraftReport | null;
  elapsedMs: number;
}

const mostVersions = 200;
const pauseMs = 150;
const wholePauseMs = 400; // from a trial to its whole report
const mostWholeEvents = 500_000n; // the server opens inputs of more events only when it is asked to
const noTrial: Trial = { kind: 'none', text: '', reason: '', report: null, elapsedMs: 0 };

export const draft = signal<Draft | null>(null);
export const trial = signal<Trial>(noTrial);
/** Where the first version places the inputs, to compare with. */
export const baseReport = signal<drafts.DraftReport | null>(null);
/** Rows of trace_file in the draft, by path of the report. */
export const rowsOfFiles = signal<ReadonlyMap<string, number>>(new Map());

export interface Preview {
  /** What is shown; null: all events. */
  span: Span | null;
  /** What the lanes show, and of which version. */
  shown: Span;
  px: number;
  lanes: Lane[];
  version: string;
}
export const preview = signal<Preview>({ span: null, shown: { from: 0n, to: 1n }, px: 0, lanes: [], version: '' });

/** The suggestion that is pointed at: how far it moves which file. */
export const offered = signal<{ file: string; by: bigint } | null>(null);

/** What the files contain that relates clocks, by path of the report. */
export const insideOf = signal<ReadonlyMap<string, Inside>>(new Map());

let served: string | null = null;
let filesRead: readonly NamedFile[] = [];
let generation = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

const factsSql = 'SELECT id, parent_id, name, trace_type, size FROM trace_file ORDER BY id LIMIT 20000';

/** Loads the manifest of a trace, once, and lets the server read its inputs. Throws an ApiError. */
export async function beginDraft(trace: api.TraceInfo): Promise<void> {
  if (draft.peek()?.trace === trace.trace) return schedule(0);
  const [{ manifest, input }, { rows }] = await Promise.all([api.manifestOf(trace.trace), small(trace.trace, factsSql)]);
  const facts = factsOf(rows);
  await endDraft();
  draft.value = {
    trace: trace.trace, inputs: trace.inputs.filter((_, i) => i !== input), names: [...facts.keys()], facts, versions: [manifest ?? manifestText(emptyManifest())], at: 0, hasManifest: manifest !== null,
  };
  return schedule(0);
}

/** Adds a version behind the one that is shown. */
export function edit(text: string): void {
  const now = draft.value;
  if (!now || now.versions[now.at] === text) return;
  const versions = [...now.versions.slice(Math.max(0, now.at + 1 - mostVersions), now.at + 1), text];
  draft.value = { ...now, versions, at: versions.length - 1 };
  schedule();
}

/** Shows an earlier (−1) or a later (1) version. */
export function step(by: -1 | 1): void {
  const now = draft.value;
  if (!now || now.versions[now.at + by] === undefined) return;
  draft.value = { ...now, at: now.at + by };
  schedule();
}

/** Tries the text that is shown after a pause in which nothing changes. */
function schedule(after = pauseMs): void {
  generation += 1;
  const mine = generation;
  clearTimeout(timer);
  timer = setTimeout(() => void tryOut(mine), after);
}

/** Returns the draft of the server, which has read the inputs. Throws an ApiError, and nothing but null if another trial began. */
async function servedDraft(inputs: readonly api.Input[], mine: number): Promise<string | null> {
  if (served === null) {
    served = (await drafts.openDraft(inputs)).draft;
    trial.value = { ...trial.value, kind: 'reading' };
  }
  const id = served;
  return (await untilRead(id, () => mine === generation)) ? id : null;
}

/** Loads the rows and names of the files of the server's draft. The manifest keeps what it says of the files before. */
async function loadFiles(id: string, report: drafts.DraftReport): Promise<void> {
  const [lanes, inside] = await Promise.all([drafts.lanesOf(id, wholeSpan(report), 1), drafts.insideFiles(id)]);
  insideOf.value = inside;
  rowsOfFiles.value = new Map(lanes.map((l) => [l.path, l.file]));
  const files = lanes.map((l) => ({ path: l.path, name: l.name === '' ? l.path.slice(l.path.lastIndexOf('/') + 1) : l.name }));
  const before = filesRead;
  filesRead = files;
  const now = draft.peek();
  if (!now) return;
  draft.value = { ...now, names: [...new Set([...now.names, ...files.map((f) => f.name)])] };
  const manifest = parseManifest(now.versions[now.at] ?? '');
  if (before.length === 0 || typeof manifest === 'string') return;
  const kept = keepMeaning(manifest, before, files);
  if (kept !== manifest) edit(manifestText(kept));
}

/** Adds inputs to the files that are placed. The server reads all of them again; the manifest stays. Throws an ApiError. */
export async function addToDraft(inputs: readonly api.Input[]): Promise<void> {
  const now = draft.peek();
  if (!now || inputs.length === 0) return;
  const id = served;
  if (id !== null && (await untilRead(id, () => served === id))) await drafts.addInputs(id, inputs);
  draft.value = { ...now, ...draft.peek(), inputs: [...now.inputs, ...inputs] };
  rowsOfFiles.value = new Map();
  trial.value = { ...trial.peek(), kind: 'reading', text: '' };
  schedule(0);
}

/** Returns suggestions for a file of the last trial; none while there is no trial. */
export async function loadSuggestions(file: string): Promise<WireSuggestion[]> {
  const row = rowsOfFiles.peek().get(file);
  if (served === null || row === undefined || trial.peek().kind !== 'done') return [];
  return drafts.suggestionsFor(served, row);
}

/** Returns where a dragged file snaps; null if the server cannot say. */
export async function snapFile(file: string, by: bigint, reach: bigint, marks: readonly bigint[]): Promise<Snap | null> {
  const row = rowsOfFiles.peek().get(file);
  if (served === null || row === undefined || trial.peek().kind !== 'done') return null;
  try {
    return await drafts.snapOf(served, row, by, reach, marks);
  } catch (error) {
    if (error instanceof ApiError) return null; // the manifest was changed meanwhile
    throw error;
  }
}

/** Returns the event of a file nearest to a time, within `reach` ns; null if there is none or the server cannot say. */
export async function nearestEvent(file: string, ts: bigint, reach: bigint): Promise<{ ts: bigint; reading: bigint; clock: string | null } | null> {
  const row = rowsOfFiles.peek().get(file);
  if (served === null || row === undefined || trial.peek().kind !== 'done') return null;
  try {
    return await drafts.nearestOf(served, row, ts, reach);
  } catch (error) {
    if (error instanceof ApiError) return null; // the manifest was changed meanwhile
    throw error;
  }
}

async function tryOut(mine: number, isAgain = false): Promise<void> {
  const now = draft.peek();
  if (!now || mine !== generation) return;
  const text = now.versions[now.at] ?? '';
  if (trial.peek().kind === 'done' && trial.peek().text === text) return;
  const parsed = parseManifest(text);
  if (typeof parsed === 'string') {
    trial.value = { ...trial.value, kind: 'failed', text, reason: parsed };
    return;
  }
  const began = performance.now();
  trial.value = { ...trial.value, kind: 'trying', text };
  try {
    const id = await servedDraft(now.inputs, mine);
    if (id === null) return;
    const place = async (version: number): Promise<drafts.DraftReport> => {
      await drafts.tryManifest(id, version === 0 && !now.hasManifest ? null : (now.versions[version] ?? ''));
      return drafts.draftReport(id);
    };
    // A first trial that a change replaced within the pause has no whole report.
    const base = baseReport.peek();
    if (now.at > 0 && (base === null || isSmall(base))) {
      const first = await place(0);
      const whole = isSmall(first) ? await drafts.wholeReport(id) : first;
      if (mine !== generation) return;
      if (whole.version === first.version) baseReport.value = whole;
    }
    const report = await place(now.at);
    if (rowsOfFiles.peek().size === 0) await loadFiles(id, report);
    if (mine !== generation) return;
    if (baseReport.peek() === null) baseReport.value = report;
    trial.value = { kind: 'done', text, reason: '', report, elapsedMs: performance.now() - began };
    if (isSmall(report)) setTimeout(() => void complete(mine, id, report), wholePauseMs);
  } catch (error) {
    if (mine !== generation) return;
    if (hasCode(error, 'not_found') && !isAgain) {
      served = null; // the server dropped what nobody used
      return tryOut(mine, true);
    }
    trial.value = { ...trial.value, kind: 'failed', text, reason: errorText(error) };
  }
  return undefined;
}

const isSmall = (report: drafts.DraftReport): boolean => !report.whole && big(report.kept) + big(report.lost) <= mostWholeEvents;

/** Replaces the report of a trial by the whole one. Both reports that are compared are whole, or neither. */
async function complete(mine: number, id: string, placed: drafts.DraftReport): Promise<void> {
  const isFirst = draft.peek()?.at === 0;
  if (mine !== generation || (!isFirst && baseReport.peek()?.whole !== true)) return;
  try {
    const report = await drafts.wholeReport(id);
    if (mine !== generation || report.version !== placed.version) return;
    if (isFirst) baseReport.value = report;
    trial.value = { ...trial.peek(), report };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // the manifest was changed meanwhile; the trial of the next one says so
  }
}

let lanesGeneration = 0;

/** Loads the lanes of files for the span of the preview, one bucket a px. The newest request wins. */
export async function loadLanes(files: readonly string[], px: number): Promise<void> {
  const { kind, report } = trial.peek();
  const rows = files.map((file) => rowsOfFiles.peek().get(file)).filter((row): row is number => row !== undefined);
  lanesGeneration += 1;
  const mine = lanesGeneration;
  if (kind !== 'done' || report === null || served === null || rows.length === 0 || px < 1) return;
  const shown = preview.peek().span ?? wholeSpan(report);
  try {
    const lanes = await drafts.lanesOf(served, shown, Math.min(px, 4096), rows);
    if (mine === lanesGeneration) preview.value = { ...preview.peek(), shown, px, lanes, version: report.version };
  } catch (error) {
    // A manifest that breaks a rule has no lanes; the next one that does not loads them.
    if (!(error instanceof ApiError)) throw error;
  }
}

export function setSpan(span: Span | null): void {
  preview.value = { ...preview.peek(), span };
}

/** Forgets the draft and lets the server drop it. */
export async function endDraft(): Promise<void> {
  generation += 1;
  clearTimeout(timer);
  draft.value = null;
  trial.value = noTrial;
  baseReport.value = null;
  rowsOfFiles.value = new Map();
  preview.value = { span: null, shown: { from: 0n, to: 1n }, px: 0, lanes: [], version: '' };
  forgetPairs();
  const id = served;
  served = null;
  filesRead = [];
  insideOf.value = new Map();
  if (id !== null) await drafts.dropDraft(id).catch(() => undefined); // it is gone already
}

/** Returns the draft of the server that has tried the text that is shown; null while there is none. */
export function triedDraft(): string | null {
  const [now, tried] = [draft.value, trial.value];
  return now && tried.kind === 'done' && tried.text === now.versions[now.at] ? served : null;
}

/** Returns the inputs that could be read. */
export function readInputs(now: Draft, report: drafts.DraftReport | null): api.Input[] {
  if (report === null) return now.inputs;
  const unread = [...unreadOf(report, now.inputs.map((i) => i.name)).keys()];
  const left = now.inputs.filter((i) => !unread.some((file) => file === i.path || file === i.name || file.endsWith(`/${i.name}`)));
  return left.length === 0 ? now.inputs : left;
}

export type Opening = { kind: 'none' } | { kind: 'running'; stage: string } | { kind: 'failed'; reason: string };
export const opening = signal<Opening>({ kind: 'none' });

/** Opens the inputs with the manifest that is shown as a trace, and returns its id; null if it cannot be opened. */
export async function openWhole(): Promise<string | null> {
  const now = draft.peek();
  if (!now || opening.peek().kind === 'running') return null;
  opening.value = { kind: 'running', stage: '' };
  let opened: string | null = null;
  try {
    const isPlain = now.at === 0 && !now.hasManifest;
    const manifest = isPlain ? undefined : (JSON.parse(now.versions[now.at] ?? '') as Record<string, unknown>);
    const { job, trace } = await api.openTrace(readInputs(now, trial.peek().report), manifest, (id) => hiddenTraces.add(id));
    opened = trace;
    await untilDone(job, (stage) => (opening.value = { kind: 'running', stage }));
    hiddenTraces.delete(trace);
    opening.value = { kind: 'none' };
    await endDraft();
    await refreshTraces();
    return trace;
  } catch (error) {
    if (opened !== null) await api.closeTrace(opened).catch(() => undefined); // it failed to open
    opening.value = { kind: 'failed', reason: errorText(error) };
    return null;
  }
}
