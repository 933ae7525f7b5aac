/** The manifest that is edited on the merge page: its versions, and the trial of the last one. */
import { signal } from '@preact/signals';
import { ApiError, errorText } from '../api/http';
import * as api from '../api/traces';
import { small } from '../api/queries';
import { emptyManifest, manifestText } from '../lib/manifest';
import { hiddenTraces, refreshTraces } from './app';

export type Trial =
  | { kind: 'none' }
  | { kind: 'running'; text: string; stage: string }
  | { kind: 'done'; text: string; trace: string; report: api.FullReport; elapsedMs: number }
  | { kind: 'failed'; text: string; reason: string };

/** What the page edits; `versions[at]` is the text that is shown. */
export interface Draft {
  trace: string;
  inputs: api.Input[];
  names: string[];
  versions: string[];
  at: number;
}

const mostVersions = 200;

export const draft = signal<Draft | null>(null);
export const trial = signal<Trial>({ kind: 'none' });

/** Loads the manifest of a trace, once. Throws an ApiError. */
export async function beginDraft(trace: api.TraceInfo): Promise<void> {
  if (draft.peek()?.trace === trace.trace) return;
  const [{ manifest, input }, { rows }] = await Promise.all([api.manifestOf(trace.trace), small(trace.trace, 'SELECT name FROM trace_file WHERE name IS NOT NULL ORDER BY id LIMIT 20000')]);
  await dropTrial();
  draft.value = {
    trace: trace.trace, inputs: trace.inputs.filter((_, i) => i !== input), names: rows.map(([name]) => String(name)), versions: [manifest ?? manifestText(emptyManifest())], at: 0,
  };
}

/** Adds a version behind the one that is shown. */
export function edit(text: string): void {
  const now = draft.value;
  if (!now || now.versions[now.at] === text) return;
  const versions = [...now.versions.slice(Math.max(0, now.at + 1 - mostVersions), now.at + 1), text];
  draft.value = { ...now, versions, at: versions.length - 1 };
}

/** Shows an earlier (−1) or a later (1) version. */
export function step(by: -1 | 1): void {
  const now = draft.value;
  if (now && now.versions[now.at + by] !== undefined) draft.value = { ...now, at: now.at + by };
}

let generation = 0;

async function close(id: string): Promise<void> {
  hiddenTraces.add(id);
  await api.closeTrace(id).catch(() => undefined); // it is gone already
}

/** Ends the trial and closes its trace. */
export async function dropTrial(): Promise<void> {
  generation += 1;
  const old = trial.value;
  trial.value = { kind: 'none' };
  if (old.kind === 'done') await close(old.trace);
}

/** Opens the inputs with a manifest beside the trace that is shown, and keeps the report. The newest trial wins. */
export async function tryOut(text: string): Promise<void> {
  const now = draft.value;
  if (!now) return;
  await dropTrial();
  const mine = generation;
  const began = performance.now();
  trial.value = { kind: 'running', text, stage: '' };
  let opened: string | null = null;
  try {
    const { job, trace } = await api.openTrace(now.inputs, JSON.parse(text) as Record<string, unknown>, (id) => hiddenTraces.add(id));
    opened = trace;
    for (;;) {
      const state = await api.job(job);
      if (mine !== generation) return await close(trace);
      if (state.state === 'done') break;
      if (state.state === 'failed' || state.state === 'cancelled') throw new ApiError(state.error?.code ?? 'cancelled', 0, state.error?.detail ?? 'Cancelled.');
      trial.value = { kind: 'running', text, stage: state.stage ?? '' };
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const report = await api.report(trace);
    if (mine !== generation) return await close(trace);
    trial.value = { kind: 'done', text, trace, report, elapsedMs: performance.now() - began };
  } catch (error) {
    if (opened !== null) await close(opened);
    if (mine === generation) trial.value = { kind: 'failed', text, reason: errorText(error) };
  }
  return undefined;
}

/** Keeps the tried trace as one of the open ones, and returns its id. */
export async function keepTrial(): Promise<string | null> {
  const done = trial.value;
  if (done.kind !== 'done') return null;
  hiddenTraces.delete(done.trace);
  trial.value = { kind: 'none' };
  draft.value = null;
  await refreshTraces();
  return done.trace;
}
