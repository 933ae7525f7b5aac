/** The merge page: form, text and trial of a manifest. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idle } from './browser.mjs';
import { openViewer } from './pages.mjs';

/** Opens the merge page of the first trace at a file. */
export async function openMerge(page, server, file = 'app.json') {
  await openViewer(page, server);
  await page.getByRole('link', { name: 'Merge', exact: true }).click();
  await page.getByRole('button', { name: new RegExp(file) }).click();
  await idle(page);
}

const textOf = (page) => page.getByLabel('Text of the manifest').inputValue();

export const tests = {
  'merge: form and text are one document, and steps are undone': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, server);
    const first = await textOf(page);
    assert.equal(await page.getByRole('combobox', { name: 'Machine' }).inputValue(), 'phone');
    assert.equal(await page.getByLabel('Offset', { exact: true }).inputValue(), '148.007 s');
    await page.getByLabel('Offset', { exact: true }).fill('148.010 s');
    const app = JSON.parse(await textOf(page)).perfetto_manifest.files.find((f) => f.path === 'app.json');
    assert.deepEqual(app.clocks, { sync_to: { file: 'phone.pftrace', clock: 'BOOTTIME' }, offset_ns: 148010000000 });
    assert.equal(JSON.parse(await textOf(page)).perfetto_manifest.attributes.scenario, 'mail to watch');
    await page.getByLabel('Offset', { exact: true }).fill('soon');
    assert.match(await page.getByRole('alert').innerText(), /Write an offset with its unit/);
    while (await page.getByRole('button', { name: 'Undo' }).isEnabled()) await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await textOf(page), first);
    await page.getByLabel('Text of the manifest').fill('{');
    assert.ok(await page.getByRole('button', { name: 'Try' }).isDisabled());
    await page.getByRole('button', { name: 'Undo' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save manifest' }).click()]);
    assert.equal(readFileSync(await download.path(), 'utf8'), first);
  },

  'merge: a trial shows what moves, and becomes the open trace': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, server);
    await page.getByLabel('Offset', { exact: true }).fill('148.010 s');
    await page.getByRole('button', { name: 'Try' }).click();
    const row = page.getByRole('region', { name: 'Trial' }).getByRole('row', { name: /app\.json/ });
    await page.getByText('With this manifest').waitFor({ timeout: 30_000 });
    assert.match(await row.innerText(), /stated[\s\S]*\+3 ms/);
    await page.getByRole('radio', { name: /Automatically/ }).check();
    assert.match(await page.getByRole('region', { name: 'Trial' }).innerText(), /the manifest changed since/);
    await page.getByRole('button', { name: 'Try' }).click();
    await row.filter({ hasText: 'no bound' }).waitFor({ timeout: 30_000 });
    assert.equal(await page.getByRole('combobox', { name: 'Trace', exact: true }).count(), 0, 'trials are no open traces');
    await page.getByRole('button', { name: 'Open timeline' }).click();
    await page.getByTestId('canvas').waitFor({ timeout: 60_000 });
    await page.getByRole('combobox', { name: 'Trace', exact: true }).waitFor();
  },

  'merge_cli: the copied command and the saved manifest give the report of the trial': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server has no command line');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-e2e-'));
    symlinkSync(options.tracebraid, join(folder, 'tracebraid'));
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve());
    const scenarios = {
      'by an offset': async () => page.getByLabel('Offset', { exact: true }).fill('148.010 s'),
      'earlier, by another clock': async () => {
        await page.getByLabel('Direction').selectOption('earlier');
        await page.getByLabel('Clock', { exact: true }).selectOption('MONOTONIC');
      },
      automatically: async () => page.getByRole('radio', { name: /Automatically/ }).check(),
      'at a wall-clock time': async () => {
        await page.getByRole('radio', { name: /wall-clock/ }).check();
        await page.getByLabel('Time of the first event').fill('2026-11-20T12:03:04.5Z');
      },
      'on another machine': async () => {
        const machine = page.getByRole('combobox', { name: 'Machine' });
        await machine.fill('laptop');
        await machine.blur();
      },
    };
    for (const [name, act] of Object.entries(scenarios)) {
      await act();
      const opened = page.waitForResponse((r) => r.request().method() === 'POST' && r.url().endsWith('/traces'));
      await page.getByRole('button', { name: 'Try', exact: true }).click();
      const { trace } = await (await opened).json();
      await page.getByText('With this manifest').waitFor({ timeout: 30_000 });
      const report = await page.evaluate(async (id) => (await fetch(`/api/v1/traces/${id}/report`)).json(), trace);
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save manifest' }).click()]);
      await download.saveAs(join(folder, 'manifest.json'));
      await page.getByRole('button', { name: 'Copy command line' }).click();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      const printed = JSON.parse(execFileSync('bash', ['-c', `${command} --json -q`], { cwd: folder, env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } }).toString());
      const placements = (all) => all.map((p) => Object.fromEntries(Object.entries(p).map(([key, value]) => [key, value === null ? null : String(value)])));
      assert.deepEqual(placements(report.placements), placements(printed.placements), name);
      for (const member of ['kept', 'lost', 'verdict']) assert.deepEqual(String(report[member]), String(printed[member]), `${member}, ${name}`);
      assert.equal(await page.getByRole('region', { name: 'Trial' }).getByRole('row', { name: /app\.json/ }).count(), 1);
    }
    rmSync(folder, { recursive: true });
  },

  'merge: a manifest that breaks a rule says which': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open({ width: 1440, height: 900 });
    page.allow(/status of 4\d\d/);
    await openMerge(page, server);
    await page.getByLabel('Text of the manifest').fill('{"perfetto_manifest": {"version": 9, "files": []}}');
    await page.getByRole('button', { name: 'Try' }).click();
    assert.match(await page.getByRole('region', { name: 'Trial' }).getByRole('alert').innerText(), /version/);
  },
};
