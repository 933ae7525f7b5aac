/** The manifest as form and text, offsets in any unit, and reports before and after. */
import { expect, test } from 'vitest';
import { changesOf, contradictions, lossesOf, manifestName, violations } from '../../src/lib/dry_run';
import {
  asPoints, attributesOf, emptyManifest, fits, machineOf, machinesInside, manifestText, parseManifest, patternFor, patternOf, placingOf, skewsOf, wholeOf, withAttribute, withMachine, withMachineInside, withOwnEntry, withPattern, withPlacing, withSkew, withWhole, type Manifest, type Placing,
} from '../../src/lib/manifest';
import { contentOf, entryPath, groupsOf, withGroup, withKinds } from '../../src/lib/manifest_content';
import { exactOffset, parseOffset } from '../../src/lib/offsets';
import type { Report } from '../../src/lib/report_types';
import { factsOf } from '../../src/lib/file_cards';
import { apart } from '../../src/lib/preview';
import { placedBy } from '../mock/manifests.mjs';
import reportOfExamples from '../mock/report.json';

test('offsets in any unit', () => {
  const read: Record<string, bigint | null> = {
    '250 ms': 250_000_000n, '1_500 ns': 1500n, '-3h12m04.197s': -11_524_197_000_000n, '−2us': -2000n, '+1.5 µs': 1500n, '2.5': 2_500_000_000n, '1d': 86_400_000_000_000n, '148.007 s': 148_007_000_000n,
    '': null, '-': null, abc: null, '5 parsecs': null, '1.5 ns': null, '1,5 s': null, '10 ms later': null, '900000d': null,
  };
  expect(Object.fromEntries(Object.keys(read).map((text) => [text, parseOffset(text)]))).toEqual(read);
  for (const ns of [0n, 1n, -1500n, 250_000_000n, 148_007_000_000n, -11_524_197_066_668n]) expect(parseOffset(exactOffset(ns))).toBe(ns);
});

test('lost events by file and reason', () => {
  expect(lossesOf(reportOfExamples as unknown as Report)).toEqual([]);
  const [first, second, ...others] = (reportOfExamples as unknown as Report).placements;
  if (!first || !second) throw new Error('no placements');
  const report = {
    ...(reportOfExamples as unknown as Report),
    // Events before the start are lost only as far as `lost` counts them.
    placements: [{ ...first, lost: 5, lost_no_path: 3, lost_ambiguous: 2, before_start: 9 }, { ...second, file: first.file, lost: 4, lost_no_path: 1, lost_out_of_range: 1, before_start: 2 }, ...others],
    other_losses: [{ file: 'app.json', machine: 'phone', read: 20, built: 1, causes: { json_tokenizer_failure: 20 } }],
  };
  expect(lossesOf(report)).toEqual([
    { file: 'app.json', lost: 21n, reasons: [{ text: 'json_tokenizer_failure', count: 21n }] },
    {
      file: first.file, lost: 9n,
      reasons: [
        { text: 'no clock leads from theirs to the timeline', count: 4n }, { text: 'their clock showed the time twice', count: 2n },
        { text: 'their time does not fit into 64 bits', count: 1n }, { text: 'they lie before the start of the timeline', count: 2n },
      ],
    },
  ]);
});

test('labels of ticks do not overlap, nor leave the axis', () => {
  const tick = (x: number, text: string): { x: number; text: string } => ({ x, text });
  const ticks = [tick(0, '147.600 000 000'), tick(100, '.000 001'), tick(120, '.000 002'), tick(240, '.000 003'), tick(300, '.4')];
  expect(apart(ticks, 400).map((t) => t.x)).toEqual([0, 120, 240]);
  expect(apart(ticks, 320).map((t) => t.x)).toEqual([0, 120, 240]);
  expect(apart(ticks, 300).map((t) => t.x)).toEqual([0, 120]);
  expect(apart([], 100)).toEqual([]);
});

test('the form reads what it wrote, and members that it does not know stay', () => {
  const text = '{"perfetto_manifest": {"version": 1, "files": [{"path": "a", "note": [1]}], "attributes": {"x": 1}}, "more": true}';
  const manifest = parseManifest(text);
  if (typeof manifest === 'string') throw new Error(manifest);
  const changed = withPlacing(withMachine(manifest, 'a', 'phone'), 'a', { kind: 'offset', file: 'b', clock: 'BOOTTIME', offset: -5n });
  expect(machineOf(changed, 'a')).toBe('phone');
  expect(placingOf(changed, 'a')).toEqual({ kind: 'offset', file: 'b', clock: 'BOOTTIME', offset: -5n });
  expect(JSON.parse(manifestText(changed))).toEqual({
    perfetto_manifest: { version: 1, attributes: { x: 1 }, files: [{ path: 'a', note: [1], machine: { name: 'phone' }, clocks: { sync_to: { file: 'b', clock: 'BOOTTIME' }, offset_ns: -5 } }, { path: 'b' }] }, more: true,
  });
  const back = withPlacing(withMachine(changed, 'a', ''), 'a', { kind: 'automatic' });
  expect([machineOf(back, 'a'), placingOf(back, 'a')]).toEqual(['', { kind: 'automatic' }]);
  const starts = withPlacing(changed, 'a', { kind: 'start', time: '2026-11-20T12:03:04Z' });
  expect(placingOf(starts, 'a')).toEqual({ kind: 'start', time: '2026-11-20T12:03:04Z' });
  expect(manifestText(manifest)).not.toContain('phone'); // the first one is unchanged
});

test('what the form cannot say is left to the text', () => {
  const of = (entry: object): Manifest => ({ document: JSON.parse(JSON.stringify({ perfetto_manifest: { version: 1, files: [{ path: 'a', ...entry }] } })) as Manifest['document'] });
  const other = [
    { sync_to: { file: 'b' }, points: [] }, { sync_to: { file: 'b' }, points: [{ this_ns: 0 }] }, { sync_to: { file: 'b' }, points: [{ this_ns: 0, other_ns: 1 }], drift_ppm: 3 }, { sync_to: { file: 'b' }, drift_ppm: 'x' },
    { sync_to: { file: 'b' }, offset_ns: 1.5 }, { sync_to: { file: 'b' }, offset_ns: 2 ** 60 }, { sync_to: { file: 'b', machine: 3 } }, { sync_to: { file: 'b' }, machine: {} }, { sync_to: { file: 'b' }, clock: 3 }, {}, 5,
  ];
  for (const entry of other.map((clocks) => ({ clocks }))) {
    const manifest = of(entry);
    expect(placingOf(manifest, 'a').kind).toBe('other');
    expect(withPlacing(manifest, 'a', { kind: 'other' })).toBe(manifest);
  }
  for (const text of ['', '[]', '{}', '{"perfetto_manifest": 3}', '{"perfetto_manifest": {"files": {}}}', '{"perfetto_manifest": {"files": [3]}}']) expect(typeof parseManifest(text)).toBe('string');
  expect(typeof parseManifest(manifestText(emptyManifest()))).toBe('object');
});

test('drift, points, a clock of the file, patterns and members of the whole manifest', () => {
  const empty = emptyManifest();
  const placings: Placing[] = [
    { kind: 'offset', file: 'b', clock: '', own: 'REALTIME', offset: 7n }, { kind: 'offset', file: 'b', clock: 'BOOTTIME', offset: -1n, drift: -20.5, at: 10n ** 15n },
    { kind: 'points', file: 'b', clock: 'BOOTTIME', points: [{ own: 0n, other: 1200n }, { own: 5_000_000_000n, other: 5_000_061_200n }] }, { kind: 'points', file: 'b', clock: '', own: 'MONOTONIC', points: [{ own: -1n, other: 2n }] },
    { kind: 'offset', file: 'b', clock: 'BOOTTIME', own: 'BOOTTIME', machine: 'guest', ownMachine: 'host', offset: 3n },
  ];
  for (const placing of placings) expect(placingOf(withPlacing(empty, 'a', placing), 'a')).toEqual(placing);
  const drifting = withPlacing(empty, 'a', placings[1] as Placing);
  expect(JSON.parse(manifestText(drifting)).perfetto_manifest.files[0].clocks).toEqual({ sync_to: { file: 'b', clock: 'BOOTTIME' }, offset_ns: -1, drift_ppm: -20.5, offset_at_ns: 1e15 });
  // A line through two points says what offset and drift say.
  expect(asPoints({ kind: 'offset', file: 'b', clock: '', offset: 50n, drift: 100, at: 10n }).points).toEqual([{ own: 10n, other: 60n }, { own: 1_000_000_010n, other: 60n + 999_900_010n }]);

  const all = withPattern(withMachine(empty, 'ranks/rank0012.json', 'gpu'), 'ranks/rank0012.json', patternFor('ranks/rank0012.json'));
  expect(JSON.parse(manifestText(all)).perfetto_manifest.files).toEqual([{ path: 'ranks/rank*.json', machine: { name: 'gpu' }, glob: true }]);
  expect([patternFor('a1/app.json'), patternFor('x.tar.gz')]).toEqual(['a1/*.json', '*.tar.gz']);
  expect([patternOf(all, 'ranks/rank7.json'), patternOf(all, 'ranks/a/rank7.json'), patternOf(all, 'b.json')]).toEqual(['ranks/rank*.json', null, null]);
  expect([fits('a/b.json', '**.json'), fits('a/b.json', '*.json'), fits('a.c', 'a?c'), fits('abc', 'a.c'), fits('a(1)', 'a(?)')]).toEqual([true, false, true, false, true]);
  const own = withOwnEntry(all, 'ranks/rank7.json');
  expect([machineOf(own, 'ranks/rank7.json'), patternOf(own, 'ranks/rank7.json'), patternOf(own, 'ranks/rank8.json')]).toEqual(['gpu', null, 'ranks/rank*.json']);

  const whole = withWhole(empty, { timeline: { file: 'a', clock: 'MONOTONIC' }, model: 'step', flows: 'all', align: 'verify' });
  expect(wholeOf(whole)).toEqual({ timeline: { file: 'a', clock: 'MONOTONIC' }, model: 'step', flows: 'all', align: 'verify', kinds: [] });
  expect(JSON.parse(manifestText(whole)).perfetto_manifest.files).toEqual([{ path: 'a' }]);
  expect(wholeOf(withWhole(whole, { timeline: null, model: '', flows: '', align: '' }))).toEqual({ timeline: null, model: '', flows: '', align: '', kinds: [] });
  const ofMachine = withWhole(empty, { timeline: { file: 'a', clock: 'MONOTONIC', machine: 'guest' } });
  expect(wholeOf(ofMachine).timeline).toEqual({ file: 'a', clock: 'MONOTONIC', machine: 'guest' });
  const listed = { document: JSON.parse('{"perfetto_manifest": {"align": ["flows"], "trace_time": {"clock": "BOOTTIME"}}}') as Manifest['document'] };
  expect(wholeOf(withWhole(listed, { align: 'kinds' }))).toMatchObject({ align: 'kinds', kinds: ['flows'], timeline: undefined });
  expect(JSON.parse(manifestText(withWhole(listed, { align: 'kinds', kinds: ['logs', 'spans'] }))).perfetto_manifest.align).toEqual(['logs', 'spans']);
});

test('content and clock groups of a file', () => {
  const empty = emptyManifest();
  const none = withGroup(withKinds(empty, 'a', []), 'a', 'tsc');
  expect(JSON.parse(manifestText(none)).perfetto_manifest.files).toEqual([{ path: 'a', align: false, clock_group: 'tsc' }]);
  expect(contentOf(none, 'a')).toEqual({ kinds: [], group: 'tsc' });
  const some = withGroup(withKinds(none, 'a', ['flows', 'logs']), 'b', 'other');
  expect([contentOf(some, 'a'), contentOf(some, 'c')]).toEqual([{ kinds: ['flows', 'logs'], group: 'tsc' }, { kinds: null, group: '' }]);
  expect(groupsOf(some)).toEqual(['tsc', 'other']);
  expect(JSON.parse(manifestText(withGroup(withKinds(some, 'a', null), 'a', ''))).perfetto_manifest.files[0]).toEqual({ path: 'a' });
  for (const align of [true, 'off', [3], {}]) expect(contentOf({ document: { perfetto_manifest: { files: [{ path: 'a', align }] } } }, 'a').kinds).toBe(undefined);
});

test('the form of a file that a pattern speaks for shows and changes the entry of the pattern', () => {
  const start: Placing = { kind: 'start', time: '2026-11-20T12:03:04Z' };
  const all = withPattern(withPlacing(emptyManifest(), 'a.json', start), 'a.json', '*.json');
  expect([placingOf(all, 'a.json'), placingOf(all, 'b.json'), placingOf(all, 'c.txt')]).toEqual([start, start, { kind: 'automatic' }]);
  const changed = withKinds(withMachine(all, 'b.json', 'web'), 'a.json', []);
  expect(JSON.parse(manifestText(changed)).perfetto_manifest.files).toEqual([{ path: '*.json', start: start.time, glob: true, align: false, machine: { name: 'web' } }]);
  expect(JSON.parse(manifestText(withOwnEntry(changed, 'b.json'))).perfetto_manifest.files[1]).toEqual({ path: 'b.json', start: start.time, align: false, machine: { name: 'web' } });
});

test('machines inside of a file, wall clocks that are ahead, and attributes', () => {
  const empty = withMachine(emptyManifest(), 'a', 'all');
  const inside = withMachineInside(withMachineInside(empty, 'a', 3, 'guest'), 'a', 0, 'host');
  expect(JSON.parse(manifestText(inside)).perfetto_manifest.files).toEqual([{ path: 'a', machines: [{ id: 0, name: 'host' }, { id: 3, name: 'guest' }] }]); // in place of one machine for all
  expect([...machinesInside(inside, 'a')]).toEqual([[0, 'host'], [3, 'guest']]);
  expect(JSON.parse(manifestText(withMachine(inside, 'a', 'all'))).perfetto_manifest.files).toEqual([{ path: 'a', machine: { name: 'all' } }]);
  expect(JSON.parse(manifestText(withMachineInside(withMachineInside(inside, 'a', 3, ''), 'a', 0, ''))).perfetto_manifest.files).toEqual([{ path: 'a' }]);

  const skewed = withSkew(withSkew(emptyManifest(), 'watch', 20_000_000n), 'phone', -5n);
  expect(JSON.parse(manifestText(skewed)).perfetto_manifest.machines).toEqual([{ name: 'watch', wall_clock_skew_ns: 20_000_000 }, { name: 'phone', wall_clock_skew_ns: -5 }]);
  expect([...skewsOf(withSkew(skewed, 'watch', 1n))]).toEqual([['watch', 1n], ['phone', -5n]]);
  expect(JSON.parse(manifestText(withSkew(withSkew(skewed, 'watch', 0n), 'phone', 0n))).perfetto_manifest.machines).toBe(undefined);

  const noted = ['run', '3'].reduce((m, value, i) => withAttribute(m, ['scenario', 'count'][i] ?? '', value), emptyManifest());
  expect(attributesOf(noted)).toEqual([{ key: 'scenario', value: 'run', isNumber: false }, { key: 'count', value: '3', isNumber: true }]);
  expect(attributesOf(withAttribute(noted, 'scenario', null)).map((a) => a.key)).toEqual(['count']);
  for (const value of ['1234567890123456', '-0', '01', '1.5', '']) expect(attributesOf(withAttribute(noted, 'count', value))[1]).toEqual({ key: 'count', value, isNumber: false });
  expect(attributesOf(withAttribute(emptyManifest(), '__proto__', 'x'))).toEqual([{ key: '__proto__', value: 'x', isNumber: false }]);
});

test('reports before and after', () => {
  const before = reportOfExamples as unknown as Report;
  const moved = placedBy(before, { perfetto_manifest: { files: [{ path: 'app.json', machine: { name: 'watch' }, clocks: { offset_ns: 148_007_000_500 } }] } }) as Report;
  const changes = changesOf(before, moved);
  expect(changes.map((c) => [c.file, c.moved])).toEqual([['phone.pftrace', 0n], ['watch.pftrace', 0n], ['app.json', 500n]]);
  expect(changes[2]).toMatchObject({ machine: 'watch', bound: 'stated', before: { machine: 'phone', bound: 'stated' } });
  expect(changes[1]?.bound).toBe('±10.008 ms'); // of its clocks, the least certain
  const guessed = changesOf(before, placedBy(before, { perfetto_manifest: {} }) as Report);
  expect(guessed[2]).toMatchObject({ certainty: 'guessed', bound: 'no bound' });
  expect([violations(before), contradictions(before)]).toEqual([0n, 0n]);
  const pairs = { kind: 'flows', from: 'a', to: 'b', pairs: 9, certain: 2, unknown: '1' };
  expect(violations({ ...before, causality: [pairs, { ...pairs, unknown: 0 }] })).toBe(5n);
  expect(contradictions({ ...before, problems: [{ file: 'a', message: 'its evidence contradicts the placement by 5 ns' }, { file: 'b', message: 'cut' }] })).toBe(1n);
});

test('files of archives have the names of the archives before their own, and an entry may have the bare name', () => {
  const rows = [[0, null, 'a.zip', 'zip', '9'], [1, null, 'b.json.gz', 'gzip', 8], [2, 0, 't.json', 'json', 7], [3, 1, '', 'json', 6], [4, null, 'c.zip', 'zip', 5], [5, 4, 't.json', 'json', 4], [6, 4, 'x/u.json', 'json', 3]];
  const facts = factsOf(rows);
  expect([...facts].map(([path, f]) => [path, f.type, f.row])).toEqual([['a.zip', 'zip', 0], ['b.json.gz', 'json', 3], ['a.zip/t.json', 'json', 2], ['c.zip', 'zip', 4], ['c.zip/t.json', 'json', 5], ['c.zip/x/u.json', 'json', 6]]);
  expect([...factsOf([[0, null, null, 'zip', 1], [1, 0, 't.json', 'json', 1]]).keys()]).toEqual(['t.json']); // an archive that is the only input
  const names = new Set(facts.keys());
  const stated = withMachine(withMachine(emptyManifest(), 'x/u.json', 'm'), 't.json', 'n');
  const at = (path: string): string => entryPath(stated, path, facts.get(path)?.own ?? '', names);
  expect(['c.zip/x/u.json', 'c.zip/t.json', 'b.json.gz'].map(at)).toEqual(['x/u.json', 'c.zip/t.json', 'b.json.gz']); // two files are t.json
});

test('names of files in a manifest', () => {
  expect(manifestName('/data/x/t.json', new Set(['t.json', 'x/t.json', 'y/t.json']))).toBe('x/t.json');
  expect(manifestName('/data/app.json', new Set())).toBe('app.json');
  expect(manifestName('app.json', new Set(['app.json']))).toBe('app.json');
});
