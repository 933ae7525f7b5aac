/** The merge page: form, text and trial of a manifest. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
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

const contentOfAll = (page) => page.getByRole('combobox', { name: /^Content(?! of)/ });
const textOf = (page) => page.getByLabel('Text of the manifest').inputValue();

const isPlain = (value) => typeof value === 'number' || typeof value === 'bigint';

/** The whole report of a trial is that which the command prints. */
function sameReport(report, printed, name) {
  const [tried, whole] = [report, printed].map((all) => JSON.parse(JSON.stringify(all, (_, value) => (isPlain(value) ? String(value) : value))));
  for (const own of ['version', 'placed_in_ms', 'whole', 'without', 'command']) {
    delete tried[own];
    delete whole[own];
  }
  assert.deepEqual(tried, whole, name);
}

/** Drops files on an element. */
async function drop(page, target, paths) {
  const files = paths.map((path) => [basename(path), readFileSync(path).toString('base64')]);
  const dataTransfer = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const [name, bytes] of all) transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
    return transfer;
  }, files);
  await target.dispatchEvent('drop', { dataTransfer });
}

/** Saves the manifest into a folder, and returns what `check` prints with it. */
async function checkedWith(page, options, folder, inputs) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save manifest' }).click()]);
  await download.saveAs(join(folder, 'manifest.json'));
  return JSON.parse(execFileSync(options.tracebraid, ['check', '--json', '-q', '--manifest', join(folder, 'manifest.json'), ...inputs]).toString());
}

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

  'merge: pairs of events that are one moment give an offset, then points': async ({ serve, page: open, options }) => {
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve());
    await tried(page);
    await page.getByRole('radio', { name: /Automatically/ }).check();
    await tried(page);
    const first = await textOf(page);
    const steps = async () => page.locator('.page-h small').innerText();
    await page.getByRole('button', { name: 'Pair events' }).click();
    const note = page.getByRole('group', { name: 'Pairs' });
    const lane = (file) => page.getByRole('slider', { name: new RegExp(`Event of .*${file}`) });
    const end = async (file, isLast) => {
      const box = await lane(file).locator('.extent rect').boundingBox();
      return [isLast ? box.x + box.width - 1 : box.x + 1, box.y + box.height / 2];
    };
    await page.mouse.click(...await end('app.json', false));
    await note.getByText(/app\.json at .*: click the same moment/).waitFor();
    assert.equal(await page.locator('.preview-lane .picked').count(), 1);
    await page.mouse.click(...await end('phone.pftrace', false));
    await note.getByText('1 pair places app.json').waitFor();
    await tried(page);
    const entry = async () => JSON.parse(await textOf(page)).perfetto_manifest.files.find((f) => f.path === 'app.json').clocks;
    assert.deepEqual((await entry()).sync_to, { file: 'phone.pftrace', clock: 'BOOTTIME' });
    assert.ok(Number.isInteger((await entry()).offset_ns));
    assert.equal(await page.getByRole('radio', { name: /^By an offset/ }).isChecked(), true);
    // The second pair is dragged from one lane to the other.
    await page.mouse.move(...await end('app.json', true));
    await page.mouse.down();
    await page.mouse.move(...await end('phone.pftrace', true), { steps: 3 });
    await page.mouse.up();
    await note.getByText('2 pairs place app.json').waitFor();
    await tried(page);
    const { points } = await entry();
    assert.equal(points.length, 2);
    // Both files have an event at exactly these moments.
    const at = async (file, ts) => page.evaluate(async ([path, time]) => {
      const draft = performance.getEntriesByType('resource').map((r) => /\/api\/v1\/drafts\/\d+/.exec(r.name)?.[0]).filter(Boolean).at(-1);
      const ask = async (route, body) => (await fetch(`${draft}/${route}`, body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json();
      const { lanes } = await ask('lanes');
      return (await ask('nearest', { file: lanes.find((l) => l.path.endsWith(path)).file, ts: String(time), reach_ns: '0' })).event;
    }, [file, ts]);
    for (const { this_ns: own, other_ns: other } of options.tracebraid ? points : []) { // the mock server ignores points
      assert.equal((await at('app.json', other)).reading_ns, String(own));
      assert.ok(await at('phone.pftrace', other));
    }
    if (options.tracebraid) assert.match(await page.getByRole('region', { name: 'Trial' }).getByRole('row', { name: /app\.json/ }).innerText(), /manifest\s+stated/);
    // By keys: the cursor goes along the events, Enter takes one.
    await lane('watch.pftrace').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await note.getByText(/watch\.pftrace at/).waitFor();
    await lane('phone.pftrace').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await note.getByRole('alert').getByText(/Relate a clock of one of them first/).waitFor();
    await note.getByRole('button', { name: 'End picking' }).click();
    await laneOf(page, 'app.json').waitFor();
    assert.match(await steps(), /3 steps changed/);
    for (const name of ['Undo', 'Undo']) await page.getByRole('button', { name }).click();
    assert.equal(await textOf(page), first);
  },

  'merge: a lane that is zoomed in shows slices, which are picked': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the slices of the mock server are of no file');
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve());
    await tried(page);
    await page.getByRole('button', { name: 'Pair events' }).click();
    const lane = page.getByRole('slider', { name: /Event of .*app\.json/ });
    const slices = lane.locator('.lane-slices rect');
    for (let i = 0; i < 40 && (await slices.count()) === 0; i += 1) {
      const { x, width } = await lane.locator('.extent rect').boundingBox();
      const { y } = await lane.boundingBox();
      await page.mouse.move(x + Math.min(width, 1000) / 2, y + 20);
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, -100);
      await page.keyboard.up('Control');
      await idle(page);
    }
    await slices.first().waitFor();
    const names = await page.evaluate(async () => {
      const { sets } = await (await fetch('/api/v1/traces/1/queries', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sql: "SELECT DISTINCT s.name FROM slice s JOIN __intrinsic_track t ON t.id = s.track_id JOIN trace_file f ON f.id = t.trace_id WHERE f.name = 'app.json'" }) })).json();
      return sets[0].rows.map(([name]) => name);
    });
    const box = await slices.last().boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const note = page.getByRole('group', { name: 'Pairs' });
    await note.getByText(/of app\.json at/).waitFor();
    const [, picked] = /^(.*) of app\.json at/.exec(await note.getByRole('status').innerText());
    assert.ok(names.includes(picked), `${picked} is none of ${names}`);
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
        await contentOfAll(page).selectOption('off');
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
      'with content that only verifies': async () => contentOfAll(page).selectOption('verify'),
      'by a clock of a file with snapshots': async () => {
        await page.getByLabel('Clock of the timeline').selectOption('');
        await page.getByRole('button', { name: /watch\.pftrace/ }).first().click();
        await tried(page);
        await page.getByRole('button', { name: /^Relate its/ }).click();
      },
      'with content that may not relate it': async () => {
        await page.getByText('Content and clock group').click();
        await page.getByLabel('Content of this file', { exact: true }).selectOption('off');
      },
      'with some kinds of content': async () => {
        await page.getByLabel('Content of this file', { exact: true }).selectOption('kinds');
        await page.getByRole('group', { name: 'Kinds of content of this file' }).getByRole('checkbox', { name: 'markers' }).uncheck();
      },
      'with some kinds of content of all files': async () => {
        await contentOfAll(page).selectOption('kinds');
        await page.getByRole('group', { name: 'Kinds of content', exact: true }).getByRole('checkbox', { name: 'logs' }).uncheck();
      },
      'with a shared clock': async () => {
        for (const file of [/phone\.pftrace/, /watch\.pftrace/]) {
          await page.getByRole('region', { name: 'Files' }).getByRole('button', { name: file }).click();
          if (!(await page.getByLabel('Clock group').isVisible())) await page.getByText('Content and clock group').click();
          await page.getByLabel('Clock group').fill('soc');
          await page.getByLabel('Clock group').blur();
        }
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
        const path = performance.getEntriesByType('resource').map((r) => new URL(r.name).pathname).filter((p) => /\/drafts\/\d+\/report$/.test(p)).at(-1).replace(/report$/, 'check');
        return (await fetch(path)).json();
      });
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save manifest' }).click()]);
      await download.saveAs(join(folder, 'manifest.json'));
      await page.getByRole('button', { name: 'Copy command line' }).click();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      const printed = JSON.parse(execFileSync('bash', ['-c', `${command} --json -q`], { cwd: folder, env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } }).toString().replace(/: (-?\d{16,})/g, ': "$1"')); // numbers of JSON are exact up to 53 bits
      sameReport(report, printed, name);
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

  'merge_10000: the program places 10,000 files by one entry, of which the page has those in sight': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid || options.isQuick) skip('the files are read by the program, which takes long');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-e2e-'));
    try {
      const text = JSON.stringify(Array.from({ length: 20 }, (_, i) => ({ ph: 'X', ts: 10 * i, dur: 3, name: `e${i}`, pid: 1, tid: 1 })));
      for (let i = 0; i < 10_000; i += 1) writeFileSync(join(folder, `rank${String(i).padStart(5, '0')}.json`), text);
      const page = await open({ width: 1440, height: 900 });
      await openViewer(page, await serve({ files: [folder] }));
      await page.getByRole('link', { name: 'Merge', exact: true }).click({ timeout: 120_000 });
      const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
      const files = page.getByRole('region', { name: 'Files' });
      await files.getByText('10,000 files').waitFor({ timeout: 120_000 });
      const done = () => page.locator('section[aria-label="Trial"][aria-busy="false"]').waitFor({ timeout: 120_000 });
      await done();
      assert.ok((await elements()) <= 3000, `${await elements()} elements`);
      // One entry for all files that have none of their own, later than the first one.
      const entries = [{ path: 'rank00000.json' }, { path: 'rank*.json', glob: true, clocks: { sync_to: { file: 'rank00000.json' }, offset_ns: 5000 } }];
      await page.getByLabel('Text of the manifest').fill(JSON.stringify({ perfetto_manifest: { version: 1, files: entries } }));
      await page.getByRole('region', { name: 'Trial' }).getByText('All 10,000 files are placed by evidence').waitFor({ timeout: 120_000 });
      await done();
      await files.getByRole('button', { name: /9,999 × / }).waitFor();
      assert.ok((await elements()) <= 3000, `${await elements()} elements`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
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

  'merge: an archive that is dropped is merged by its members': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no files');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-e2e-'));
    try {
      const [archive, other] = ['set.zip', 'more.tar'].map((name) => join(folder, name));
      const source = dirname(examples[0]);
      execFileSync('python3', ['-m', 'zipfile', '-c', archive, ...['app.json', 'phone.pftrace'].map((name) => join(source, name))]);
      execFileSync('tar', ['-cf', other, '-C', source, 'watch.pftrace']);
      const page = await open({ width: 1440, height: 900 });
      const server = await serve();
      await openViewer(page, server);
      await page.getByRole('link', { name: 'Open', exact: true }).click();
      await drop(page, page.getByTestId('drop'), [archive]);
      await page.getByTestId('canvas').waitFor({ timeout: 60_000 });
      await page.getByRole('link', { name: 'Merge', exact: true }).click();
      await tried(page);
      const cards = page.getByRole('region', { name: 'Files' });
      await cards.getByRole('button', { name: /app\.json/ }).click();
      await page.getByRole('radio', { name: /^By an offset/ }).check();
      await page.getByLabel('Offset', { exact: true }).fill('148.007 s');
      await tried(page);
      // An archive that is the only input has no name in the manifest.
      assert.deepEqual(JSON.parse(await textOf(page)).perfetto_manifest.files.map((f) => f.path).sort(), ['app.json', 'phone.pftrace']);
      const places = (all) => all.filter((p) => p.file.endsWith('/app.json')).map((p) => [p.file.split('/').slice(-2).join('/'), p.rule, p.path, String(p.offset_start_ns)]);
      const report = () => page.evaluate(async () => {
        const path = performance.getEntriesByType('resource').map((r) => new URL(r.name).pathname).filter((p) => /\/drafts\/\d+\/report$/.test(p)).at(-1);
        return (await fetch(path)).json();
      });
      assert.deepEqual(places((await report()).placements), [['set.zip/app.json', 'manifest', 'own timeline of app.json > BOOTTIME of phone', '148007000000']]);
      assert.deepEqual(places((await checkedWith(page, options, folder, [archive])).placements), places((await report()).placements));

      // With a second archive its members have its name before theirs; the entries of the first one stay.
      await drop(page, cards, [other]);
      const added = cards.getByRole('button', { name: /more\.tar\/watch\.pftrace/ });
      await added.waitFor({ timeout: 30_000 });
      await tried(page);
      await added.click();
      await page.getByRole('combobox', { name: 'Machine' }).fill('wrist');
      await page.getByRole('combobox', { name: 'Machine' }).blur();
      await tried(page);
      const stated = JSON.parse(await textOf(page)).perfetto_manifest.files.find((f) => f.path === 'more.tar/watch.pftrace');
      assert.deepEqual(stated.machine, { name: 'wrist' });
      const both = (await report()).placements;
      assert.match(places(both)[0][2], /^own timeline of app\.json > BOOTTIME of phone > /);
      assert.deepEqual(places((await checkedWith(page, options, folder, [archive, other])).placements), places(both));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  'merge: a card has the snapshots, dates and markers of its file': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no files');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-e2e-'));
    try {
      const log = join(folder, 'log.json');
      const traceEvents = [{ ph: 'c', name: 'ClockSyncEvent', ts: 1, pid: 1, tid: 1, args: { sync_id: 's1', issue_ts: 0.5 } }, { ph: 'X', ts: 3, dur: 1, name: 'a', pid: 1, tid: 1 }];
      writeFileSync(log, `{"traceEvents": ${JSON.stringify(traceEvents)}, "baseTimeNanoseconds": 1795176332000000000}`);
      const page = await open({ width: 1440, height: 900 });
      await openMerge(page, await serve({ files: examples }));
      await tried(page);
      const cards = page.getByRole('region', { name: 'Files' });
      const card = (name) => cards.getByRole('button', { name: new RegExp(name.replace('.', '\\.')) });
      assert.match(await card('phone.pftrace').innerText(), /14 snapshots: REALTIME, MONOTONIC; 21 snapshots: BOOTTIME/);
      assert.match(await card('app.json').innerText(), /no snapshots, dates or markers/);
      await drop(page, cards, [log]);
      await card('log.json').waitFor({ timeout: 30_000 });
      await tried(page);
      assert.match(await card('log.json').innerText(), /states 2026-11-20 12:05:32\.000 UTC, 1 sync marker/);
      // The gap between cards is part of what the list assumes.
      const heights = await cards.locator('.cards li').evaluateAll((all) => all.slice(1).map((li, i) => li.getBoundingClientRect().y - all[i].getBoundingClientRect().y));
      for (const height of heights) assert.ok(Math.abs(height - 120) < 0.6, `${height}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  'merge: a member of a second archive with a name that the manifest uses leaves the entry with its file': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no files');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-e2e-'));
    try {
      // The second archive is first in order, so that the bare name would mean its member.
      const [archive, other] = ['set.zip', 'again.zip'].map((name) => join(folder, name));
      const source = dirname(examples[0]);
      for (const to of [archive, other]) execFileSync('python3', ['-m', 'zipfile', '-c', to, ...['app.json', 'phone.pftrace'].map((name) => join(source, name))]);
      const page = await open({ width: 1440, height: 900 });
      await openViewer(page, await serve());
      await page.getByRole('link', { name: 'Open', exact: true }).click();
      await drop(page, page.getByTestId('drop'), [archive]);
      await page.getByTestId('canvas').waitFor({ timeout: 60_000 });
      await page.getByRole('link', { name: 'Merge', exact: true }).click();
      await tried(page);
      const cards = page.getByRole('region', { name: 'Files' });
      await cards.getByRole('button', { name: /app\.json/ }).click();
      await page.getByRole('radio', { name: /^By an offset/ }).check();
      await page.getByLabel('Offset', { exact: true }).fill('148.007 s');
      await tried(page);
      await drop(page, cards, [other]);
      await cards.getByRole('button', { name: /again\.zip\/app\.json/ }).waitFor({ timeout: 30_000 });
      await page.waitForFunction(() => document.querySelector('[aria-label="Text of the manifest"]').value.includes('set.zip/app.json'));
      await tried(page);
      const { files } = JSON.parse(await textOf(page)).perfetto_manifest;
      const entry = files.find((f) => f.path === 'set.zip/app.json');
      assert.deepEqual([entry.clocks.sync_to.file, entry.clocks.offset_ns], ['set.zip/phone.pftrace', 148_007_000_000]);
      assert.ok(!files.some((f) => f.path === 'app.json'));
      await cards.getByRole('button', { name: /set\.zip\/app\.json/ }).click();
      assert.equal(await page.getByLabel('Offset', { exact: true }).inputValue(), '148.007 s');
      const rules = (all) => all.filter((p) => p.file.endsWith('/app.json')).map((p) => [p.file.split('/').slice(-2).join('/'), p.rule]).sort();
      const checked = (await checkedWith(page, options, folder, [archive, other])).placements;
      assert.equal(rules(checked).find(([file]) => file === 'set.zip/app.json')[1], 'manifest');
      assert.notEqual(rules(checked).find(([file]) => file === 'again.zip/app.json')[1], 'manifest');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  'merge: events that would be lost are counted by reason, and lead to their file': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server loses no events');
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve({ files: examples }), 'phone.pftrace');
    await tried(page);
    const trial = page.getByRole('region', { name: 'Trial' });
    assert.equal(await trial.getByRole('group', { name: 'Lost events' }).count(), 0);
    // The bound of the watch is named, and no success.
    assert.match(await trial.getByRole('status').innerText(), /The place of watch\.pftrace is known within ±10\.008 ms only/);
    assert.equal(await trial.locator('.verdict.certain').count(), 0);
    const manifest = JSON.parse(await textOf(page));
    manifest.perfetto_manifest.files.find((f) => f.path === 'app.json').clocks.offset_ns = 9223372036854775000;
    await page.getByLabel('Text of the manifest').fill(JSON.stringify(manifest));
    const lost = trial.getByRole('group', { name: 'Lost events' });
    await lost.getByText('59 events would be lost').waitFor({ timeout: 30_000 });
    assert.match(await lost.innerText(), /app\.json 59: their time does not fit into 64 bits/);
    await lost.getByRole('button', { name: 'app.json' }).click();
    assert.equal(await page.getByRole('region', { name: 'File', exact: true }).getByRole('heading').innerText(), 'app.json');
  },

  'merge: a rule that is broken stands at its control': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server knows no rules');
    const page = await open({ width: 1440, height: 900 });
    page.allow(/status of 422/);
    await openMerge(page, await serve({ files: examples }), 'app.json');
    await tried(page);
    const text = page.getByLabel('Text of the manifest');
    const failed = page.getByRole('region', { name: 'Trial' }).getByText('The manifest cannot be applied.');
    /** The control is invalid, and described by the rule, which stands nowhere else in the form. */
    const isTold = async (control, rule) => {
      await failed.waitFor();
      await page.locator('.rule-note').filter({ hasText: rule }).waitFor();
      assert.equal(await page.locator('.rule-note').count(), 1);
      assert.equal(await control.getAttribute('aria-invalid'), 'true');
      const id = await control.getAttribute('aria-describedby');
      assert.match(await page.locator(`#${id}`).innerText(), rule);
      assert.equal(await page.getByRole('button', { name: 'Open timeline' }).isDisabled(), true);
    };
    const first = await text.inputValue();
    const write = async (edit) => {
      const manifest = JSON.parse(first);
      const body = manifest.perfetto_manifest;
      edit(body.files.find((f) => f.path === 'app.json'), body);
      await text.fill(JSON.stringify(manifest, null, 2));
    };
    await write((app) => (app.clocks.sync_to.clock = 'TAI'));
    await isTold(page.getByLabel('Clock', { exact: true }), /unknown clock name: TAI/);
    await write((app) => (app.clocks.sync_to.file = 'gone.pb'));
    await isTold(page.getByRole('combobox', { name: 'File' }), /unknown file 'gone\.pb'/);
    await write((app) => (app.clocks.drift_ppm = 1e9));
    await isTold(page.getByRole('group', { name: /Placed/ }).locator('[aria-invalid=true]').first(), /drift_ppm/);
    await write((app) => (app.clocks.offset_ns = 0.5));
    await isTold(page.locator('.placings'), /offset_ns must be an integer/);
    await write((app) => (app.start = '2026-11-20T12:03:04Z'));
    await isTold(page.getByLabel('Time of the first event'), /start and clocks both move the whole file/);
    await write((app) => (app.machine = { name: '' }));
    await isTold(page.getByRole('combobox', { name: 'Machine' }), /machine: name must be non-empty/);
    await write((_, body) => (body.clock_model = 'curve'));
    await isTold(page.getByLabel('Between readings'), /clock_model must be/);
    await write((_, body) => (body.version = 2));
    await isTold(text, /unsupported version: 2/);
    // The form of another file has no part in it, and leads to the one that has.
    await write((app) => (app.clocks.sync_to.clock = 'TAI'));
    await failed.waitFor();
    await page.getByRole('region', { name: 'Files' }).getByRole('button', { name: /watch\.pftrace/ }).click();
    await page.waitForFunction(() => document.querySelectorAll('.rule-note').length === 0);
    await page.getByRole('button', { name: 'Show app.json' }).click();
    await isTold(page.getByLabel('Clock', { exact: true }), /unknown clock name: TAI/);
    await text.fill(first);
    await tried(page);
    assert.equal(await page.locator('.rule-note').count(), 0);
  },

  'merge: a file that cannot be read is a red card with its reason, and the rest goes on': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no files');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-e2e-'));
    try {
      const broken = join(folder, 'broken.json.gz');
      writeFileSync(broken, Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), Buffer.from('no deflate stream')]));
      const unknown = join(folder, 'notes.bin');
      writeFileSync(unknown, Buffer.alloc(400, 0xf7));
      const page = await open({ width: 1440, height: 900 });
      await openMerge(page, await serve());
      await tried(page);
      const cards = page.getByRole('region', { name: 'Files' });
      await drop(page, cards, [broken, unknown]);
      for (const name of ['broken.json.gz', 'notes.bin']) {
        const card = cards.getByRole('group', { name: `${name}, not read` });
        await card.waitFor({ timeout: 30_000 });
        assert.ok((await card.locator('.reason-lines').innerText()).length > 10);
      }
      await cards.getByText('3 files, 2 unread').waitFor();
      await tried(page);
      await page.getByLabel('Offset', { exact: true }).fill('148.010 s');
      await page.getByRole('region', { name: 'Trial' }).getByRole('row', { name: /app\.json/ }).filter({ hasText: '+3 ms' }).waitFor({ timeout: 30_000 });
      // The command line that is copied has the files that were read, so that it does not fail.
      await page.getByRole('button', { name: 'Copy command line' }).click();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      assert.ok(!/broken|notes/.test(command), command);
      await page.getByRole('button', { name: 'Open timeline' }).click();
      await page.getByTestId('canvas').waitFor({ timeout: 60_000 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
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

  'merge: what is typed stays while a trial ends': async ({ serve, page: open }) => {
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve());
    await tried(page);
    await page.getByText('Content and clock group').click();
    const fields = { machine: page.getByRole('combobox', { name: 'Machine' }), group: page.getByLabel('Clock group') };
    for (const [name, field] of Object.entries(fields)) {
      await page.getByText('with drift').click(); // begins a trial
      await field.fill(`typed ${name}`);
      await tried(page);
      assert.equal(await field.inputValue(), `typed ${name}`);
      await field.blur();
      assert.ok((await textOf(page)).includes(`"typed ${name}"`));
    }
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await fields.group.inputValue(), '', 'the manifest without it');
  },

  'merge: content and clock group are form and text, and undone': async ({ serve, page: open, options }) => {
    const page = await open({ width: 1440, height: 900 });
    await openMerge(page, await serve());
    await tried(page);
    const entry = async () => JSON.parse(await textOf(page)).perfetto_manifest.files.find((f) => f.path === 'app.json');
    const first = await textOf(page);
    const content = page.getByLabel('Content of this file', { exact: true });
    const marks = page.getByRole('group', { name: 'Kinds of content of this file' });
    await page.getByText('Content and clock group').click();
    await content.selectOption('kinds');
    const kinds = await marks.getByRole('checkbox').count();
    assert.ok(kinds >= 7, `${kinds} kinds`);
    await marks.getByRole('checkbox', { name: 'task switches' }).uncheck();
    assert.equal((await entry()).align.length, kinds - 1);
    assert.ok(!(await entry()).align.includes('task_switches'));
    await content.selectOption('off');
    assert.equal((await entry()).align, false);
    await page.getByLabel('Clock group').fill('gpu');
    await page.getByLabel('Clock group').blur();
    assert.equal((await entry()).clock_group, 'gpu');
    if (options.tracebraid) {
      await tried(page);
      assert.equal(await page.getByRole('region', { name: 'Trial' }).getByRole('row', { name: /app\.json/ }).count(), 1);
    }
    // The text changes the form.
    const other = JSON.parse(await textOf(page));
    Object.assign(other.perfetto_manifest.files.find((f) => f.path === 'app.json'), { align: ['flows', 'logs'], clock_group: 'cpu' });
    other.perfetto_manifest.align = ['spans'];
    await page.getByLabel('Text of the manifest').fill(JSON.stringify(other));
    assert.equal(await content.inputValue(), 'kinds');
    assert.deepEqual(await marks.getByRole('checkbox', { checked: true }).evaluateAll((all) => all.map((e) => e.parentElement.innerText.trim())), ['flows', 'logs']);
    assert.equal(await page.getByLabel('Clock group').inputValue(), 'cpu');
    await page.getByText('For all files', { exact: true }).click();
    const whole = page.getByRole('group', { name: 'Kinds of content', exact: true });
    assert.deepEqual(await whole.getByRole('checkbox', { checked: true }).evaluateAll((all) => all.map((e) => e.parentElement.innerText.trim())), ['spans']);
    await whole.getByRole('checkbox', { name: 'flows' }).check();
    assert.deepEqual(JSON.parse(await textOf(page)).perfetto_manifest.align, ['flows', 'spans']);
    while (await page.getByRole('button', { name: 'Undo' }).isEnabled()) await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await textOf(page), first);
    assert.equal(await content.inputValue(), '');
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
