/** The report's words and sums, over the report of the examples and over made-up ones. */
import { expect, test } from 'vitest';
import { certaintyOf } from '../../src/lib/certainty';
import { below, boundText, clockLabel, commonFolder, hopsOf, largestBound, machinesOf, offsetOf, placedBy, sharesOf, statGroups, summaryOf, unreadFiles } from '../../src/lib/report';
import { causesOf, groupsOf } from '../../src/lib/report_groups';
import type { Placement, Report } from '../../src/lib/report_types';
import { hostileReport } from '../mock/hostile.mjs';
import reportOfExamples from '../mock/report.json';

const examples = reportOfExamples as Report;
const first = examples.placements[0] as Placement;
const clock = (part: Partial<Placement>): Placement => ({ ...first, ...part });
const withClocks = (placements: Placement[], part: Partial<Report> = {}): Report => ({ ...examples, placements, ...part });

test('rows are those of `tracebraid check`', () => {
  const rows = groupsOf(examples).map((g) => [g.sum.file, g.sum.machine, clockLabel(g), placedBy(g.sum), offsetOf(g), boundText(g.sum), String(g.sum.placed), String(g.lost)]);
  expect(rows).toEqual([
    ['phone.pftrace', 'phone', 'BOOTTIME', 'is the timeline', '0', 'exact', '376', '0'],
    ['phone.pftrace', 'phone', '64 of 7 sequences', 'clocks read together, 1 snapshot', '0', '±1 µs', '449', '0'],
    ['watch.pftrace', 'watch', 'BOOTTIME', 'wall clock of both machines, 14 snapshots', '−3h12m04.197s', '±10.007 ms', '205', '0'],
    ['watch.pftrace', 'watch', '64 of 5 sequences', 'wall clock of both machines, 1 snapshot', '−3h12m04.197s', '±10.008 ms', '329', '0'],
    ['app.json', 'phone', 'private', 'manifest', '+2m28.007s', 'stated', '59', '0'],
  ]);
});

test('the summary names evidence, guesses and unread files', () => {
  expect(summaryOf(examples)).toMatchObject({
    certainty: 'uncertain', headline: 'All 3 files are placed by evidence', files: 3, detail: 'The strict check passes. The place of watch.pftrace is known within ±10.008 ms only.',
  });
  const close = withClocks(examples.placements.filter((p) => p.machine === 'phone'), { trouble: [], problems: [], lines_up: true });
  expect(summaryOf(close)).toMatchObject({ certainty: 'certain', detail: 'All traces line up on the shared timeline. The strict check passes.' });
  const far = withClocks(examples.placements.map((p) => ({ ...p, file: p.machine === 'phone' ? p.file : `${p.clock}.pb` })), { trouble: [], problems: [] });
  expect(summaryOf(far).detail).toBe('The strict check passes. The places of 2 files are known within more than 1 ms only; at worst, that of 64.pb is known within ±10.008 ms only.');
  expect(largestBound(examples)).toBe(10_008_992n);
  expect(sharesOf(examples)).toEqual({ exact: 435n, bounded: 983n, guessed: 0n, untimed: 0n, lost: 0n });
  const mixed = withClocks(
    [clock({ file: 'a' }), clock({ file: 'b', rule: 'guessed', uncertainty_ns: null }), clock({ file: 'c', rule: 'unplaced', uncertainty_ns: null })],
    { problems: [{ file: 'd', message: 'cut' }, { file: 'a', message: 'odd' }, { file: '', message: 'void' }], trouble: ['b is guessed', 'x', 'y', 'z'] },
  );
  expect(unreadFiles(mixed)).toEqual(['d']);
  expect(summaryOf(mixed)).toMatchObject({
    certainty: 'lost', headline: '1 of 4 files is placed by evidence, 1 by a guess, 1 is not placed, 1 is unread', detail: 'The strict check fails: b is guessed; x; y; and 1 more.',
  });
  expect(largestBound(mixed)).toBeNull();
  expect(summaryOf(withClocks([])).headline).toBe('No file has events');
});

test('degrees of certainty', () => {
  const look = (part: Partial<Placement>): string => `${certaintyOf(clock(part))}, ${boundText(clock(part))}`;
  expect(look({ rule: 'manifest', uncertainty_ns: 0 })).toBe('stated, stated');
  expect(look({ rule: 'measured', uncertainty_ns: null })).toBe('guessed, no bound');
  expect(look({ rule: 'raw', uncertainty_ns: null })).toBe('none, no clock');
  expect(look({ rule: 'unplaced' })).toBe('lost, not placed');
  expect(look({ rule: 'relayed', uncertainty_ns: '9007199254740993' })).toBe('uncertain, ±104d05h59m');
  for (const rule of ['invented', 'constructor', '__proto__']) expect(placedBy(clock({ rule, source: '' }))).toBe(rule);
});

test('alike files fold, a file with losses stays alone', () => {
  const rank = (n: number, part: Partial<Placement> = {}): Placement => clock({ file: `run/rank${n}.json`, machine: 'node', rule: 'rendezvous', source: 'date', uncertainty_ns: 838_000 + n, placed: 10, ...part });
  const report = withClocks([rank(0), rank(1), rank(2), rank(3), rank(4), rank(5, { lost: 2, lost_ambiguous: 2 }), rank(6)]);
  const rows = groupsOf(report);
  expect(rows.map((g) => g.files.length)).toEqual([5, 1, 1]);
  expect(rows[0]?.sum).toMatchObject({ placed: '50', uncertainty_ns: 838_004 });
  expect(causesOf(rows[1] as (typeof rows)[number])).toEqual([{ count: 2n, cause: 'ambiguous because the clock was set back' }]);
  expect(groupsOf(report, false)).toHaveLength(7);
});

test('losses without a clock join the only row of their file, else have one', () => {
  const others = { file: 'a', machine: 'm', read: 3, built: 2, causes: { json_event_incomplete: 3, slice_spill: 2 } };
  const one = groupsOf(withClocks([clock({ file: 'a', machine: 'm', placed: 10 })], { other_losses: [others] }));
  expect([one.length, one[0]?.lost, one[0]?.sum.placed]).toEqual([1, 5n, '8']);
  const two = groupsOf(withClocks([clock({ file: 'a', machine: 'm' }), clock({ file: 'a', machine: 'm', clock: 'MONOTONIC' }), clock({ file: 'z' })], { other_losses: [others] }));
  expect(two.map((g) => g.sum.rule)).toEqual(['is_timeline', 'is_timeline', 'other', 'is_timeline']);
  expect(groupsOf(withClocks([], { other_losses: [others] }))).toHaveLength(1);
});

test('paths, folders, machines, stats', () => {
  expect(hopsOf('A of x > B of y')).toEqual(['A of x', 'B of y']);
  expect(hopsOf('')).toEqual([]);
  expect(commonFolder(['/d/x/a.json', '/d/x/b.json'])).toBe(5);
  expect(commonFolder(['/d/x/a.json', '/d/y/b.json'])).toBe(3);
  expect([commonFolder([]), commonFolder(['a', 'b']), commonFolder(['/a', '/b'])]).toEqual([0, 0, 1]);
  expect(below('/d/x/a.json', 5)).toBe('a.json');
  expect(machinesOf(examples)).toEqual(['phone', 'watch']);
  expect(statGroups(examples.losses).map((g) => [g.stat, g.count, g.places.length])).toEqual([['compact_sched_switch_skipped', 6n, 2], ['compact_sched_waking_skipped', 2n, 1]]);
});

test('hostile texts do not break the sums', () => {
  const report = hostileReport() as Report;
  expect(groupsOf(report).length).toBeGreaterThan(0);
  expect(summaryOf(report).headline).toContain('files');
});

test('a file with a mere remark is not unread', () => {
  const report = { placements: [], problems: [{ file: 'a', message: 'x', level: 'repaired' }, { file: 'b', message: 'y', level: 'lost' }, { file: 'c', message: 'z' }] };
  expect(unreadFiles(report as unknown as Report)).toEqual(['b', 'c']);
});

test('a placed file is not unread if a problem names it without its folder', () => {
  const placements = [clock({ file: '/data/watch.pftrace' }), clock({ file: '/data/my-phone.pftrace' })];
  expect(unreadFiles(withClocks(placements, { problems: [{ file: 'watch.pftrace', message: 'is of another machine' }, { file: 'phone.pftrace', message: 'cut' }] }))).toEqual(['phone.pftrace']);
});
