/** What the content of two files says of their clocks, as suggestions for the merge page. No DOM. */
import { clockNames, type Placing } from './manifest';
import { mobilityOf, type Suggestion } from './preview';
import type { Report } from './report_types';
import { countText, spanText } from './units';

/** A row of clock_match_set. */
export interface MatchSet {
  kind: string;
  files: readonly [string, string];
  /** Names of the two clocks; PRIVATE is a file's own timeline. */
  clocks: readonly [string, string];
  verdict: string;
  reason: string;
  detail: string;
  candidates: number;
  used: number;
  /** Reading of the second clock minus that of the first, ns. */
  offset: bigint | null;
  /** By how much the second clock runs faster, 1e-9. */
  ratePpb: bigint | null;
  bound: bigint | null;
}

const kinds: Readonly<Record<string, string>> = { task_switches: 'Task switches in both', collectives: 'Collectives of both ranks', flows: 'Flows stay in order', markers: 'Markers in both' };

/** Returns the name of a clock in a manifest; null if a manifest cannot name it. */
const nameable = (clock: string): string | null => (clock === 'PRIVATE' ? '' : clockNames.find((name) => name === clock) ?? null);

/** Returns the suggestions of content for a file that may be moved, and the sets that were refused, each with its reason. */
export function contentSuggestions(sets: readonly MatchSet[], report: Report, file: string, placing: Placing, nameOf: (file: string) => string, most = 4): Suggestion[] {
  if (mobilityOf(report, file) !== 'free') return [];
  const own = nameOf(file);
  const isOwn = (name: string): boolean => name === own || file === name || file.endsWith(`/${name}`);
  const found: Suggestion[] = [];
  for (const set of sets) {
    const at = isOwn(set.files[0]) ? 0 : isOwn(set.files[1]) ? 1 : null;
    if (at === null || found.length >= most) continue;
    const other = at === 0 ? 1 : 0;
    const text = kinds[set.kind] ?? set.kind;
    const clock = nameable(set.clocks[other]);
    if (set.offset === null || clock === null || set.clocks[at] !== 'PRIVATE') {
      if (set.verdict === 'refused') found.push({ text, detail: `${set.files[other]}: ${set.detail === '' ? set.reason : set.detail}`, placing: null });
      continue;
    }
    const offset = at === 0 ? set.offset : -set.offset;
    const isThere = placing.kind === 'offset' && placing.own === undefined && placing.file === set.files[other] && placing.clock === clock && placing.offset === offset;
    if (isThere) continue;
    const drift = set.ratePpb === null || set.ratePpb === 0n ? '' : `, drift ${(Number(set.ratePpb) / 1000).toFixed(3)} ppm`;
    const evidence = `${set.files[other]}: ${countText(set.used)} of ${countText(set.candidates)}${set.bound === null ? '' : `, ±${spanText(set.bound)}`}${drift}`;
    const refused = set.verdict === 'refused' ? `; refused: ${set.detail === '' ? set.reason : set.detail}` : '';
    found.push({ text, detail: evidence + refused, placing: { kind: 'offset', file: set.files[other], clock, offset } });
  }
  return found;
}
