/** Words and sums of the placement report: degrees of certainty, what a place rests on, the summary. No DOM. */
import { certaintyOf, type Certainty } from './certainty';
import type { Group } from './report_groups';
import { big, bigOrNull, type Loss, type Placement, type Report } from './report_types';
import { counted, offsetText, spanText } from './units';

/** Returns the bound in words: exact, stated, ±10.007 ms, no bound. */
export function boundText(clock: Placement): string {
  const certainty = certaintyOf(clock);
  if (certainty === 'lost') return 'not placed';
  if (certainty === 'none') return 'no clock';
  if (certainty === 'stated') return 'stated';
  if (certainty === 'certain') return 'exact';
  return clock.uncertainty_ns === null ? 'no bound' : `±${spanText(big(clock.uncertainty_ns))}`;
}

const rules: Readonly<Record<string, string>> = {
  is_timeline: 'is the timeline',
  same_clock: 'same clock as the timeline',
  measured: 'clocks read together',
  relayed: 'messages between the machines',
  manifest: 'manifest',
  rendezvous: 'wall clock of both machines',
  guessed: 'guess: assumed to be zero apart',
  unplaced: 'not placed: no path to the timeline',
  raw: 'its own times, unchanged',
  without_time: 'time of the event before',
  other: 'lost before or after placing',
};

/** Returns a rule of `placement` in words. A rule that is not known stays as it is. */
export const ruleWords = (rule: string): string => (Object.hasOwn(rules, rule) ? (rules[rule] ?? '') : rule); // a rule may be named "constructor"

/** Returns what the place of a clock rests on, in words. */
export function placedBy(clock: Placement): string {
  const seen = big(clock.observations) > 0n ? `, ${counted(big(clock.observations), 'snapshot')}` : '';
  if (clock.rule === 'is_timeline' || clock.rule === 'same_clock') return ruleWords(clock.rule);
  if (clock.source === 'sync_marker') return `sync markers in both files${seen}`;
  if (clock.source === 'task_switches') return 'task switches in both recordings';
  if (clock.source === 'collectives') return 'collectives of both ranks';
  if (clock.source === 'flows') return 'flows both ways';
  if (clock.source === 'markers') return 'markers in both files';
  if (clock.source === 'spans') return 'spans within spans of the other file';
  if (clock.source === 'same_events') return 'the same events in both files';
  if (clock.source === 'logs') return 'log lines in both files';
  if (clock.source === 'rpc') return 'calls and their replies';
  if (clock.source === 'packets') return 'packets both ways';
  if (clock.source === 'wakeups') return 'wakeups by another recorder';
  if (clock.source === 'barriers') return 'barriers of both ranks';
  if (clock.source === 'mpi') return 'messages of MPI';
  if (clock.source === 'start_time') return 'start of the file in wall-clock time';
  if (clock.source === 'date') return 'date of the recording';
  return ['measured', 'relayed', 'rendezvous'].includes(clock.rule) ? ruleWords(clock.rule) + seen : ruleWords(clock.rule);
}

/** Returns the name of the row's clock: "BOOTTIME", "64 of 7 sequences". */
export function clockLabel({ sum, members }: Group): string {
  if (sum.rule === 'other') return '';
  const sequences = members.filter((m) => m.sequence !== null).length;
  if (sequences > 1) return `${sum.clock} of ${counted(sequences, 'sequence')}`;
  return sum.sequence === null ? sum.clock : `${sum.clock} of sequence ${sum.sequence}`;
}

/** Returns the offset of a row at its first event, or the range over the members. The details have the drift. */
export function offsetOf({ sum, members }: Group): string {
  const start = bigOrNull(sum.offset_start_ns);
  const end = bigOrNull(sum.offset_end_ns);
  if (start === null) return '';
  if (end === null || end === start) return offsetText(start);
  const from = offsetText(start);
  const to = offsetText(end);
  return members.length > 1 && from !== to ? `${from} to ${to}` : from;
}

/** Returns the length of the common folder of all files, with its '/', which the page leaves out. */
export function commonFolder(files: readonly string[]): number {
  const first = files[0];
  if (first === undefined) return 0;
  let length = first.length;
  for (const file of files) {
    let n = 0;
    while (n < length && file[n] === first[n]) n += 1;
    length = n;
  }
  return length === 0 ? 0 : first.lastIndexOf('/', length - 1) + 1;
}

/** Returns a path without the common folder, unless nothing would stay. */
export function below(path: string, folder: number): string {
  return path.length > folder ? path.slice(folder) : path;
}

export interface Shares {
  exact: bigint;
  bounded: bigint;
  guessed: bigint;
  untimed: bigint;
  lost: bigint;
}

/** Returns the numbers of events by how they are placed. */
export function sharesOf(report: Report): Shares {
  const shares: Shares = { exact: 0n, bounded: 0n, guessed: 0n, untimed: 0n, lost: big(report.lost) };
  const kind = { certain: 'exact', stated: 'exact', uncertain: 'bounded', guessed: 'guessed', none: 'untimed' } as const;
  for (const clock of report.placements) {
    const certainty = certaintyOf(clock);
    if (certainty !== 'lost') shares[kind[certainty]] += big(clock.placed);
  }
  return shares;
}

/** Returns the files with losses that have no clock in the report. A problem may name a file without its folder. */
export function unreadFiles(report: Report): string[] {
  const placed = [...new Set(report.placements.map((p) => p.file))];
  const isPlaced = (file: string): boolean => placed.some((path) => path === file || path.endsWith(`/${file}`));
  return [...new Set(report.problems.filter((p) => (p.level ?? 'lost') === 'lost').map((p) => p.file))].filter((file) => file !== '' && !isPlaced(file));
}

/** Returns the machines in the order of the report; their index chooses their colour. */
export function machinesOf(report: Report): string[] {
  return [...new Set(report.placements.map((p) => p.machine))].filter((m) => m !== '' && m !== '-');
}

/** Returns the largest bound of a clock with events, null if one of them has none. */
export function largestBound(report: Report): bigint | null {
  let largest = 0n;
  for (const clock of report.placements) {
    const certainty = certaintyOf(clock);
    if (certainty === 'none' || certainty === 'lost' || big(clock.placed) === 0n) continue;
    const bound = bigOrNull(clock.uncertainty_ns);
    if (bound === null) return null;
    if (bound > largest) largest = bound;
  }
  return largest;
}

export interface Summary {
  certainty: Certainty;
  headline: string;
  detail: string;
  files: number;
}

const worst: readonly Certainty[] = ['none', 'certain', 'stated', 'uncertain', 'guessed', 'lost'];

const wide = 1_000_000n; // ns; a larger bound is named

/** Returns a sentence about the files whose bound is larger than 1 ms; empty without any. */
function wideBounds(report: Report): string {
  const byFile = new Map<string, Placement>();
  for (const clock of report.placements) {
    if (certaintyOf(clock) !== 'uncertain' || big(clock.placed) === 0n) continue;
    const bound = bigOrNull(clock.uncertainty_ns) ?? 0n;
    if (bound > wide && bound > (bigOrNull(byFile.get(clock.file)?.uncertainty_ns ?? null) ?? 0n)) byFile.set(clock.file, clock);
  }
  const files = [...byFile.values()].sort((a, b) => Number((bigOrNull(b.uncertainty_ns) ?? 0n) - (bigOrNull(a.uncertainty_ns) ?? 0n)));
  const [worst, ...others] = files;
  if (!worst) return '';
  const known = `${worst.file} is known within ${boundText(worst)} only`;
  return others.length === 0 ? ` The place of ${known}.` : ` The places of ${counted(files.length, 'file')} are known within more than 1 ms only; at worst, that of ${known}.`;
}

/** Returns the first sentences of the page: how many files are placed by what, and why the strict check fails. */
export function summaryOf(report: Report): Summary {
  const byFile = new Map<string, Certainty>();
  for (const clock of report.placements) {
    const certainty = certaintyOf(clock);
    const before = byFile.get(clock.file);
    if (!before || worst.indexOf(certainty) > worst.indexOf(before)) byFile.set(clock.file, certainty);
  }
  const unread = unreadFiles(report).length;
  const files = byFile.size + unread;
  const count = (c: Certainty): number => [...byFile.values()].filter((v) => v === c).length;
  const [guessed, lost] = [count('guessed'), count('lost')];
  const sound = byFile.size - guessed - lost;
  const is = (n: number): string => (n === 1 ? 'is' : 'are');
  const parts: string[] = [];
  if (guessed > 0) parts.push(`${guessed} by a guess`);
  if (lost > 0) parts.push(`${lost} ${is(lost)} not placed`);
  if (unread > 0) parts.push(`${unread} ${is(unread)} unread`);
  let headline = files === 1 ? 'The file is placed by evidence' : `All ${counted(files, 'file')} are placed by evidence`;
  if (files === 0) headline = 'No file has events';
  else if (parts.length > 0) headline = `${sound} of ${counted(files, 'file')} ${is(sound)} placed by evidence, ${parts.join(', ')}`;
  const more = report.trouble.length > 3 ? `; and ${report.trouble.length - 3} more` : '';
  const named = wideBounds(report);
  const detail =
    report.trouble.length === 0
      ? `${named === '' ? 'All traces line up on the shared timeline. ' : ''}The strict check passes.`
      : `The strict check fails: ${report.trouble.slice(0, 3).join('; ')}${more}.`;
  let certainty: Certainty = 'certain';
  if (unread > 0 || lost > 0 || big(report.lost) > 0n) certainty = 'lost';
  else if (guessed > 0) certainty = 'guessed';
  else if (!report.lines_up || report.trouble.length > 0 || named !== '') certainty = 'uncertain';
  return { certainty, headline, detail: detail + named, files };
}

export interface StatGroup {
  stat: string;
  level: string;
  description: string;
  count: bigint;
  places: Loss[];
}

/** Returns the stats that are not zero, each once with its files. */
export function statGroups(losses: readonly Loss[]): StatGroup[] {
  const groups = new Map<string, StatGroup>();
  for (const loss of losses) {
    const group = groups.get(loss.stat) ?? { stat: loss.stat, level: loss.level, description: loss.description, count: 0n, places: [] };
    group.count += big(loss.count);
    group.places.push(loss);
    groups.set(loss.stat, group);
  }
  return [...groups.values()];
}

/** Returns the stats of what was lost, left unpaired or repaired while the files were read. */
export const importWarnings = (report: { losses: readonly Loss[] }): StatGroup[] => statGroups(report.losses).filter((g) => g.level !== 'noted');

/** Returns the hops of a path: "BOOTTIME of watch > REALTIME of watch" has two clocks. */
export function hopsOf(path: string): string[] {
  return path === '' ? [] : path.split(' > ');
}
