/** What if: the trace placed without evidence that the user switches off, in a draft of the server; the trace itself stays. */
import { signal } from '@preact/signals';
import * as drafts from '../api/drafts';
import { errorText, hasCode } from '../api/http';
import { manifestOf, type TraceInfo } from '../api/traces';
import { untilRead } from './until_done';

export interface WhatIf {
  trace: string;
  /** Rows of clock_edge that are switched off. */
  off: readonly number[];
  kind: 'reading' | 'placing' | 'done' | 'failed';
  /** Of `failed`. */
  reason: string;
  /** With all evidence, and without that of `off`; null until there is one. */
  before: drafts.DraftReport | null;
  after: drafts.DraftReport | null;
}

/** Null: not asked. */
export const whatIf = signal<WhatIf | null>(null);

let served: string | null = null;
let manifest: string | null = null;
let generation = 0;

/** Lets the server read the inputs of the trace, and shows what all evidence does. */
export async function beginWhatIf(trace: TraceInfo): Promise<void> {
  endWhatIf();
  whatIf.value = { trace: trace.trace, off: [], kind: 'reading', reason: '', before: null, after: null };
  await place(trace);
}

async function setOff(trace: TraceInfo, offOf: (now: WhatIf) => readonly number[]): Promise<void> {
  const now = whatIf.peek();
  if (!now) return;
  whatIf.value = { ...now, off: offOf(now), kind: now.before ? 'placing' : 'reading' };
  await place(trace);
}

/** Switches an edge off, or on again. */
export const toggleEdge = (trace: TraceInfo, edge: number): Promise<void> =>
  setOff(trace, ({ off }) => (off.includes(edge) ? off.filter((e) => e !== edge) : [...off, edge].sort((a, b) => a - b)));

/** Switches all edges on again. */
export const switchAllOn = (trace: TraceInfo): Promise<void> => setOff(trace, () => []);

/** Returns the draft, which has read the inputs; null if another placing began meanwhile. */
async function servedDraft(trace: TraceInfo, isNewest: () => boolean): Promise<string | null> {
  if (served === null) {
    const given = await manifestOf(trace.trace);
    if (!isNewest()) return null;
    const { draft } = await drafts.openDraft(trace.inputs.filter((_, i) => i !== given.input));
    if (!isNewest() && (served !== null || whatIf.peek() === null)) {
      await drafts.dropDraft(draft).catch(() => undefined); // another call opened one
      return null;
    }
    served = draft;
    manifest = given.manifest;
  }
  const id = served;
  return (await untilRead(id, isNewest)) ? id : null;
}

async function place(trace: TraceInfo, isAgain = false): Promise<void> {
  generation += 1;
  const mine = generation;
  const isNewest = (): boolean => mine === generation;
  try {
    const id = await servedDraft(trace, isNewest);
    if (id === null) return;
    // Requests of an earlier placing may arrive between the two.
    const placed = async (off: readonly number[]): Promise<drafts.DraftReport | null> => {
      for (;;) {
        await drafts.tryManifest(id, manifest, off);
        const report = await drafts.draftReport(id);
        if (!isNewest()) return null;
        if ((report.without ?? []).map((e) => e.edge).join() === off.join()) return report;
      }
    };
    let before = whatIf.peek()?.before ?? null;
    if (before === null) before = await placed([]);
    if (before === null) return;
    const off = whatIf.peek()?.off ?? [];
    const after = off.length === 0 ? before : await placed(off);
    const now = whatIf.peek();
    if (now && after && isNewest()) whatIf.value = { ...now, kind: 'done', reason: '', before, after };
  } catch (error) {
    if (!isNewest()) return;
    if (hasCode(error, 'not_found') && !isAgain) {
      served = null; // the server dropped what nobody used
      return place(trace, true);
    }
    const now = whatIf.peek();
    if (now) whatIf.value = { ...now, kind: 'failed', reason: errorText(error) };
  }
}

/** Drops the draft. */
export function endWhatIf(): void {
  generation += 1;
  const id = served;
  served = null;
  manifest = null;
  whatIf.value = null;
  if (id !== null) drafts.dropDraft(id).catch(() => undefined);
}
