/** The story of docs/merging.md on the real server: what relates eight files, one of them dragged to its place, an order, and the same merge by the command line. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idle } from './browser.mjs';
import { storyStart, writeStory } from './made_traces.mjs';
import { openMerge, tried } from './merge.mjs';

/** Numbers of JSON as texts, because those of 64 bits are not exact in JavaScript. */
const asTexts = (value) => JSON.parse(JSON.stringify(value), (_, v) => (typeof v === 'number' ? String(v) : v));
const parsed = (text) => JSON.parse(text.replace(/: (-?\d{16,})/g, ': "$1"'));

export const tests = {
  'story: eight files of three machines are related, one is dragged to its place, and the command line gives the same merge': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no traces');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-story-'));
    try {
      symlinkSync(options.tracebraid, join(folder, 'tracebraid'));
      const page = await open({ width: 1440, height: 900 });
      await openMerge(page, await serve({ files: writeStory(folder) }), 'worker.json');
      await tried(page);

      // What relates what: seven files by evidence, one by a guess.
      const trial = page.getByRole('region', { name: 'Trial' });
      const row = (file) => trial.getByRole('row', { name: new RegExp(file) });
      assert.equal(await page.getByRole('region', { name: 'Files' }).getByRole('button', { name: /\.(json|pftrace)/ }).count(), 8);
      assert.match(await trial.innerText(), /7 of 8 files are placed by evidence, 1 by a guess/);
      for (const [file, bound] of [['watch.pftrace', /±10(\.\d+)? ms/], ['node.pftrace', /±10(\.\d+)? ms/], ['rank0.json', /±10(\.\d+)? ms/], ['app.json', /stated/], ['worker.json', /no bound/]]) assert.match(await row(file).innerText(), bound, file);

      // The lane is dragged to the right until its first burst meets that of node.pftrace.
      await page.getByRole('radio', { name: /^By an offset/ }).check();
      await page.getByRole('combobox', { name: 'File' }).selectOption({ label: 'node.pftrace' });
      await page.getByLabel('Clock', { exact: true }).selectOption('BOOTTIME');
      const exact = storyStart.node - storyStart.worker;
      await page.getByLabel('Offset', { exact: true }).fill(`${(exact - 300_000_000) / 1e9} s`);
      await tried(page);
      const offset = async () => JSON.parse(await page.getByLabel('Text of the manifest').inputValue()).perfetto_manifest.files.find((f) => f.path === 'worker.json').clocks.offset_ns;
      const lane = page.getByRole('slider', { name: /Place of .*worker\.json/ });
      const drag = async (by) => {
        await lane.scrollIntoViewIfNeeded();
        const { x, y, width, height } = await lane.boundingBox();
        await page.mouse.move(x + width / 2, y + height / 2);
        await page.mouse.down();
        await page.keyboard.down('Alt');
        await page.mouse.move(x + width / 2 + by / 2, y + height / 2);
        await page.mouse.move(x + width / 2 + by, y + height / 2);
        await page.mouse.up();
        await page.keyboard.up('Alt');
        await tried(page);
      };
      const before = await offset();
      await drag(20);
      const px = ((await offset()) - before) / 20;
      assert.ok(px > 0, `${px} ns a px`);
      // The preview may have another scale after a drag, so the rest is corrected.
      for (let i = 0; i < 4 && Math.abs((await offset()) - exact) > px; i += 1) await drag(Math.round((exact - (await offset())) / px) || 1);
      assert.ok(Math.abs((await offset()) - exact) <= px, `${(await offset()) - exact} ns from the burst, ${px} ns a px`);
      assert.match(await trial.innerText(), /8 of 8 files are placed by evidence|All 8 files are placed by evidence/);
      assert.match(await row('worker.json').innerText(), /±10(\.\d+)? ms/);

      // The saved manifest gives the command line the report of the dry run, which becomes whole a moment after the change.
      await trial.getByText('Events that only opening can lose').waitFor({ state: 'detached' });
      const report = await page.evaluate(async () => {
        const path = performance.getEntriesByType('resource').map((r) => new URL(r.name).pathname).filter((p) => /\/drafts\/\d+\/check$/.test(p)).at(-1);
        return (await fetch(path)).json();
      });
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save manifest' }).click()]);
      await download.saveAs(join(folder, 'manifest.json'));
      assert.equal(readFileSync(join(folder, 'manifest.json'), 'utf8'), await page.getByLabel('Text of the manifest').inputValue());
      await page.getByRole('button', { name: 'Copy command line' }).click();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      const printed = asTexts(parsed(execFileSync('bash', ['-c', `${command} --json -q`], { cwd: folder, env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } }).toString()));
      const dry = asTexts(report);
      for (const [member, value] of Object.entries(printed)) assert.deepEqual(dry[member], value, member);
      assert.equal(printed.placements.length, dry.placements.length);
      assert.ok(printed.placements.length >= 8);

      // The opened timeline says the order of two events of two machines.
      await page.getByRole('button', { name: 'Open timeline' }).click();
      await page.getByTestId('canvas').waitFor({ timeout: 60_000 });
      await idle(page);
      const pick = async (name) => {
        await page.getByTestId('canvas').focus();
        await page.keyboard.press('/');
        await page.keyboard.type(`name=${name}`);
        await page.getByTestId('hits').filter({ hasText: /^[\d,]+$/ }).waitFor();
        await page.keyboard.press('Enter');
        await page.waitForFunction((text) => window.tb.view().selection.value?.name === text, name);
        await page.getByTestId('omni').press('Escape');
        await page.evaluate(() => document.activeElement?.blur());
        await idle(page);
      };
      await pick('worker.json 0');
      await page.keyboard.press('v');
      await pick('daemon.json 3');
      const order = page.getByRole('region', { name: 'Order of two events' });
      const verdict = await order.getByRole('status').innerText();
      assert.match(verdict, /^A precedes B: certain, \d+(\.\d+)? ms ± 10(\.\d+)? ms\. By the path over wall-clock time, ±10(\.\d+)? ms\.$/);
      assert.match(await order.locator('.order-path').innerText(), /own timeline of worker\.json[\s\S]*BOOTTIME of node[\s\S]*REALTIME of node[\s\S]*REALTIME of phone[\s\S]*BOOTTIME of phone[\s\S]*own timeline of daemon\.json/);
      // The true distance is 148.8 s less the 147.757 s + 0.2 s of the burst.
      const found = await page.evaluate(() => window.tb.view().order.found.value);
      assert.ok(Math.abs(Number(found.gap_ns) - (147_900_000_000 + 900_000_000 - 147_957_000_000)) <= px + Number(found.bound_ns));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
