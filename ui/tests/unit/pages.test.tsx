// @vitest-environment happy-dom
/** Pages drawn without a browser: every text of the report is there literally, and none becomes an element. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Report } from '../../src/lib/report_types';
import { shown } from '../../src/lib/text';
import { hostileReport, payloads } from '../mock/hostile.mjs';
import reportOfExamples from '../mock/report.json';

const host = document.createElement('div');

/** Answers requests by path; what is not listed is 404. */
function serve(answers: Record<string, unknown>): void {
  vi.stubGlobal('fetch', vi.fn(async (path: string) => {
    const found = Object.entries(answers).find(([key]) => path.endsWith(key));
    return new Response(JSON.stringify(found ? found[1] : { code: 'not_found', detail: payloads[0] }), { status: found ? 200 : 404 });
  }));
}

const settle = (): Promise<void> => act(async () => { for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setTimeout(resolve, 5)); });

async function openReport(report: unknown, name: string): Promise<void> {
  serve({ '/traces': { traces: [{ id: '1', name, state: 'open', inputs: [{ name }], missing: [{ file: 'gone.json', message: `${name} is not there` }] }] }, '/report': report, '/status': { version: '1', session: 's' } });
  const app = await import('../../src/state/app');
  const status = await import('../../src/state/status');
  const { route } = await import('../../src/state/route');
  route.value = { page: 'report', trace: '1' };
  status.reports.value = new Map();
  await app.refreshTraces();
  app.phase.value = { kind: 'ready' };
  const { ReportPage } = await import('../../src/pages/report');
  await act(() => render(<ReportPage />, host));
  await settle();
}

beforeAll(() => document.body.append(host));
afterEach(() => {
  render(null, host);
  vi.unstubAllGlobals();
});

test('the report of the examples', async () => {
  await openReport(reportOfExamples, 'examples');
  const text = host.textContent ?? '';
  for (const part of ['All 3 files are placed by evidence', '64 of 7 sequences', '−3h12m04.197s', '±10.008 ms', 'BOOTTIME of watch', 'strict check passes']) expect(text).toContain(part);
  expect(host.querySelector('[data-testid=missing]')?.textContent).toContain('gone.json examples is not there');
  const row = [...host.querySelectorAll('button')].find((b) => b.textContent?.includes('watch.pftrace'));
  await act(() => row?.click());
  await settle();
  expect(row?.getAttribute('aria-expanded')).toBe('true');
  expect(host.textContent).toContain('-48.020 ppm');
  expect(host.textContent).toContain('exactly 10007867 ns');
  await act(() => [...host.querySelectorAll<HTMLElement>('[role=tab]')].find((t) => t.textContent?.startsWith('Stats'))?.click());
  expect(host.textContent).toContain('compact_sched_switch_skipped');
  expect(host.textContent).toContain('4 in phone.pftrace');
});

test('hostile texts stay texts', async () => {
  const report = hostileReport() as Report;
  await openReport(report, payloads[0] ?? '');
  const literal = (text: string): void => expect(host.textContent).toContain(shown(text));
  for (const p of report.placements.slice(0, 19)) literal(p.machine);
  literal(report.trouble[0] ?? '');
  expect(host.querySelectorAll('script, iframe, img, object, embed, link, style, base, meta, form, video, audio, math').length).toBe(0);
  for (const tab of ['Problems', 'Stats', 'Metadata']) {
    await act(() => [...host.querySelectorAll<HTMLElement>('[role=tab]')].find((t) => t.textContent?.startsWith(tab))?.click());
    await settle();
    expect(host.querySelectorAll('script, iframe, img, object, embed').length).toBe(0);
  }
  literal(payloads[0] ?? ''); // the error of the metadata
});

test('a field for a path and a dialog have the focus before the next key', async () => {
  serve({ '/status': { version: '1', session: 's' } });
  const { StartPage } = await import('../../src/pages/start');
  const { Dialog } = await import('../../src/widgets/parts');
  await act(() => render(<StartPage />, host));
  [...host.querySelectorAll('button')].find((b) => b.textContent?.includes('Path on the server'))?.click();
  // Effects after the next frame have not run yet.
  await Promise.resolve();
  const field = host.querySelector<HTMLInputElement>('[aria-label="Path on the server"]');
  expect(field).not.toBeNull();
  expect(document.activeElement).toBe(field);
  render(<Dialog title="Export" onClose={() => undefined}>text</Dialog>, host);
  expect(host.querySelector('dialog')?.open).toBe(true);
});
