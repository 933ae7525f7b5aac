/** The merge page: form, text and trial of a manifest. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idle } from './browser.mjs';
import { openViewer } from './pages.mjs';
import { examples } from './server.mjs';
import { inputsOf } from './vectors.mjs';

/** Opens the merge page of the first trace at a file. */
export async function openMerge(page, server, file = 'app.json') {
  await openViewer(page, server);
  await page.getByRole('link', { name: 'Merge', exact: true }).click();
  await page.getByRole('region', { name: 'Files' }).getByRole('button', { name: new RegExp(file) }).click();
  await idle(page);
}

/** Waits until the text that is shown was tried. */
export async function tried(page) {
  await page.locator('section[aria-label="Trial"][aria-busy="false"]').waitFor({ timeout: 30_000 });
  await idle(page);
}

const laneOf = (page, file) => page.getByRole('slider', { name: new RegExp(`Place of .*${file}`) });
const offsetOf = (page, file) => laneOf(page, file).getAttribute('aria-valuetext');

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
    assert.ok(await page.getByRole('button', { name: 'Open timeline' }).isDisabled());
    await page.getByRole('button', { name: 'Undo' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save manifest' }).click()]);
    assert.equal(readFileSync(await download.path(), 'utf8'), first);
  },

  'merge: each change is tried at once, and what moves is shown; the manifest becomes an open trace': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, server);
    await tried(page);
    await page.getByLabel('Offset', { exact: true }).fill('148.010 s');
    const row = page.getByRole('region', { name: 'Trial' }).getByRole('row', { name: /app\.json/ });
    await row.filter({ hasText: '+3 ms' }).waitFor({ timeout: 30_000 });
    assert.match(await row.innerText(), /stated/);
    await tried(page);
    assert.equal(await offsetOf(page, 'app.json'), '148.01 s');
    await page.getByRole('radio', { name: /Automatically/ }).check();
    await row.filter({ hasText: 'no bound' }).waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.filter({ hasText: '+3 ms' }).waitFor({ timeout: 30_000 });
    assert.equal(await page.getByRole('combobox', { name: 'Trace', exact: true }).count(), 0, 'drafts are no open traces');
    await page.getByRole('button', { name: 'Open timeline' }).click();
    await page.getByTestId('canvas').waitFor({ timeout: 60_000 });
    await page.getByRole('combobox', { name: 'Trace', exact: true }).waitFor();
  },

  'merge: a lane is dragged, snaps to events of others, and moves by keys': async ({ serve, page: open }) => {
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve());
    await tried(page);
    const lane = laneOf(page, 'app.json');
    await lane.waitFor();
    const offset = async () => JSON.parse(await textOf(page)).perfetto_manifest.files.find((f) => f.path === 'app.json').clocks.offset_ns;
    const before = await offset();
    const { x, y, width, height } = await lane.boundingBox();
    const drag = async (by, key) => {
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      if (key) await page.keyboard.down(key);
      await page.mouse.move(x + width / 2 + by / 2, y + height / 2);
      await page.mouse.move(x + width / 2 + by, y + height / 2);
      assert.match(await page.locator('.preview-lane-tip').innerText(), /moved \+/);
      await page.mouse.up();
      if (key) await page.keyboard.up(key);
      await tried(page);
    };
    await drag(40, 'Alt');
    const span = (await offset()) - before;
    assert.ok(span > 0);
    assert.equal(await page.getByLabel('Offset', { exact: true }).inputValue(), await offsetOf(page, 'app.json'), 'the form shows what was dragged');
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await offset(), before);
    await tried(page);

    // The last event of the file comes within 8 px of that of another file, and snaps to it.
    const report = await page.evaluate(async () => (await (await fetch('/api/v1/traces/1/report')).json()).placements);
    const last = (file) => Math.max(...report.filter((p) => p.file.endsWith(file)).map((p) => Number(p.last_ts)));
    const ends = ['phone.pftrace', 'watch.pftrace'].map((file) => last(file) - last('app.json'));
    await drag(Math.min(...ends) / (span / 40) - 3);
    const moved = (await offset()) - before;
    assert.ok(Math.abs(moved - Math.min(...ends)) <= 8 * (span / 40), `moved by ${moved}`);

    await lane.focus();
    const at = await offset();
    await page.keyboard.press('Alt+ArrowRight');
    assert.equal(await offset(), at + 1);
    await page.keyboard.press('ArrowLeft');
    const px = at + 1 - (await offset());
    assert.ok(Math.abs(px - span / 40) <= 2, `a key moves by a px: ${px}`);
    await page.keyboard.press('Shift+ArrowLeft');
    assert.ok(Math.abs(at + 1 - (await offset()) - 11 * px) <= 20);
    await tried(page);
    assert.equal(await laneOf(page, 'phone.pftrace').getAttribute('aria-disabled'), 'true');
    assert.match(await page.getByRole('region', { name: 'Preview' }).innerText(), /has clock snapshots/);
  },

  'merge: a suggestion writes an offset, and the preview is zoomed': async ({ serve, page: open }) => {
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve());
    await tried(page);
    await page.getByRole('button', { name: /Apply: Equal first events, phone/ }).click();
    await tried(page);
    const report = page.getByRole('region', { name: 'Trial' });
    assert.match(await report.getByRole('row', { name: /app\.json/ }).innerText(), /−/);
    const ticks = () => page.locator('.preview-lane.axis').innerText();
    const whole = await ticks();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await idle(page);
    assert.notEqual(await ticks(), whole);
    await page.getByRole('button', { name: 'Show all' }).click();
    await idle(page);
    assert.equal(await ticks(), whole);
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
      'with drift': async () => {
        await page.getByRole('radio', { name: /^By an offset/ }).check();
        await page.getByLabel('Offset', { exact: true }).fill('148.007 s');
        await page.getByRole('checkbox', { name: 'with drift' }).check();
        await page.getByLabel('Drift, ppm').fill('12.5');
        await page.getByLabel('Reading at which the offset holds').fill('500 ms');
      },
      'by points': async () => {
        await page.getByRole('radio', { name: /By pairs of readings/ }).check();
        await page.getByRole('button', { name: 'Add a moment' }).click();
        await page.getByLabel('The other clock at moment 3').fill('151 s');
      },
      'on another timeline': async () => {
        await page.getByText('For all files', { exact: true }).click();
        await page.getByLabel('Clock of the timeline').selectOption('REALTIME');
        await page.getByLabel('File of the timeline').selectOption('watch.pftrace');
        await page.getByLabel('Between readings').selectOption('step');
        await page.getByLabel('Content').selectOption('off');
      },
      'by a pattern': async () => {
        await page.getByRole('checkbox', { name: 'all files like this' }).check();
        await page.getByRole('checkbox', { name: 'as *.json' }).waitFor();
      },
      'by an entry of its own again': async () => page.getByRole('checkbox', { name: 'as *.json' }).uncheck(),
      'at a wall-clock time': async () => {
        await page.getByRole('radio', { name: /wall-clock/ }).check();
        await page.getByLabel('Time of the first event').fill('2026-11-20T12:03:04.5Z');
        await page.getByLabel('Time of the first event').blur();
      },
      'on another machine': async () => {
        const machine = page.getByRole('combobox', { name: 'Machine' });
        await machine.fill('laptop');
        await machine.blur();
      },
      'with a wall clock that is ahead': async () => page.getByLabel('Wall clock of watch ahead by').fill('20 ms'),
      'with attributes': async () => {
        await page.getByLabel('Name of a new attribute').fill('run');
        await page.getByRole('button', { name: 'Add the attribute' }).click();
        await page.getByLabel('Value of run').fill('7');
        await page.getByLabel('Value of run').blur();
      },
      'by a suggestion': async () => {
        await page.getByRole('radio', { name: /^By an offset/ }).check();
        await tried(page);
        await page.getByRole('button', { name: /Apply: Equal first events, phone/ }).click();
      },
      'dragged by keys': async () => {
        await laneOf(page, 'app.json').focus();
        await page.keyboard.press('Shift+ArrowRight');
      },
      'with all flows of one id': async () => page.getByRole('combobox', { name: /^Flows/ }).selectOption('all'),
      'with content that only verifies': async () => page.getByRole('combobox', { name: /^Content/ }).selectOption('verify'),
      'by a clock of a file with snapshots': async () => {
        await page.getByLabel('Clock of the timeline').selectOption('');
        await page.getByRole('button', { name: /watch\.pftrace/ }).first().click();
        await tried(page);
        await page.getByRole('button', { name: /^Relate its/ }).click();
      },
      'by another text': async () => {
        const other = JSON.parse(await textOf(page));
        other.perfetto_manifest.files.find((f) => f.path === 'watch.pftrace').clocks.offset_ns += 1_000_000;
        await page.getByLabel('Text of the manifest').fill(JSON.stringify(other));
      },
      'undone and redone': async () => {
        for (const name of ['Undo', 'Undo', 'Redo']) await page.getByRole('button', { name }).click();
      },
    };
    for (const [name, act] of Object.entries(scenarios)) {
      await act();
      await tried(page);
      const report = await page.evaluate(async () => {
        const path = performance.getEntriesByType('resource').map((r) => new URL(r.name).pathname).filter((p) => /\/drafts\/\d+\/report$/.test(p)).at(-1);
        return (await fetch(path)).json();
      });
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save manifest' }).click()]);
      await download.saveAs(join(folder, 'manifest.json'));
      await page.getByRole('button', { name: 'Copy command line' }).click();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      const printed = JSON.parse(execFileSync('bash', ['-c', `${command} --json -q`], { cwd: folder, env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } }).toString().replace(/: (-?\d{16,})/g, ': "$1"')); // numbers of JSON are exact up to 53 bits
      const placements = (all) => all.map((p) => Object.fromEntries(Object.entries(p).map(([key, value]) => [key, value === null ? null : String(value)])));
      assert.deepEqual(placements(report.placements), placements(printed.placements), name);
      assert.deepEqual(report.timeline.clock, printed.timeline.clock, name);
      assert.deepEqual(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')), JSON.parse(await textOf(page)), name);
      assert.equal(await page.getByRole('region', { name: 'Trial' }).getByRole('row', { name: /app\.json/ }).count(), 1);
    }
    rmSync(folder, { recursive: true });
  },

  'merge_10000: of 10,000 files the page has those in sight, and tries each change': async ({ serve, page: open }) => {
    const page = await open({ width: 1440, height: 900 });
    await openViewer(page, await serve({ tracebraid: undefined, manyFiles: 10_000 }));
    await page.getByRole('link', { name: 'Merge', exact: true }).click();
    await tried(page);
    const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok((await elements()) <= 3000, `${await elements()} elements`);
    const files = page.getByRole('region', { name: 'Files' });
    await files.getByText('10,003 files').waitFor();
    const fold = files.getByRole('button', { name: /10,000 × rank\*\.json/ });
    assert.equal(await files.getByRole('button', { name: /rank0/ }).count(), 0, 'alike files are one card');
    await fold.click();
    assert.ok((await elements()) <= 3000, `${await elements()} elements`);
    await files.locator('.scroll').evaluate((e) => e.scrollTo(0, e.scrollHeight));
    await files.getByRole('button', { name: /rank09999/ }).click();
    await page.getByRole('radio', { name: /By an offset/ }).check();
    await page.getByLabel('Offset', { exact: true }).fill('5 s');
    await tried(page);
    assert.equal(await offsetOf(page, 'rank09999.json'), '5 s');
    assert.ok((await elements()) <= 3000, `${await elements()} elements`);
  },

  'merge: flows between two files suggest an offset, which places them alike': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server compares no content');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-e2e-'));
    // Requests lead from one file to the other, answers back.
    const events = (offset, isSender) => Array.from({ length: 200 }, (_, i) => {
      const isStart = (i % 2 === 0) === isSender;
      const ts = offset + i * 1000 + (isStart ? 0 : 300 + (i % 7));
      return [{ ph: 'X', ts, dur: 100, name: 'call', pid: 1, tid: 1 }, { ph: isStart ? 's' : 'f', ts: ts + 1, name: 'call', cat: 'rpc', pid: 1, tid: 1, bp: 'e', id: `0x${((BigInt(i + 1) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn).toString(16)}` }];
    }).flat();
    const files = [['client.json', 1_000_000, true], ['server.json', 77_000_000, false]].map(([name, offset, isSender]) => {
      writeFileSync(join(folder, name), JSON.stringify(events(offset, isSender)));
      return join(folder, name);
    });
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve({ files }), 'server.json');
    await tried(page);
    const row = page.getByRole('region', { name: 'Trial' }).getByRole('row', { name: /server\.json/ });
    assert.match(await row.innerText(), /flows both ways/);
    const suggested = page.getByRole('button', { name: /Apply: Flows stay in order, client\.json: \d+ of 200, ±\d/ });
    await suggested.click();
    await tried(page);
    assert.match(await row.innerText(), /manifest\s+stated/);
    const { clocks } = JSON.parse(await textOf(page)).perfetto_manifest.files.find((f) => f.path === 'server.json');
    assert.equal(clocks.sync_to.file, 'client.json');
    assert.ok(Math.abs(clocks.offset_ns + 76_000_000_000) < 400_000, `${clocks.offset_ns}`); // the way of a message is 300 us
    assert.equal(await suggested.count(), 0, 'it is applied');
    rmSync(folder, { recursive: true });
  },

  'merge: a suggestion that is pointed at shows where it leads': async ({ serve, page: open }) => {
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve());
    await tried(page);
    const ghost = page.locator('.preview-lane .offered');
    assert.equal(await ghost.count(), 0);
    await page.getByText('Equal last events').first().hover();
    await ghost.waitFor();
    await page.getByRole('heading', { name: 'Merge', exact: true }).hover();
    await ghost.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Apply: Equal last events, phone/ }).focus();
    await ghost.waitFor();
  },

  'merge: files are added to the merge that is shown': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no files');
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve());
    await tried(page);
    await page.getByLabel('Offset', { exact: true }).fill('148.010 s');
    await tried(page);
    const added = Buffer.from(JSON.stringify(Array.from({ length: 9 }, (_, i) => ({ ph: 'X', ts: 1000 * i, dur: 10, name: 'late', pid: 9, tid: 9 }))));
    const choose = async (file) => {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Add', exact: true }).click()]);
      await chooser.setFiles(file);
    };
    await choose({ name: 'late.json', mimeType: 'application/json', buffer: added });
    const card = page.getByRole('region', { name: 'Files' }).getByRole('button', { name: /late\.json/ });
    await card.waitFor({ timeout: 30_000 });
    await tried(page);
    assert.match(await card.innerText(), /9 events/);
    assert.equal(await offsetOf(page, 'app.json'), '148.01 s', 'the manifest stays');
    await card.click();
    await page.getByRole('radio', { name: /By an offset/ }).check();
    await page.getByRole('combobox', { name: 'File', exact: true }).selectOption({ label: 'app.json' });
    await page.getByLabel('Offset', { exact: true }).fill('5 ms');
    await tried(page);
    const row = page.getByRole('region', { name: 'Trial' }).getByRole('row', { name: /late\.json/ });
    assert.match(await row.innerText(), /manifest\s+stated/);
    await page.getByRole('button', { name: 'Open timeline' }).click();
    await page.getByTestId('canvas').waitFor({ timeout: 60_000 });
    const files = await page.evaluate(async () => {
      const { traces } = await (await fetch('/api/v1/traces')).json();
      const report = await (await fetch(`/api/v1/traces/${traces.at(-1).id}/report`)).json();
      return [...new Set(report.placements.map((p) => p.file.split('/').pop()))];
    });
    assert.ok(files.includes('late.json'), `${files}`);
  },

  'merge: a machine inside of a file of several is named, and one of them is related': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no files');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-vectors-'));
    try {
      const path = inputsOf(folder, 'clocks-and-merging').find((p) => p.includes('/two_embedded_ids/'));
      const files = ['app.json', 'phone.pftrace'].map((name) => examples.find((file) => file.endsWith(name)));
      const page = await open({ width: 1440, height: 900 });
      await openMerge(page, await serve({ files: [...files, join(folder, path)] }), 'trace\\.');
      await tried(page);
      const inside = page.locator('.inside-machines');
      const ids = await inside.locator('tbody tr').evaluateAll((rows) => rows.map((r) => r.cells[0].innerText));
      assert.ok(ids.length > 1, `${ids}`);
      for (const id of ids) {
        const field = page.getByLabel(`Machine of id ${id}`, { exact: true });
        await field.fill(`box ${id}`);
        await field.blur();
      }
      await tried(page);
      const entry = JSON.parse(await textOf(page)).perfetto_manifest.files.find((f) => f.machines);
      assert.deepEqual(entry.machines, ids.map((id) => ({ id: Number(id), name: `box ${id}` })));
      const trial = page.getByRole('region', { name: 'Trial' });
      assert.match(await trial.innerText(), new RegExp(`box (${ids.join('|')})`));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  'merge: the archive opens as the merge that is shown': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server packs no archives');
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve());
    await page.getByLabel('Offset', { exact: true }).fill('148.011 s');
    await tried(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Write archive' }).click()]);
    assert.equal(download.suggestedFilename(), 'merged.tar');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-e2e-'));
    await download.saveAs(join(folder, 'merged.tar'));
    const { placements } = JSON.parse(execFileSync(options.tracebraid, ['check', '--json', '-q', join(folder, 'merged.tar')]).toString());
    assert.deepEqual(placements.filter((p) => p.file.endsWith('app.json')).map((p) => [p.rule, p.offset_start_ns]), [['manifest', 148_011_000_000]]);
    rmSync(folder, { recursive: true });
  },

  'merge: a clock of a file with snapshots is related, and its lane can be moved then': async ({ serve, page: open, options }) => {
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve(), 'watch.pftrace');
    await tried(page);
    const lane = laneOf(page, 'watch.pftrace');
    assert.equal(await lane.getAttribute('aria-disabled'), 'true');
    await page.getByRole('button', { name: 'Relate its BOOTTIME' }).click();
    await tried(page);
    assert.equal(await lane.getAttribute('aria-disabled'), 'false');
    assert.equal(await page.getByLabel('Clock of this file').inputValue(), 'BOOTTIME');
    const entry = JSON.parse(await textOf(page)).perfetto_manifest.files.find((f) => f.path === 'watch.pftrace');
    assert.deepEqual([entry.clocks.clock, entry.clocks.sync_to], ['BOOTTIME', { file: 'phone.pftrace', clock: 'BOOTTIME' }]);
    assert.ok(entry.clocks.offset_ns < -11_000e9);
    if (options.tracebraid) assert.match(await page.getByRole('region', { name: 'Trial' }).getByRole('row', { name: /watch\.pftrace/ }).innerText(), /manifest/);
  },

  'merge: a manifest that breaks a rule says which': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open({ width: 1440, height: 900 });
    page.allow(/status of 4\d\d/);
    await openMerge(page, server);
    await page.getByLabel('Text of the manifest').fill('{"perfetto_manifest": {"version": 9, "files": []}}');
    await page.getByRole('region', { name: 'Trial' }).getByRole('alert').waitFor({ timeout: 30_000 });
    assert.ok(await page.getByRole('button', { name: 'Open timeline' }).isDisabled());
    assert.match(await page.getByRole('region', { name: 'Trial' }).getByRole('alert').innerText(), /version/);
  },
};
