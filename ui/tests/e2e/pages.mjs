/** Start page, report, frame: what a user does there. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { idle, testAddress } from './browser.mjs';
import { examples } from './server.mjs';

/** Opens the viewer at the report of the first trace, and waits until the trace is open. */
export async function openViewer(page, server) {
  await page.goto(testAddress(server.address));
  await // The link's name goes on with the number of problems, where there are some.
  await page.getByRole('link', { name: /^Report/ }).click({ timeout: 60_000 });
  await page.getByRole('heading', { name: 'Report', exact: true }).waitFor({ timeout: 60_000 });
  await idle(page);
}

export const tests = {
  'report: placement, explanations, tabs, JSON': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    await openViewer(page, server);
    assert.ok(!page.url().includes('token'), 'the token leaves the address');
    assert.match(await page.getByRole('region', { name: 'Report' }).innerText(), /All 3 files are placed by evidence/);
    const row = page.getByRole('row', { name: /watch\.pftrace.*BOOTTIME/ }).first();
    assert.match(await row.innerText(), /−3h12m04\.197s/);
    assert.match(await row.innerText(), /±10\.007 ms/);
    await row.getByRole('button').click();
    await page.getByTestId('explain').waitFor();
    assert.match(await page.locator('.row-details').innerText(), /exactly 10007867 ns/);
    await page.getByRole('tab', { name: /Stats/ }).click();
    assert.match(await page.getByRole('region', { name: 'Report' }).innerText(), /compact_sched_switch_skipped/);
    await page.getByRole('tab', { name: 'Metadata' }).click();
    await page.getByRole('cell', { name: 'trace_uuid' }).first().waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'JSON' }).click()]);
    const report = JSON.parse(readFileSync(await download.path(), 'utf8'));
    assert.equal(report.placements.length, 15);
    assert.ok(Object.hasOwn(report, 'lines_up'));
  },

  'report: each number is explained': async ({ serve, page: open }) => {
    const server = await serve({ isTroubled: true });
    const page = await open();
    await openViewer(page, server);
    await page.getByText('What the numbers mean').click();
    const texts = (selector) => page.locator(selector).allInnerTexts();
    const explained = new Set(await texts('.meanings dt'));
    const shown = [...(await texts('.stat dt')), ...(await texts('.shares dt'))].map((t) => t.trim());
    assert.ok(shown.length >= 8);
    assert.deepEqual(shown.filter((name) => !explained.has(name)), []);
    // Each column of numbers has a sentence, and each row explains its own.
    for (const head of await page.locator('.t.pl thead th').all()) assert.ok((await head.getAttribute('title')).endsWith('.'));
    const rows = page.locator('.t.pl tbody tr:not(.details) button');
    for (let i = 0; i < (await rows.count()); i += 1) {
      await rows.nth(i).click();
      await page.getByTestId('explain').waitFor();
      const numbers = await page.locator('.row-details .explained > div').evaluateAll((all) => all.map((e) => e.querySelector('dd:last-child')?.textContent ?? ''));
      assert.ok(numbers.length >= 2 && numbers.every((text) => text.length > 10), 'each number has a sentence');
      await rows.nth(i).click();
    }
    if (server.isReal) return;
    const lost = page.getByRole('row', { name: /rank5\.json/ }).first();
    assert.match(await lost.innerText(), /no bound[\s\S]*33/);
    await lost.getByRole('button').click();
    const details = await page.locator('.row-details').innerText();
    for (const cause of [/12\s+no path to the timeline/, /17\s+ambiguous because the clock was set back/, /4\s+json_end_without_begin/]) assert.match(details, cause);
  },

  'start: files are uploaded and opened, progress is shown': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    await openViewer(page, server);
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: /Choose files/ }).click()]);
    await chooser.setFiles([examples[0], examples[2]]);
    await page.getByRole('combobox', { name: 'Trace', exact: true }).waitFor({ timeout: 30_000 });
    await page.getByTestId('canvas').waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    assert.equal(await page.getByTestId('open-traces').getByRole('link').count(), 2);
    assert.ok((await page.getByTestId('recents').getByRole('listitem').count()) >= 1);
  },

  'start: a path that is not allowed is refused with its reason': async ({ serve, page: open, skip }) => {
    const server = await serve();
    if (!server.isReal) skip('the mock server allows all paths');
    const page = await open();
    page.allow(/status of 40[034]|status of 4\d\d/);
    await openViewer(page, server);
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await page.getByRole('button', { name: 'Path on the server' }).click();
    await page.getByRole('textbox', { name: 'Path on the server' }).fill('/etc/passwd');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    assert.ok((await page.getByRole('alert').innerText()).length > 5);
  },

  'theme and settings stay after loading the page again': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open({ theme: 'dark' });
    await openViewer(page, server);
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), 'dark');
    await page.getByRole('button', { name: 'Light theme' }).click();
    assert.equal(await theme(), 'light');
    await page.getByRole('button', { name: 'Settings' }).click();
    const { features } = await page.evaluate(async () => (await fetch('/api/v1/status')).json());
    const isPut = (r) => r.url().endsWith('/settings') && r.request().method() === 'PUT';
    const saved = features.includes('settings') ? page.waitForResponse(isPut) : undefined;
    await page.getByRole('radio', { name: 'high' }).check();
    await saved;
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('heading', { name: 'Report', exact: true }).waitFor();
    assert.equal(await theme(), 'light');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.contrast), 'more');
  },

  'e2e/reconnect: the bar comes and goes, the view stays': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    page.allow(/WebSocket|Failed to load resource|ERR_/);
    await openViewer(page, server);
    await page.getByRole('tab', { name: /Stats/ }).click();
    await page.evaluate(() => (window.__mark = 'kept'));
    await server.kill();
    await page.getByTestId('reconnect').waitFor({ timeout: 2000 });
    assert.match(await page.getByTestId('reconnect').innerText(), /The server does not answer\. Trying again/);
    assert.equal(await page.getByTestId('link').innerText(), 'no connection');
    await serve({ port: server.port, token: server.token });
    await page.getByTestId('reconnect').waitFor({ state: 'detached', timeout: 16_000 });
    await idle(page);
    assert.equal(await page.evaluate(() => window.__mark), 'kept', 'the page was not loaded again');
    assert.equal(await page.getByRole('tab', { name: /Stats/ }).getAttribute('aria-selected'), 'true');
  },

  'without a token the page says what to do': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    page.allow(/status of 401/);
    await page.goto(server.address.replace(/#.*/, ''));
    await page.getByRole('heading', { name: /needs the address/ }).waitFor();
    await page.goto('about:blank');
    await page.goto(`${server.address.replace(/#.*/, '')}#token=wrong`);
    await page.getByRole('heading', { name: /needs the address/ }).waitFor();
  },
};
