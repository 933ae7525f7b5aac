/** Accessibility, hostile texts, requests, types of the API. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { tableFromIPC } from '@uwdata/flechette';
import { idle } from './browser.mjs';
import { examples } from './server.mjs';
import { openViewer } from './pages.mjs';
import { openSql, runAll } from './sql.mjs';
import { openTimeline } from './timeline.mjs';
import { payloads } from '../mock/hostile.mjs';
import { typesFile, typesOf } from '../../scripts/types.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe-core; evaluates it in an isolated world, as the content policy forbids scripts in the page. */
export async function checkAccess(page, where) {
  const client = await page.context().newCDPSession(page);
  const { frameTree } = await client.send('Page.getFrameTree');
  const { executionContextId } = await client.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'axe' });
  await client.send('Runtime.evaluate', { contextId: executionContextId, expression: axe });
  const { result } = await client.send('Runtime.evaluate', {
    contextId: executionContextId, awaitPromise: true, returnByValue: true,
    expression: `axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.map((v) => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 4).map((n) => n.html.slice(0, 160) + ' ' + (n.any[0]?.message ?? '')).join(' | ')))`,
  });
  await client.detach();
  assert.deepEqual(result.value, [], where);
}

export const tests = {
  'a11y: axe-core finds nothing on all pages and dialogs, in both themes': async ({ serve, page: open }) => {
    const server = await serve();
    for (const theme of ['dark', 'light']) {
      const page = await open({ theme });
      page.allow(/status of 422/);
      await openViewer(page, server);
      await checkAccess(page, `report, ${theme}`);
      await page.getByRole('row', { name: /watch/ }).first().getByRole('button').click();
      await idle(page);
      await checkAccess(page, `report details, ${theme}`);
      for (const tab of ['Problems', 'Stats', 'Metadata']) {
        await page.getByRole('tab', { name: new RegExp(tab) }).click();
        await idle(page);
        await checkAccess(page, `${tab}, ${theme}`);
      }
      await page.getByRole('link', { name: 'Merge', exact: true }).click();
      await page.getByLabel('Text of the manifest').waitFor();
      await checkAccess(page, `merge, ${theme}`);
      await page.getByRole('link', { name: 'Clocks', exact: true }).click();
      await page.locator('.clock-node').first().waitFor();
      await idle(page);
      await checkAccess(page, `clocks, ${theme}`);
      await page.locator('.edge-label').first().click();
      await idle(page);
      await checkAccess(page, `edge, ${theme}`);
      await page.getByRole('link', { name: 'SQL', exact: true }).click();
      await page.locator('.cm-content').waitFor();
      await runAll(page, 'SELECT ts, dur, name FROM slice LIMIT 100');
      await checkAccess(page, `SQL, ${theme}`);
      await runAll(page, 'SELECT nope');
      await checkAccess(page, `SQL error, ${theme}`);
      for (const tab of ['Functions', 'Modules', 'Saved', 'Examples']) await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
      await checkAccess(page, `SQL side bar, ${theme}`);
      await page.getByRole('link', { name: 'Open', exact: true }).click();
      await idle(page);
      await checkAccess(page, `start, ${theme}`);
      for (const [key, id] of [['?', 'help'], ['>', 'commands']]) {
        await page.keyboard.press(key);
        await page.getByTestId(id).waitFor();
        await checkAccess(page, `${id}, ${theme}`);
        await page.keyboard.press('Escape');
        await page.getByTestId(id).waitFor({ state: 'detached' });
      }
      await page.getByRole('button', { name: 'Settings' }).click();
      await checkAccess(page, `settings, ${theme}`);
    }
  },

  'a11y: axe-core finds nothing on the timeline, its details, menus and dialogs, in both themes': async ({ serve, page: open }) => {
    const server = await serve();
    for (const theme of ['dark', 'light']) {
      const page = await open({ theme });
      await openTimeline(page, server);
      await checkAccess(page, `timeline, ${theme}`);
      await page.getByTestId('canvas').focus();
      await page.keyboard.press('Enter');
      await page.getByTestId('drawer').waitFor();
      await idle(page);
      await checkAccess(page, `details, ${theme}`);
      await page.keyboard.press('v');
      await page.keyboard.press('ArrowRight');
      await page.getByRole('region', { name: 'Order of two events' }).getByRole('status').waitFor();
      await checkAccess(page, `order, ${theme}`);
      await page.keyboard.press('v');
      await page.keyboard.press('r');
      await page.keyboard.press('p');
      await idle(page);
      await checkAccess(page, `area and pin, ${theme}`);
      await page.keyboard.press('/');
      await page.keyboard.type('o');
      await page.getByTestId('hits').filter({ hasText: /\d/ }).waitFor();
      await page.getByRole('listbox', { name: 'Hits' }).getByRole('option').first().waitFor();
      await checkAccess(page, `hits, ${theme}`);
      await page.keyboard.press('Escape');
      await page.getByTestId('row').first().click({ button: 'right' });
      await page.getByTestId('menu').waitFor();
      await checkAccess(page, `menu, ${theme}`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'View', exact: true }).click();
      await checkAccess(page, `options, ${theme}`);
      await page.getByRole('button', { name: 'What the looks mean' }).click();
      await page.getByTestId('legend').waitFor();
      await checkAccess(page, `legend, ${theme}`);
      await page.keyboard.press('Escape');
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press('t');
      await page.getByTestId('table').waitFor();
      await checkAccess(page, `table, ${theme}`);
      await page.keyboard.press('Escape');
      const log = page.getByTestId('row').filter({ hasText: 'Log' }).first();
      if ((await log.count()) === 0) continue; // the real server's examples have none
      await log.click({ button: 'right' });
      await page.getByTestId('menu').getByText('Lines in view').click();
      await page.getByTestId('log-line').first().waitFor();
      await checkAccess(page, `log, ${theme}`);
    }
  },

  'arrow_stream: flechette reads the rows that the command line prints': async ({ options, skip }) => {
    if (!options.tracebraid) skip('the mock server has no command line');
    const sql = "SELECT id, ts, dur, name, dur / 7.0 AS real, CAST(name AS BLOB) AS bytes, NULLIF(dur, 0) AS maybe FROM slice";
    const run = (format) => execFileSync(options.tracebraid, ['query', ...examples, sql, '--format', format], { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
    const table = tableFromIPC(run('arrow'), { useBigInt: true });
    const lines = run('ndjson').toString().trimEnd().split('\n').map((line) => JSON.parse(line));
    assert.equal(table.numRows, lines.length);
    assert.ok(lines.length > 300);
    const plain = (value) => (typeof value === 'bigint' ? Number(value) : value);
    for (const name of ['id', 'ts', 'dur', 'name', 'real', 'maybe']) {
      const column = table.getChild(name);
      lines.forEach((line, row) => assert.equal(plain(column.at(row)), line[name], `${name} of row ${row}`));
    }
    lines.forEach((line, row) => assert.equal(Buffer.from(table.getChild('bytes').at(row)).toString(), line.name));
  },

  'openapi: types.ts is made from the document of this server': async ({ serve, skip }) => {
    const server = await serve();
    if (!server.isReal) skip('the mock server has no document');
    const response = await fetch(new URL('/api/openapi.json', server.address));
    assert.equal(readFileSync(typesFile, 'utf8'), typesOf(await response.json()), 'run: scripts/ui run scripts/types.mjs PROGRAM');
  },

  'xss: payloads are literal text on all pages': async ({ serve, page: open }) => {
    const server = await serve({ isHostile: true });
    const page = await open();
    page.allow(/status of 4\d\d/);
    await openViewer(page, server);
    const texts = [];
    const look = async () => {
      await idle(page);
      texts.push(await page.evaluate(() => document.body.textContent));
    };
    await look();
    for (const row of await page.locator('.t.pl tbody tr:not(.details) button').all()) {
      await row.click();
      await look();
    }
    for (const tab of ['Problems', 'Stats', 'Metadata']) {
      await page.getByRole('tab', { name: new RegExp(tab) }).click();
      await look();
    }
    await page.getByRole('link', { name: 'Clocks', exact: true }).click();
    await page.locator('.clock-node').first().waitFor();
    await look();
    await page.getByRole('link', { name: 'SQL', exact: true }).click();
    await page.locator('.cm-content').waitFor();
    const literal = (p) => `'${p.replace(/'/g, "''").replace(/\u0000/g, "' || char(0) || '")}'`;
    const usable = payloads.filter((p) => !/[\uD800-\uDFFF]/.test(p));
    const values = usable.map((p) => `(${literal(p)})`).join(', ');
    await runAll(page, `WITH p(text) AS (VALUES ${values}) SELECT text, text AS "${payloads[1].replace(/"/g, '""')}" FROM p`);
    for (let at = 0; at < usable.length; at += 12) {
      await page.locator('regular-table').evaluate((t, n) => (t.scrollTop = n * 22), at);
      await look();
    }
    await page.locator('regular-table tbody td').first().dblclick();
    await page.getByTestId('cell').waitFor();
    await look();
    await page.keyboard.press('Escape');
    await runAll(page, `SELECT "${payloads[1].replace(/"/g, '""')}_no_such_column" FROM slice WHERE x = '`);
    await look();
    await runAll(page, 'SELECT DISTINCT name FROM slice');
    await look();
    if (server.isReal) {
      for (const sql of ['SELECT name FROM thread', 'SELECT name FROM process', 'SELECT name FROM machine', 'SELECT tag, msg FROM android_logs', 'SELECT key, display_value FROM args', 'SELECT name, str_value FROM metadata', 'SELECT name, category, arg_set_id FROM slice']) {
        await runAll(page, sql);
        assert.equal(await page.getByTestId('sql-error').count(), 0, sql);
        for (const place of [0, 500, 1000, 1e6]) {
          await page.locator('regular-table').evaluate((t, top) => (t.scrollTop = top), place);
          await look();
        }
      }
      await page.locator('regular-table td.ref').first().click();
      await page.getByTestId('target').waitFor();
      await look();
      assert.ok((await page.getByTestId('target').locator('dt').count()) > 0, 'the args of a slice are shown');
      await page.keyboard.press('Escape');
    }
    await page.getByRole('textbox', { name: 'Filter the schema' }).fill(payloads[1]);
    await page.getByRole('tab', { name: /^Saved/ }).click();
    await page.getByLabel('Name of the saved query').fill(payloads[2]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await look();
    await page.getByRole('button', { name: 'Commands' }).click();
    await page.keyboard.type(payloads[3]);
    await look();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await look();
    assert.equal(await page.evaluate(() => window.__fired), undefined, 'no payload has run');
    const all = texts.join('\n');
    const missing = usable.filter((p) => !/[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u202e\u2060-\u206f\ufeff]/.test(p) && !all.includes(p));
    assert.deepEqual(missing, [], 'each payload is there as literal text');
    assert.ok(all.includes('⟨U+202E⟩gnp.exe'), 'bidi characters are symbols');
    assert.equal(await page.locator('#app script, #app iframe, #app img, #app object, #app embed, #app base').count(), 0);
  },

  'no_external_request: built files name no address but namespaces': async ({ serve, page: open, options, skip }) => {
    if (options.isMeasured) skip('files that are not minified have comments of packages');
    const server = await serve();
    const page = await open();
    const files = new Map();
    page.on('response', async (response) => files.set(new URL(response.url()).pathname, await response.text().catch(() => '')));
    await openSql(page, server);
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await idle(page);
    const built = [...files].filter(([path]) => path === '/' || path.startsWith('/assets/'));
    assert.ok(built.length >= 5);
    const found = built.filter(([path]) => !path.endsWith('licenses.md')).flatMap(([, text]) => text.match(/https?:\/\/[\w./-]+/g) ?? []);
    assert.deepEqual([...new Set(found)].filter((address) => !address.startsWith('http://www.w3.org/')), []);
  },
};
