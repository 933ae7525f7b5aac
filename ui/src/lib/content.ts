/** Suggestions of the server for the place of a file: what its content has in common with others, dates inside, equal events. No DOM. */
import type { Placing } from './manifest';
import { manifestName } from './dry_run';
import { movedPlacing, type Suggestion } from './preview';
import { big, bigOrNull, type Report } from './report_types';
import { countText, spanText } from './units';

/** What the server says; times are decimal texts of ns. */
export interface WireSuggestion {
  kind: string;
  file: number;
  /** Path of the other file as in the report. */
  path: string;
  /** Name of its clock in a manifest; empty: its own timeline. */
  clock: string;
  offset_ns: string | null;
  rate_ppb: string | null;
  bound_ns: string | null;
  candidates: string;
  used: string;
  residual_p50_ns: string | null;
  residual_p99_ns: string | null;
  by_ns: string | null;
  start: string | null;
  refused: string | null;
}

const kinds: Readonly<Record<string, string>> = {
  sync_marker: 'Sync markers in both', markers: 'Markers in both', task_switches: 'Task switches in both', collectives: 'Collectives of both ranks', flows: 'Flows stay in order',
  spans: 'Parents before their spans', same_events: 'The same events in both', logs: 'The same log lines in both', rpc: 'Calls before their answers', packets: 'Packets sent before they arrive',
  mpi: 'Messages sent before they arrive', wakeups: 'Wakeups before the woken run', barriers: 'Barriers of both', date: 'Date inside', first_events: 'Equal first events', last_events: 'Equal last events',
};

/** Returns the name of a kind of content in a list. */
export const kindName = (kind: string): string => kind.replaceAll('_', ' ').replace(/^rpc|^mpi/, (name) => name.toUpperCase());

/** Returns what a kind of evidence means; one that the page does not know yet has its name. */
export const kindText = (kind: string): string => kinds[kind] ?? `In common: ${kindName(kind)}`;

/** Returns what the moments in common say: how many fit, how exactly, and how they lie about the line. */
function evidenceText(s: WireSuggestion, name: string): string {
  const parts = [`${countText(big(s.used))} of ${countText(big(s.candidates))}`];
  if (s.bound_ns !== null) parts.push(`±${spanText(big(s.bound_ns))}`);
  const rate = bigOrNull(s.rate_ppb) ?? 0n;
  if (rate !== 0n) parts.push(`drift ${(Number(rate) / 1000).toFixed(3)} ppm`);
  if (s.residual_p50_ns !== null && s.residual_p99_ns !== null) parts.push(`residuals p50 ${spanText(big(s.residual_p50_ns))}, p99 ${spanText(big(s.residual_p99_ns))}`);
  return `${name}: ${parts.join(', ')}`;
}

const isThere = (now: Placing, next: Placing): boolean =>
  (next.kind === 'offset' && now.kind === 'offset' && now.own === undefined && now.file === next.file && now.clock === next.clock && now.offset === next.offset)
  || (next.kind === 'start' && now.kind === 'start' && now.time === next.time);

/** Returns the suggestions for a file, without those that say where it is already. Files are named as the manifest names them. */
export function suggestionsFrom(found: readonly WireSuggestion[], report: Report, file: string, placing: Placing, names: ReadonlySet<string>, most = 6): Suggestion[] {
  const nameOf = (path: string): string => manifestName(path, names);
  const shown: Suggestion[] = [];
  for (const s of found) {
    const name = nameOf(s.path);
    const text = kindText(s.kind);
    const isEqualEvent = s.offset_ns === null && s.start === null && s.refused === null;
    const next: Placing | null = s.start !== null ? { kind: 'start', time: s.start }
      : s.offset_ns !== null ? { kind: 'offset', file: name, clock: s.clock, offset: big(s.offset_ns) }
        : isEqualEvent && s.by_ns !== null ? movedPlacing(report, file, placing, big(s.by_ns), nameOf) : null;
    const isApplicable = next?.kind === 'offset' || next?.kind === 'start';
    if ((isApplicable && isThere(placing, next)) || (!isApplicable && s.refused === null)) continue;
    const evidence = s.start !== null ? s.start : isEqualEvent ? name : s.offset_ns === null ? name : evidenceText(s, name);
    const refused = s.refused === null ? '' : s.offset_ns === null ? `: ${s.refused}` : `; refused: ${s.refused}`;
    shown.push({ text, detail: evidence + refused, placing: isApplicable ? next : null, by: bigOrNull(s.by_ns) });
    if (shown.length >= most) break;
  }
  return shown;
}
