/** Cards of the merge page, and the lines of a manifest. */
import { expect, test } from 'vitest';
import { changesOf } from '../../src/lib/dry_run';
import { anchorsText, cardsOf, clocksText, formatText, snapshotsText, worstBound, type Inside } from '../../src/lib/file_cards';
import { changedLines, changedText, jsonTokens } from '../../src/lib/json_lines';
import type { Report } from '../../src/lib/report_types';
import reportOfExamples from '../mock/report.json';

const report = reportOfExamples as unknown as Report;
const app = report.placements.find((p) => p.file === 'app.json');
if (!app) throw new Error('no app.json');
const ranks = (count: number): Report => ({ ...report, placements: [...report.placements, ...Array.from({ length: count }, (_, i) => ({ ...app, file: `rank${i}.json`, rule: 'rendezvous', uncertainty_ns: 1000 * (i + 1) }))] });

test('what a file contains that relates clocks', () => {
  const none: Inside = { clocks: [], sequences: 0, syncMarkers: 0, dates: [] };
  expect([snapshotsText(none), anchorsText(none)]).toEqual(['', '']);
  const clocks = [['BOOTTIME', 14], ['REALTIME', 14], ['128', 1]].map(([name, snapshots]) => ({ name: String(name), snapshots: Number(snapshots) }));
  expect(snapshotsText({ ...none, clocks })).toBe('14 snapshots: BOOTTIME, REALTIME; 1 snapshot: 128');
  const utc = 1_795_176_332_000_000_000n;
  expect(anchorsText({ ...none, syncMarkers: 1, dates: [{ moment: 'first_event', utc }, { moment: 'first_event', utc: utc + 1n }, { moment: 'last_event', utc }] })).toBe('begins 2026-11-20 12:05:32.000 UTC, ends 2026-11-20 12:05:32.000 UTC, 1 sync marker');
  expect(anchorsText({ ...none, syncMarkers: 2 })).toBe('2 sync markers');
});

test('alike files are one card until it is opened', () => {
  const many = ranks(7);
  const changes = changesOf(many, many);
  const cards = cardsOf(changes, many, [], new Set());
  expect(cards.map((c) => c.kind)).toEqual(['file', 'file', 'file', 'fold']);
  const fold = cards[3];
  if (fold?.kind !== 'fold') throw new Error('no fold');
  expect([fold.pattern, fold.files.length, worstBound(fold.files)]).toEqual(['rank*.json', 7, '±7 µs']);
  expect(cardsOf(changes, many, [], new Set(['rank*.json'])).map((c) => c.kind)).toEqual(['file', 'file', 'file', 'fold', ...Array<string>(7).fill('file')]);
  const few = ranks(5);
  expect(cardsOf(changesOf(few, few), few, [], new Set()).every((c) => c.kind === 'file')).toBe(true);
  const lossy = { ...many, placements: many.placements.map((p) => (p.file === 'rank3.json' ? { ...p, lost: 1 } : p)) };
  expect(cardsOf(changesOf(lossy, lossy), lossy, [], new Set()).map((c) => c.kind)).toEqual(['file', 'file', 'file', 'fold', 'file']); // losses are seen
});

test('a file that was not read has its reason', () => {
  const broken = { ...report, problems: [{ file: '/data/heap.pb.gz', message: 'the gzip stream ends early' }, { file: 'app.json', message: 'cut' }, { file: 'clocks', message: 'x' }, { file: '/data/heap.pb.gz', message: 'second' }, { file: 'notes.bin', level: 'lost', message: 'no format' }, { file: 'log.txt', level: 'noted', message: 'old' }] };
  const cards = cardsOf(changesOf(report, report), broken, ['heap.pb.gz', 'app.json', 'notes.bin', 'log.txt'], new Set());
  expect(cards.filter((c) => c.kind === 'unread')).toEqual([{ kind: 'unread', file: '/data/heap.pb.gz', reason: 'the gzip stream ends early' }, { kind: 'unread', file: 'notes.bin', reason: 'no format' }]);
});

test('clocks and formats in words', () => {
  expect(clocksText(report.placements.filter((p) => p.file === 'app.json'))).toBe('own timeline');
  expect(clocksText(report.placements.filter((p) => p.file === 'phone.pftrace'))).toMatch(/^BOOTTIME/);
  expect(clocksText([{ ...app, clock: '64', sequence: 7 }, { ...app, clock: '64', sequence: 8 }])).toBe('2 sequences');
  expect([formatText('proto'), formatText('android_dumpstate')]).toEqual(['Perfetto', 'android dumpstate']);
});

test('lines of a manifest: colours, and what was changed', () => {
  for (const line of ['  "a\\"b": [1, -2.5e3, "x", true, null],', 'no json', '', '"open', '{"k":"v"}']) expect(jsonTokens(line).map((t) => t.text).join('')).toBe(line);
  expect(jsonTokens('"k": "v", 3').filter((t) => t.kind !== '')).toEqual([{ text: '"k"', kind: 'key' }, { text: '"v"', kind: 'text' }, { text: '3', kind: 'number' }]);
  const of = (before: string, now: string): number[] => [...changedLines(before.split(' '), now.split(' '))];
  expect(of('a b c', 'a b c')).toEqual([]);
  expect(of('a b c', 'a x c')).toEqual([1]);
  expect(of('a b c', 'a b x y c')).toEqual([2, 3]);
  expect(of('a b c d', 'a d')).toEqual([]);
  expect(of('a b c d', 'a c b2 d')).toEqual([2]);
  expect(of('a a', 'a a a')).toEqual([2]);
});

test('of a manifest that was written in another form, or began empty, only what changed is lit', () => {
  const text = (manifest: unknown): string => `${JSON.stringify(manifest, null, 2)}\n`;
  const lit = (first: string, now: string): string[] => [...changedText(first, now)].map((i) => now.split('\n')[i]?.trim() ?? '');
  const of = (files: unknown[], more = {}): unknown => ({ perfetto_manifest: { version: 1, files, ...more } });
  expect(lit(text(of([])), text(of([{ path: 'a' }])))).toEqual(['{', '"path": "a"', '}']);
  expect(lit('{"perfetto_manifest": {"version": 1, "files": [{"path": "a"}]}}', text(of([{ path: 'a' }], { align: 'off' })))).toEqual(['"align": "off"']);
  expect(lit(text(of([{ path: 'a' }])), text(of([{ path: 'a', align: false }, { path: 'b' }])))).toEqual(['"align": false', '},', '{', '"path": "b"']);
  // An empty list inside a text that someone wrote by hand.
  expect(lit('{"perfetto_manifest": {"version": 1,\n "files": []}}\n', '{"perfetto_manifest": {"version": 1,\n "files": [], "align": "off"}}\n')).toEqual(['"files": [], "align": "off"}}']);
  expect(lit('no json', 'no json\nat all')).toEqual(['at all']);
  expect(lit(text(of([])), text(of([])))).toEqual([]);
});
