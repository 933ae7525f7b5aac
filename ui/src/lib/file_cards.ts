/** The cards of the merge page: files, alike files as one, and files that could not be read. No DOM. */
import type { FileChange } from './dry_run';
import { patternFor } from './manifest';
import type { Placement, Report } from './report_types';
import { spanText } from './units';

export type Card =
  | { kind: 'file'; file: FileChange; isInside: boolean }
  /** Alike files; `files` has all, whether they are shown below or not. */
  | { kind: 'fold'; pattern: string; files: FileChange[]; isOpen: boolean }
  | { kind: 'unread'; file: string; reason: string };

const fewest = 6; // alike files that are one card

const keyOf = (file: FileChange): string => (file.lost > 0n ? '' : JSON.stringify([patternFor(file.file), file.rule, file.certainty]));

/** Returns the cards in the order of files. `open` has the patterns of folds whose files are shown. */
export function cardsOf(files: readonly FileChange[], report: Report, inputs: readonly string[], open: ReadonlySet<string>): Card[] {
  const alike = new Map<string, FileChange[]>();
  for (const file of files) {
    const key = keyOf(file);
    if (key === '') continue;
    const group = alike.get(key);
    if (group) group.push(file);
    else alike.set(key, [file]);
  }
  const cards: Card[] = [];
  for (const file of files) {
    const group = alike.get(keyOf(file)) ?? [];
    if (group.length < fewest) {
      cards.push({ kind: 'file', file, isInside: false });
      continue;
    }
    if (group[0] !== file) continue;
    const pattern = patternFor(file.file);
    const isOpen = open.has(pattern);
    cards.push({ kind: 'fold', pattern, files: group, isOpen });
    if (isOpen) for (const each of group) cards.push({ kind: 'file', file: each, isInside: true });
  }
  return [...cards, ...[...unreadOf(report, inputs)].map(([file, reason]) => ({ kind: 'unread' as const, file, reason }))];
}

/** Returns the files that have a problem and no clocks, which could not be read, with the reason. */
export function unreadOf(report: Report, inputs: readonly string[]): Map<string, string> {
  const read = new Set(report.placements.map((p) => p.file));
  const isInput = (file: string): boolean => inputs.some((name) => file === name || file.startsWith(`${name}/`) || file.endsWith(`/${name}`) || name.endsWith(`/${file}`));
  const reasons = new Map<string, string>();
  for (const { file, message, level } of report.problems) if (level === undefined && !read.has(file) && !reasons.has(file) && isInput(file)) reasons.set(file, message);
  return reasons;
}

/** Returns the bound of alike files: the largest; the text of the first one if none of them has one. */
export function worstBound(files: readonly FileChange[]): string {
  const bounds = files.map((f) => f.boundNs).filter((b): b is bigint => b !== null);
  const [first] = files;
  if (bounds.length === 0 || first?.certainty !== 'uncertain') return first?.bound ?? '';
  return `±${spanText(bounds.reduce((a, b) => (a > b ? a : b)))}`;
}

/** Returns the clocks of a file's events in words: "BOOTTIME, 7 sequences", "own timeline". */
export function clocksText(placements: readonly Placement[]): string {
  const names = [...new Set(placements.filter((p) => p.sequence === null && p.rule !== 'without_time').map((p) => (p.clock === 'private' ? 'own timeline' : p.clock)))].filter((n) => n !== '');
  const sequences = new Set(placements.flatMap((p) => (p.sequence === null ? [] : [String(p.sequence)]))).size;
  return [...names, ...(sequences > 0 ? [`${sequences} ${sequences === 1 ? 'sequence' : 'sequences'}`] : [])].join(', ');
}

const formats: Readonly<Record<string, string>> = { proto: 'Perfetto', json: 'Chrome JSON', systrace: 'Systrace', ftrace: 'ftrace', perf: 'perf', fuchsia: 'Fuchsia', android_logcat: 'logcat', strace: 'strace' };

/** Returns the name of a format as people know it. */
export const formatText = (type: string): string => formats[type] ?? type.replaceAll('_', ' ');
