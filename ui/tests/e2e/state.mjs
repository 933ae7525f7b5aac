/** The state of the viewer: kept by the server, saved as a file, linked, and brought back. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idle } from './browser.mjs';
import { examples } from './server.mjs';
import { openTimeline } from './timeline.mjs';

/** Returns what the page would save, with decimal texts for times. */
const stateOf = (page) => page.evaluate(() => window.tb.state());

/** Saves the state as a file and returns its text. */
async function saveFile(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
  assert.match(download.suggestedFilename(), /\.tbstate$/);
  return readFileSync(await download.path(), 'utf8');
}

async function openShare(page) {
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('button', { name: 'Share or save' }).click();
  await page.getByTestId('share').waitFor();
}

/** Opens a state file by the dialog, which closes if the state was applied. */
async function openFile(page, text) {
  await openShare(page);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Open a saved view' }).click()]);
  await chooser.setFiles({ name: 'view.tbstate', mimeType: 'application/json', buffer: Buffer.from(text) });
}

/** Changes the view at random in all ways that a state keeps. */
const change = (page, seed) => page.evaluate(async (first) => {
  let state = first;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const view = window.tb.view();
  const pick = (list) => list[random(list.length)];
  view.grouping.value = pick(['machine_file', 'machine', 'type', 'flat']);
  view.showsEmpty.value = random(2) === 1;
  await view.start();
  const nodes = [...view.tree.nodes.values()];
  const some = (most) => Array.from({ length: random(most) }, () => pick(nodes).key);
  view.open.value = new Set([...view.open.value, ...some(8)].filter(() => random(4) > 0));
  for (const key of some(4)) if (!view.pins.value.includes(key)) view.togglePin(key);
  for (const key of some(3)) view.hide(key);
  for (const key of some(3)) view.setStyle(key, { lineHeight: pick([2, 9, 18, 27]) });
  view.lineHeight.value = pick([2, 9, 18, 27]);
  view.format.value = pick(['seconds', 'timecode', 'raw', 'clock']);
  view.axisClock.value = pick(['', 'REALTIME of watch', 'BOOTTIME of phone']);
  view.colourMode.value = pick(['name', 'process', 'machine', 'file', 'duration']);
  view.busiestFirst.value = random(2) === 1;
  view.showsFlows.value = random(2) === 1;
  view.own.showsMarks.value = random(2) === 1;
  view.own.showsSync.value = random(2) === 1;
  view.own.hiddenFlows.value = new Set(['rpc', ''].slice(random(3)));
  view.store.forgetMode('flows');
  view.namesWidth.value = 150 + random(300);
  const length = Number(view.bounds.to - view.bounds.from);
  const moment = () => view.bounds.from + BigInt(random(length));
  view.marks.value = Array.from({ length: random(4) }, (_, i) => ({ ts: moment(), digit: random(2) * (i + 1), isPinned: random(2) === 1 }));
  if (random(2)) view.area.value = { range: { from: view.bounds.from, to: moment() }, rows: random(2) ? null : [pick(nodes).key] };
  view.setWindow({ from: moment(), part: random(100) / 100, span: 10 + random(length) });
  const rows = Number(nodes.reduce((sum, n) => sum + (n.kind === 'slice' ? Number(n.events) : 0), 0));
  if (rows > 0 && random(3)) await view.select({ kind: 'slice', row: random(rows) });
  if (view.selection.value && random(2)) {
    view.order.start(view.selection.value);
    await view.select({ kind: 'slice', row: random(rows) });
  }
  view.scrollTo(random(400));
}, seed);

export const tests = {
  'state_round_trip: random states, saved as files, are equal on a fresh server': async ({ options, serve, page: open, skip }) => {
    if (!options.tracebraid) skip('the mock server keeps no states');
    for (let seed = 1; seed <= (options.isQuick ? 4 : 20); seed += 1) {
      const page = await open();
      const server = await serve();
      await openTimeline(page, server);
      await change(page, seed);
      await idle(page);
      const saved = await stateOf(page);
      const file = await saveFile(page);
      assert.deepEqual(JSON.parse(file), saved, `seed ${seed}`);
      assert.equal(saved.inputs.length, 3, 'the manifest is no input');
      await page.goto('about:blank');
      await server.stop();
      const fresh = await serve();
      await openTimeline(page, fresh);
      assert.deepEqual((await stateOf(page)).pins, []);
      await openFile(page, file);
      await page.getByTestId('share').waitFor({ state: 'detached' });
      await idle(page);
      assert.deepEqual(await stateOf(page), saved, `seed ${seed}`);
      await page.goto('about:blank');
      await fresh.stop();
    }
  },

  'state: a change is kept within 1 s, and another page has it': async ({ options, serve, page: open, skip }) => {
    if (!options.tracebraid) skip('the mock server keeps no states');
    const server = await serve();
    const page = await open();
    await openTimeline(page, server);
    const kept = page.waitForRequest((r) => r.method() === 'PUT' && /\/states\/[0-9a-f]{32}$/.test(r.url()));
    const key = await page.evaluate(() => {
      const view = window.tb.view();
      const row = view.rows.value.find((r) => r.node.type === 'thread');
      view.togglePin(row.key);
      view.zoom(0.25);
      return row.key;
    });
    await (await kept).response();
    const saved = await stateOf(page);
    const other = await open();
    await openTimeline(other, { address: server.address.replace(/#.*/, `#token=${server.token}`) });
    assert.deepEqual(await stateOf(other), saved);
    assert.deepEqual(saved.pins, [key]);
  },

  'state: pins survive when another file is added to the merge': async ({ options, serve, page: open, skip }) => {
    if (!options.tracebraid) skip('the mock server keeps no states');
    const two = examples.filter((path) => !path.endsWith('watch.pftrace'));
    const page = await open();
    const before = await serve({ files: two });
    await openTimeline(page, before);
    const pins = await page.evaluate(() => {
      const view = window.tb.view();
      for (const row of view.rows.value.filter((r) => r.node.type === 'thread').slice(0, 2)) view.togglePin(row.key);
      return view.pins.value;
    });
    assert.ok(pins.length > 0);
    const file = await saveFile(page);
    await page.goto('about:blank');
    await before.stop();
    await openTimeline(page, await serve());
    await openFile(page, file);
    await page.getByText('Only in this trace: watch.pftrace').waitFor();
    await page.getByRole('button', { name: 'Use it all the same' }).click();
    await page.getByTestId('share').waitFor({ state: 'detached' });
    assert.deepEqual((await stateOf(page)).pins, pins);
  },

  'state: what a trace does not have is said, and the rest is applied': async ({ options, serve, page: open, skip }) => {
    if (!options.tracebraid) skip('the mock server keeps no states');
    const page = await open();
    page.allow(/status of 404/);
    await openTimeline(page, await serve());
    const saved = await stateOf(page);
    const pin = saved.expanded[0];
    await openFile(page, JSON.stringify({ ...saved, pins: ['no such machine/x', pin], selection: { kind: 'slice', row: 0, track: 'gone', line: 0, ts: '-5', name: 'gone event' } }));
    await page.getByText('2 tracks or events of the saved view are not in this trace: no such machine/x, gone event').waitFor();
    assert.deepEqual((await stateOf(page)).pins, [pin]);
  },

  'state: a damaged file changes nothing and says why': async ({ options, serve, page: open, skip }) => {
    if (!options.tracebraid) skip('the mock server keeps no states');
    const page = await open();
    await openTimeline(page, await serve());
    const saved = await stateOf(page);
    for (const [text, words] of [['{"tracebraid_state":', 'the file is not JSON'], ['{"tracebraid_state":7}', 'has version 7'], [JSON.stringify({ ...saved, pins: [1] }), 'pins[0] is not a text']]) {
      await openFile(page, text);
      await page.getByTestId('share').getByRole('alert').filter({ hasText: words }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByTestId('share').waitFor({ state: 'detached' });
    }
    assert.deepEqual(await stateOf(page), saved);
  },

  'state: one of a later version on the server is kept aside': async ({ options, serve, page: open, skip }) => {
    if (!options.tracebraid) skip('the mock server keeps no states');
    const server = await serve();
    const page = await open();
    await openTimeline(page, server);
    const api = (method, path, body) => page.evaluate(async ([m, p, b]) => {
      const answer = await fetch(`/api/v1${p}`, { method: m, ...(b ? { body: b, headers: { 'Content-Type': 'application/json' } } : {}) });
      return answer.status === 204 ? null : answer.json();
    }, [method, path, body]);
    const { key } = await api('GET', '/traces/1/identity');
    await api('PUT', `/states/${key}`, '{"tracebraid_state":9,"more":1}');
    await page.goto('about:blank');
    await openTimeline(page, { address: `${server.address.replace(/#.*/, '')}#/t/1/timeline` });
    await page.getByText('The saved view of this trace cannot be used: the state has version 9').waitFor();
    assert.deepEqual(await api('GET', `/states/${key}.aside`), { tracebraid_state: 9, more: 1 });
  },

  'state: a link opens the view': async ({ options, serve, page: open, skip }) => {
    if (!options.tracebraid) skip('the mock server keeps no states');
    const server = await serve();
    const page = await open();
    await openTimeline(page, server);
    await page.evaluate(() => {
      window.tb.view().zoom(0.1);
      window.tb.view().togglePin(window.tb.view().rows.value[0].key);
    });
    await idle(page);
    const saved = await stateOf(page);
    await openShare(page);
    await page.getByRole('button', { name: 'Copy a link' }).click();
    await page.getByText('Copied the link.').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('Escape');
    await page.evaluate(() => window.tb.view().togglePin(window.tb.view().rows.value[0].key));
    await page.goto('about:blank');
    await page.goto(link.replace('#', `${link.includes('?') ? '' : '?test=1'}#`));
    await page.getByTestId('canvas').waitFor();
    await page.waitForFunction((from) => window.tb.state()?.view.from === from && window.tb.state().pins.length === 1, saved.view.from);
    await idle(page);
    assert.deepEqual(await stateOf(page), saved);
    await page.goto('about:blank');
    await page.goto(`${server.address.replace(/#.*/, '')}?test=1#s=AAAA`);
    await page.getByText('The view of the link cannot be used: the link is damaged.').waitFor();
  },

  'state: the report of a view is one file that runs nothing': async ({ options, serve, page: open, skip }) => {
    if (!options.tracebraid) skip('the mock server keeps no states');
    for (const isHostile of [false, true]) {
      const page = await open();
      const server = await serve({ isHostile });
      await openTimeline(page, server);
      await page.evaluate(async () => {
        await window.tb.view().select({ kind: 'slice', row: 0 });
        window.tb.view().marks.value = [{ ts: window.tb.view().bounds.from, digit: 3, isPinned: true }];
      });
      await idle(page);
      await openShare(page);
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save a report' }).click()]);
      const folder = mkdtempSync(join(tmpdir(), 'tracebraid-report-'));
      const path = join(folder, 'report.html');
      const html = readFileSync(await download.path(), 'utf8');
      writeFileSync(path, html);
      assert.doesNotMatch(html, /<script/i);
      const report = await open();
      report.allow(/^request: file:/);
      await report.goto(`file://${path}`);
      assert.deepEqual(await report.evaluate(() => [window.__fired, document.querySelectorAll('script,iframe,object').length]), [undefined, 0]);
      for (const heading of ['Selected event', 'Marks', 'Placement', 'Files']) await report.getByRole('heading', { name: heading }).waitFor();
      const size = await report.locator('img').evaluate((img) => [img.naturalWidth, img.naturalHeight]);
      assert.ok(size[0] > 600 && size[1] > 200, String(size));
      // Names stand beside the tracks.
      const colours = await report.locator('img').evaluate((img) => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [200, img.naturalHeight];
        const g = canvas.getContext('2d');
        g.drawImage(img, 0, 0);
        return new Set(new Uint32Array(g.getImageData(0, 0, 200, img.naturalHeight).data.buffer)).size;
      });
      assert.ok(colours > 8, `${colours} colours of the names`);
      rmSync(folder, { recursive: true });
    }
  },
};
