/** What a changed manifest does: the reports before and after, file by file. No DOM. */
import { certaintyOf, type Certainty } from './certainty';
import { boundText, placedBy } from './report';
import { big, bigOrNull, type Placement, type Report } from './report_types';

export interface FileChange {
  file: string;
  machine: string;
  placed: bigint;
  lost: bigint;
  rule: string;
  /** Clocks from the least certain one of the file to the timeline. */
  path: string;
  bound: string;
  /** The bound of its least certain clock; null: none. */
  boundNs: bigint | null;
  certainty: Certainty;
  /** From its first event to its last one; null without events. */
  span: bigint | null;
  /** The same before; null for a file that the first report does not have. */
  before: { placed: bigint; lost: bigint; bound: string; certainty: Certainty; machine: string; path: string; first: bigint | null } | null;
  /** How far the file's first event moved, ns. */
  moved: bigint | null;
}

const order: readonly Certainty[] = ['none', 'certain', 'stated', 'uncertain', 'guessed', 'lost'];

interface Sum {
  worst: Placement;
  placed: bigint;
  lost: bigint;
  first: bigint | null;
  last: bigint | null;
}

/** Sums up the clocks of each file: counts, the earliest event, and the least certain clock with events. */
function byFile(report: Report): Map<string, Sum> {
  const files = new Map<string, Sum>();
  for (const p of report.placements) {
    const [first, last] = [bigOrNull(p.first_ts), bigOrNull(p.last_ts)];
    const sum = files.get(p.file);
    if (!sum) {
      files.set(p.file, { worst: p, placed: big(p.placed), lost: big(p.lost), first, last });
      continue;
    }
    sum.placed += big(p.placed);
    sum.lost += big(p.lost);
    if (first !== null && (sum.first === null || first < sum.first)) sum.first = first;
    if (last !== null && (sum.last === null || last > sum.last)) sum.last = last;
    const [a, b] = [order.indexOf(certaintyOf(p)), order.indexOf(certaintyOf(sum.worst))];
    if (a > b || (a === b && (bigOrNull(p.uncertainty_ns) ?? -1n) > (bigOrNull(sum.worst.uncertainty_ns) ?? -1n))) sum.worst = p;
  }
  return files;
}

/** How many events of a file are lost, by reason. */
export interface FileLosses {
  file: string;
  lost: bigint;
  reasons: { text: string; count: bigint }[];
}

const lossReasons = [
  ['lost_no_path', 'no clock leads from theirs to the timeline'], ['lost_ambiguous', 'their clock showed the time twice'], ['lost_out_of_range', 'their time does not fit into 64 bits'], ['before_start', 'they lie before the start of the timeline'],
] as const;

/** Returns the files with lost events, those with the most first. */
export function lossesOf(report: Report): FileLosses[] {
  const byFile = new Map<string, FileLosses>();
  for (const p of report.placements) {
    if (big(p.lost) === 0n) continue;
    const losses = byFile.get(p.file) ?? { file: p.file, lost: 0n, reasons: [] };
    byFile.set(p.file, losses);
    losses.lost += big(p.lost);
    let left = big(p.lost);
    for (const [member, text] of lossReasons) {
      const count = big(p[member]) < left ? big(p[member]) : left; // events before the start may be kept
      if (count === 0n) continue;
      left -= count;
      const known = losses.reasons.find((r) => r.text === text);
      if (known) known.count += count;
      else losses.reasons.push({ text, count });
    }
  }
  for (const { file, machine, read, built, causes } of report.other_losses) {
    const count = big(read) + big(built);
    if (count === 0n) continue;
    const losses = byFile.get(file) ?? { file, lost: 0n, reasons: [] };
    byFile.set(file, losses);
    losses.lost += count;
    losses.reasons.push({ text: Object.keys(causes).join(', ') || `events of ${machine}`, count });
  }
  return [...byFile.values()].sort((a, b) => (a.lost === b.lost ? 0 : a.lost > b.lost ? -1 : 1));
}

/** Returns the files of a report, with what another report before it said of them. */
export function changesOf(before: Report, after: Report): FileChange[] {
  const old = byFile(before);
  return [...byFile(after)].map(([file, now]) => {
    const was = old.get(file);
    return {
      file, machine: now.worst.machine, placed: now.placed, lost: now.lost, rule: placedBy(now.worst), path: now.worst.path, bound: boundText(now.worst), boundNs: bigOrNull(now.worst.uncertainty_ns), certainty: certaintyOf(now.worst),
      span: now.first !== null && now.last !== null ? now.last - now.first : null,
      before: was ? { placed: was.placed, lost: was.lost, bound: boundText(was.worst), certainty: certaintyOf(was.worst), machine: was.worst.machine, path: was.worst.path, first: was.first } : null,
      moved: was && was.first !== null && now.first !== null ? now.first - was.first : null,
    };
  });
}

/** Returns the number of causes that lie behind their effects in another file, by more than the bounds of the clocks. */
export const violations = (report: Report): bigint => (report.causality ?? []).reduce((sum, c) => sum + big(c.certain) + big(c.unknown), 0n);

/** Returns the number of problems that say that clocks contradict each other. */
export const contradictions = (report: Report): bigint => BigInt(report.problems.filter((p) => /contradict|away from where/.test(p.message)).length);

/** Returns the name by which a manifest names a file of the report: the longest of `names` that is the end of its path. */
export function manifestName(file: string, names: ReadonlySet<string>): string {
  if (names.has(file)) return file;
  for (let slash = file.indexOf('/'); slash >= 0; slash = file.indexOf('/', slash + 1)) {
    const rest = file.slice(slash + 1);
    if (names.has(rest)) return rest;
  }
  return file.slice(file.lastIndexOf('/') + 1);
}
