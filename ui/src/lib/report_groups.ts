/** Rows of the placement table: alike clocks of sequences and files are one row. */
import { big, type Int, type OtherLosses, type Placement, type Report } from './report_types';
import { certaintyOf } from './certainty';

/** One row of the table: a clock, or alike clocks of several sequences or files. */
export interface Group {
  members: Placement[];
  /** The first member, with sums of counts and the ranges of offsets and bounds of all members. */
  sum: Placement;
  files: string[];
  others: OtherLosses | null;
  lost: bigint;
}

function extreme(a: Int | null, b: Int | null, largest: boolean): Int | null {
  if (a === null || b === null) return a ?? b;
  return big(b) > big(a) === largest ? b : a;
}

const counts = ['placed', 'lost', 'lost_no_path', 'lost_ambiguous', 'lost_out_of_range', 'before_start'] as const;

function add(member: Placement, group: Group): void {
  const { sum } = group;
  for (const offset of [member.offset_start_ns, member.offset_end_ns]) {
    sum.offset_start_ns = extreme(sum.offset_start_ns, offset, false);
    sum.offset_end_ns = extreme(sum.offset_end_ns, offset, true);
  }
  sum.observations = extreme(sum.observations, member.observations, false) ?? 0;
  const isBounded = sum.uncertainty_ns !== null && member.uncertainty_ns !== null;
  sum.uncertainty_ns = isBounded ? extreme(sum.uncertainty_ns, member.uncertainty_ns, true) : null;
  sum.first_ts = extreme(sum.first_ts, member.first_ts, false);
  sum.last_ts = extreme(sum.last_ts, member.last_ts, true);
  for (const count of counts) sum[count] = (big(sum[count]) + big(member[count])).toString();
  group.members.push(member);
  group.lost += big(member.lost);
  if (!group.files.includes(member.file)) group.files.push(member.file);
}

const newGroup = (clock: Placement): Group => ({
  members: [clock],
  sum: { ...clock },
  files: [clock.file],
  others: null,
  lost: big(clock.lost),
});

/** Returns one group for each clock; those of sequences of one file with the same number and rule are one. */
function bySequence(placements: readonly Placement[]): Group[] {
  const groups: Group[] = [];
  const index = new Map<string, Group>();
  for (const clock of placements) {
    const key = JSON.stringify([clock.file, clock.machine, clock.clock, clock.rule]);
    const same = clock.sequence === null ? undefined : index.get(key);
    if (same) {
      add(clock, same);
      continue;
    }
    const group = newGroup(clock);
    if (clock.sequence !== null) index.set(key, group);
    groups.push(group);
  }
  return groups;
}

/** Adds losses that no clock has: to the only row of their file and machine, else as a row of their own. */
function withOtherLosses(groups: Group[], losses: readonly OtherLosses[]): Group[] {
  const rows = [...groups];
  for (const other of losses) {
    const count = big(other.read) + big(other.built);
    const own = rows.filter((g) => g.sum.file === other.file && g.sum.machine === other.machine);
    const only = own.length === 1 ? own[0] : undefined;
    if (only) {
      only.others = other;
      only.lost += count;
      only.sum.placed = (big(only.sum.placed) - big(other.built)).toString();
      continue;
    }
    const last = own[own.length - 1];
    const empty: Placement = {
      file: other.file, machine: other.machine, clock: '', sequence: null, rule: 'other', source: '', path: '',
      observations: 0, offset_start_ns: null, offset_end_ns: null, uncertainty_ns: null, first_ts: null, last_ts: null,
      placed: 0, lost: 0, lost_no_path: 0, lost_ambiguous: 0, lost_out_of_range: 0, before_start: 0,
    };
    const row: Group = { ...newGroup(empty), members: [], others: other, lost: count };
    rows.splice(last ? rows.indexOf(last) + 1 : rows.length, 0, row);
  }
  return rows;
}

/** Folds runs of at least `least` files that are alike, so that 512 ranks are one row. A row with losses stays alone. */
function folded(groups: Group[], least: number): Group[] {
  const keyOf = ({ sum, members }: Group): string =>
    JSON.stringify([sum.machine, sum.clock, sum.sequence !== null, sum.rule, sum.source, certaintyOf(sum), members.length]);
  const rows: Group[] = [];
  for (let at = 0; at < groups.length; ) {
    const first = groups[at];
    if (!first) break;
    const isAlike = (g: Group | undefined): boolean => !!g && g.lost === 0n && !g.others && keyOf(g) === keyOf(first);
    let end = at + 1;
    if (isAlike(first)) while (isAlike(groups[end])) end += 1;
    const run = groups.slice(at, end);
    if (run.length >= least) {
      const all: Group = { ...first, members: [...first.members], sum: { ...first.sum }, files: [...first.files] };
      for (const group of run.slice(1)) for (const member of group.members) add(member, all);
      rows.push(all);
    } else {
      rows.push(...run);
    }
    at = end;
  }
  return rows;
}

/** Returns the rows of the placement table; without `fold` each file has its own. */
export function groupsOf(report: Report, fold = true): Group[] {
  const rows = withOtherLosses(bySequence(report.placements), report.other_losses);
  return fold ? folded(rows, 4) : rows;
}

/** Returns the reasons of the lost events of a row: count and cause. */
export function causesOf({ sum, others }: Group): { count: bigint; cause: string }[] {
  const causes = [
    { count: big(sum.lost_no_path), cause: 'no path to the timeline' },
    { count: big(sum.lost_ambiguous), cause: 'ambiguous because the clock was set back' },
    { count: big(sum.lost_out_of_range), cause: 'out of the range of 64-bit times' },
    ...Object.entries(others?.causes ?? {}).map(([stat, count]) => ({ count: big(count), cause: stat })),
  ];
  return causes.filter((c) => c.count > 0n);
}
