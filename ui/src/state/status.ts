/** What the bars show of the open trace: files, machines, problems, and the page's own words. */
import { computed, effect, signal } from '@preact/signals';
import * as api from '../api/traces';
import { errorText } from '../api/http';
import { certaintyOf } from '../lib/certainty';
import { boundText, importWarnings, largestBound, machinesOf, summaryOf } from '../lib/report';
import type { Placement } from '../lib/report_types';
import { spanText } from '../lib/units';
import { current, generation } from './app';
import { route } from './route';
import { rememberTrace } from './settings';

/** The report of a trace; loaded once the trace is open, as the bars and two pages need it. */
export const reports = signal<ReadonlyMap<string, api.FullReport>>(new Map());
export const reportError = signal('');

/** Words of the status bar, or words with an action behind them. */
export type StatusWord = string | { text: string; action: string; run(): void };

/** Words of the shown page for the status bar. */
export const pageStatus = signal<StatusWord[]>([]);

export const currentReport = computed<api.FullReport | null>(() => {
  const trace = current.value;
  return trace ? (reports.value.get(trace.trace) ?? null) : null;
});

export const summaryLine = computed(() => {
  const report = currentReport.value;
  return {
    files: report ? summaryOf(report).files : 0,
    machines: report ? machinesOf(report).length : 0,
    troubles: report?.trouble.length ?? 0,
    warnings: report ? importWarnings(report).length : 0,
    left: pageStatus.value,
  };
});

const isLoading = new Set<string>();

async function load(trace: api.TraceInfo): Promise<void> {
  if (isLoading.has(trace.trace) || reports.value.has(trace.trace)) return;
  isLoading.add(trace.trace);
  try {
    const report = await api.report(trace.trace);
    reports.value = new Map(reports.value).set(trace.trace, report);
    reportError.value = '';
    note(trace, report);
  } catch (error) {
    reportError.value = errorText(error);
  } finally {
    isLoading.delete(trace.trace);
  }
}

/** Adds an opened trace to the recent ones, with its machines and its largest bound. */
function note(trace: api.TraceInfo, report: api.FullReport): void {
  const bound = largestBound(report);
  const guessed = new Set(report.placements.filter((p: Placement) => certaintyOf(p) === 'guessed').map((p) => p.file)).size;
  const summary = summaryOf(report);
  const first = report.placements[0];
  let text = bound === null || bound === 0n ? (first ? boundText(first) : 'no events') : `±${spanText(bound)}`;
  if (guessed > 0) text = `${guessed} guessed`;
  const certainty = guessed > 0 ? 'guessed' : summary.certainty === 'lost' ? 'lost' : bound === 0n ? 'certain' : 'uncertain';
  rememberTrace({
    name: trace.name, inputs: trace.inputs, files: summary.files, machines: machinesOf(report).length,
    bound: text, certainty, at: Date.now(),
  });
}

/** True once the timeline has shown its tiles. */
export const isTimelineDrawn = signal(false);

/** True if the report should wait no longer for the timeline, which another page shows, or which cannot be drawn. */
const hasWaited = signal(false);
const longestWait = 1500;

// The report of many files is as large as the tree: the first frame of the timeline, to which a new address leads, comes before it.
effect(() => {
  const trace = current.value;
  void generation.value;
  if (trace?.state !== 'open') return;
  const isFirst = route.value.page === 'timeline' || route.value.page === 'start';
  if (isFirst && !isTimelineDrawn.value && !hasWaited.value) setTimeout(() => (hasWaited.value = true), longestWait);
  else void load(trace);
});
