import { expect, test } from 'vitest';
import { kindText, suggestionsFrom, type WireSuggestion } from '../../src/lib/content';
import type { Report } from '../../src/lib/report_types';
import reportOfExamples from '../mock/report.json';

const report = reportOfExamples as unknown as Report;
const names = new Set(['app.json', 'phone.pftrace', 'watch.pftrace']);
const found = (members: Partial<WireSuggestion>): WireSuggestion => ({
  kind: 'flows', file: 1, path: '/tmp/phone.pftrace', clock: 'BOOTTIME', offset_ns: '500', rate_ppb: '-2500', bound_ns: '310000', candidates: '1200', used: '1170',
  residual_p50_ns: null, residual_p99_ns: null, by_ns: '20', start: null, refused: null, ...members,
});

test('content suggests an offset with its evidence, unless the file is there', () => {
  expect(suggestionsFrom([found({})], report, 'app.json', { kind: 'automatic' }, names)).toEqual([
    { text: 'Flows stay in order', detail: 'phone.pftrace: 1,170 of 1,200, ±310 µs, drift -2.500 ppm', placing: { kind: 'offset', file: 'phone.pftrace', clock: 'BOOTTIME', offset: 500n }, by: 20n },
  ]);
  expect(suggestionsFrom([found({ residual_p50_ns: '40', residual_p99_ns: '90000' })], report, 'app.json', { kind: 'automatic' }, names)[0]?.detail).toMatch(/residuals p50 40 ns, p99 90 µs$/);
  expect(suggestionsFrom([found({})], report, 'app.json', { kind: 'offset', file: 'phone.pftrace', clock: 'BOOTTIME', offset: 500n }, names)).toEqual([]);
});

test('a refused set has its reason, and only an offset can be applied', () => {
  expect(suggestionsFrom([found({ offset_ns: null, refused: 'fits at 412 places' })], report, 'app.json', { kind: 'automatic' }, names)).toEqual([
    { text: 'Flows stay in order', detail: 'phone.pftrace: fits at 412 places', placing: null, by: 20n },
  ]);
  expect(suggestionsFrom([found({ refused: 'fits at 412 places' })], report, 'app.json', { kind: 'automatic' }, names)[0]).toMatchObject({ detail: expect.stringContaining('refused: fits at 412 places') as string, placing: { offset: 500n } });
});

test('a date is a start, and equal events move the file from where it is', () => {
  const date = found({ kind: 'date', offset_ns: null, start: '2026-11-20T12:03:04Z', path: '/tmp/app.json' });
  expect(suggestionsFrom([date], report, 'app.json', { kind: 'automatic' }, names)).toEqual([{ text: 'Date inside', detail: '2026-11-20T12:03:04Z', placing: { kind: 'start', time: '2026-11-20T12:03:04Z' }, by: 20n }]);
  expect(suggestionsFrom([date], report, 'app.json', { kind: 'start', time: '2026-11-20T12:03:04Z' }, names)).toEqual([]);
  const equal = found({ kind: 'first_events', offset_ns: null, by_ns: '7' });
  expect(suggestionsFrom([equal], report, 'app.json', { kind: 'offset', file: 'phone.pftrace', clock: 'BOOTTIME', offset: 500n }, names)[0]).toEqual({
    text: 'Equal first events', detail: 'phone.pftrace', placing: { kind: 'offset', file: 'phone.pftrace', clock: 'BOOTTIME', offset: 507n }, by: 7n,
  });
  expect(suggestionsFrom(Array.from({ length: 9 }, (_, i) => found({ offset_ns: String(i) })), report, 'app.json', { kind: 'automatic' }, names)).toHaveLength(6);
});

test('each kind of evidence has words, also one that the page does not know', () => {
  for (const kind of ['spans', 'same_events', 'logs', 'rpc', 'packets', 'mpi', 'wakeups', 'barriers', 'markers']) expect(kindText(kind)).not.toMatch(/^In common/);
  expect(kindText('gpu_fences')).toBe('In common: gpu fences');
});
