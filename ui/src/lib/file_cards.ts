/** The cards of the merge page: files, alike files as one, and files that could not be read. No DOM. */
import type { FileChange } from './dry_run';
import { patternFor } from './manifest';
import { unreadFiles } from './report';
import type { Placement, Report } from './report_types';
import { counted, spanText, utcText } from './units';

/** Format, size and row of trace_file of a file, and its name in the archive that it is in. */
export interface FileFacts {
  type: string;
  size: number;
  row: number;
  own: string;
}

/** Returns the facts of files by the path by which a manifest names them: the names of the archives around a file and its own. */
export function factsOf(rows: readonly (readonly unknown[])[]): Map<string, FileFacts> {
  const paths = new Map<number, string>();
  const facts = new Map<string, FileFacts>();
  for (const [id, parent, name, type, size] of rows) {
    // The content of a compressed file has no name of its own, and replaces it.
    const path = [paths.get(Number(parent ?? -1)) ?? '', String(name ?? '')].filter((part) => part !== '').join('/');
    paths.set(Number(id), path);
    if (path !== '') facts.set(path, { type: String(type), size: Number(size), row: Number(id), own: String(name ?? '') });
  }
  return facts;
}

/** What a file contains that relates clocks. */
export interface Inside {
  clocks: readonly { name: string; snapshots: number }[];
  /** Sequences with clocks of their own. */
  sequences: number;
  syncMarkers: number;
  dates: readonly { moment: 'first_event' | 'last_event' | 'reading'; utc: bigint }[];
}

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

/** Returns the inputs, and files in them, that could not be read, with the first reason of each. */
export function unreadOf(report: Report, inputs: readonly string[]): Map<string, string> {
  const isInput = (file: string): boolean => inputs.some((name) => file === name || file.startsWith(`${name}/`) || file.endsWith(`/${name}`) || name.endsWith(`/${file}`));
  return new Map(unreadFiles(report).filter(isInput).map((file) => [file, report.problems.find((p) => p.file === file && (p.level ?? 'lost') === 'lost')?.message ?? '']));
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

/** Returns the clocks of a file with the number of snapshots that show each, alike ones together: "14 snapshots: BOOTTIME, REALTIME". */
export function snapshotsText({ clocks }: Inside): string {
  const byCount = new Map<number, string[]>();
  for (const { name, snapshots } of clocks) byCount.set(snapshots, [...(byCount.get(snapshots) ?? []), name]);
  return [...byCount].map(([count, names]) => `${counted(count, 'snapshot')}: ${names.join(', ')}`).join('; ');
}

const moments = { first_event: 'begins', last_event: 'ends', reading: 'states' } as const;

/** Returns the dates and anchors in a file: "begins 2026-11-20 12:03:04 UTC, 3 sync markers"; the first date of each kind. */
export function anchorsText({ dates, syncMarkers }: Inside): string {
  const kinds = [...new Set(dates.map((d) => d.moment))];
  const texts = kinds.map((kind) => `${moments[kind]} ${utcText(dates.find((d) => d.moment === kind)?.utc ?? 0n)}`);
  return [...texts, ...(syncMarkers > 0 ? [counted(syncMarkers, 'sync marker')] : [])].join(', ');
}

const formats: Readonly<Record<string, string>> = { proto: 'Perfetto', json: 'Chrome JSON', systrace: 'Systrace', ftrace: 'ftrace', perf: 'perf', fuchsia: 'Fuchsia', android_logcat: 'logcat', strace: 'strace' };

/** Returns the name of a format as people know it. */
export const formatText = (type: string): string => formats[type] ?? type.replaceAll('_', ' ');
