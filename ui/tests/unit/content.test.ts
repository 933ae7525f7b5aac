import { expect, test } from 'vitest';
import { contentSuggestions, type MatchSet } from '../../src/lib/content';
import type { Report } from '../../src/lib/report_types';
import reportOfExamples from '../mock/report.json';

const report = reportOfExamples as unknown as Report;
const same = (name: string): string => name;
const flows: MatchSet = {
  kind: 'flows', files: ['app.json', 'phone.pftrace'], clocks: ['PRIVATE', 'BOOTTIME'], verdict: 'verified', reason: '', detail: '', candidates: 1200, used: 1170, offset: 500n, ratePpb: -2500n, bound: 310_000n,
};

test('content suggests an offset for a file that may be moved, from both ends', () => {
  const [found] = contentSuggestions([flows], report, 'app.json', { kind: 'automatic' }, same);
  expect(found).toEqual({ text: 'Flows stay in order', detail: 'phone.pftrace: 1,170 of 1,200, ±310 µs, drift -2.500 ppm', placing: { kind: 'offset', file: 'phone.pftrace', clock: 'BOOTTIME', offset: 500n } });
  const turned: MatchSet = { ...flows, files: ['phone.pftrace', 'app.json'], clocks: ['BOOTTIME', 'PRIVATE'] };
  expect(contentSuggestions([turned], report, 'app.json', { kind: 'automatic' }, same)[0]?.placing?.offset).toBe(-500n);
  expect(contentSuggestions([flows], report, 'app.json', { kind: 'offset', file: 'phone.pftrace', clock: 'BOOTTIME', offset: 500n }, same)).toEqual([]); // as it is placed
  expect(contentSuggestions([flows], report, 'phone.pftrace', { kind: 'automatic' }, same)).toEqual([]); // held by its snapshots
});

test('refused sets have their reason, and only an offset can be applied', () => {
  const refused: MatchSet = { ...flows, verdict: 'refused', reason: 'aliased', detail: 'fits at 412 places', offset: null };
  expect(contentSuggestions([refused, { ...refused, detail: '' }], report, 'app.json', { kind: 'automatic' }, same)).toEqual([
    { text: 'Flows stay in order', detail: 'phone.pftrace: fits at 412 places', placing: null }, { text: 'Flows stay in order', detail: 'phone.pftrace: aliased', placing: null },
  ]);
  expect(contentSuggestions([{ ...refused, offset: 7n }], report, 'app.json', { kind: 'automatic' }, same)[0]).toMatchObject({ detail: expect.stringContaining('refused: fits at 412 places') as string, placing: { offset: 7n } });
  expect(contentSuggestions([{ ...flows, clocks: ['PRIVATE', '64'] }], report, 'app.json', { kind: 'automatic' }, same)).toEqual([]); // no manifest can name that clock
});
