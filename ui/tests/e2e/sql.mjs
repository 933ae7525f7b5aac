/** The SQL page: each thing that it offers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { idle } from './browser.mjs';
import { openViewer } from './pages.mjs';

/** Opens the SQL page. */
export async function openSql(page, server) {
  await openViewer(page, server);
  await page.getByRole('link', { name: 'SQL', exact: true }).click();
  await page.locator('.cm-content').waitFor();
  await idle(page);
}

/** Replaces the text of the editor. */
export async function write(page, sql) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(sql);
}

/** Runs the text and waits for its end. */
export async function runAll(page, sql) {
  await write(page, sql);
  await page.keyboard.press('Escape'); // closes the completions
  await page.getByRole('button', { name: 'Run all' }).click();
  await page.getByTestId('running').waitFor({ state: 'detached', timeout: 120_000 });
  await page.locator('[data-testid=summary], [data-testid=sql-error], .empty').first().waitFor();
  await idle(page);
}

/** Returns the texts of the first rows of the grid. */
export async function gridRows(page, count = 5) {
  await page.locator('regular-table tbody td').first().waitFor();
  return page.locator('regular-table tbody tr').evaluateAll((rows, n) => rows.slice(0, n).map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)), count);
}

const numbers = (n) => `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${n}) SELECT x, x * 1000 AS y, 'row ' || x AS name FROM n`;

export const tests = {
  'sql_page: run, types, sort, filter, columns': async ({ serve, page: open }) => {
    const page = await open();
    await openSql(page, await serve());
    await runAll(page, "SELECT 9223372036854775807 AS big, NULL AS missing, '' AS empty, 2.5 AS real, x'00ff' AS blob");
    assert.deepEqual((await gridRows(page))[0]?.slice(0, 4), ['9223372036854775807', 'NULL', '', '2.5']);
    assert.equal(await page.locator('regular-table td.null').count(), 1);
    await runAll(page, numbers(5000));
    assert.match(await page.getByTestId('summary').innerText(), /^5,000 rows/);
    assert.deepEqual((await gridRows(page, 1))[0], ['1', '1000', 'row 1']);
    await page.locator('regular-table thead th', { hasText: 'x' }).first().click();
    await page.locator('regular-table thead th[aria-sort=ascending]').waitFor();
    await page.locator('regular-table thead th[aria-sort=ascending]').click();
    await page.locator('regular-table thead th[aria-sort=descending]').waitFor();
    await page.locator('regular-table td', { hasText: /^5000$/ }).first().waitFor();
    await page.getByLabel('Column to filter').selectOption({ label: 'name' });
    await page.getByLabel('Value to filter by').fill('row 49');
    await page.getByTestId('matches').filter({ hasText: '111 of 5,000' }).waitFor();
    await page.getByRole('button', { name: 'And', exact: true }).click();
    await page.getByLabel('Column to filter').selectOption({ label: 'x' });
    await page.getByLabel('Condition', { exact: true }).selectOption('<');
    await page.getByLabel('Value to filter by').fill('500');
    await page.getByTestId('matches').filter({ hasText: '11 of 5,000' }).waitFor();
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('checkbox', { name: /^y/ }).uncheck();
    await page.getByText('1 hidden').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('regular-table tbody tr:first-child td').length === 2);
  },

  'sql_page: columns move, stay at the left, and have bars': async ({ serve, page: open }) => {
    const page = await open({ width: 1000 });
    await openSql(page, await serve());
    await runAll(page, `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 300) SELECT x AS a, x % 7 AS b, 'text ' || x AS c, ${Array.from({ length: 12 }, (_, i) => `x * ${i + 1000000} AS wide_${i}`).join(', ')} FROM n`);
    const heads = () => page.locator('regular-table thead th').evaluateAll((all) => all.slice(0, 4).map((th) => th.querySelector('span')?.textContent));
    await page.locator('regular-table td').first().waitFor();
    assert.deepEqual(await heads(), ['#', 'a', 'b', 'c']);
    // By dragging a header.
    await page.locator('regular-table thead th', { hasText: /^c/ }).first().dragTo(page.locator('regular-table thead th', { hasText: /^a/ }).first());
    await page.waitForFunction(() => document.querySelectorAll('regular-table thead th')[1]?.textContent?.startsWith('c'));
    assert.deepEqual(await heads(), ['#', 'c', 'a', 'b']);
    assert.equal(await page.locator('regular-table thead th[aria-sort]').count(), 0, 'moving does not sort');
    // By the menu.
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('button', { name: 'Move b up' }).click();
    await page.getByRole('button', { name: 'Pin b' }).click();
    await page.waitForFunction(() => document.querySelectorAll('regular-table thead th')[1]?.textContent?.startsWith('b'));
    assert.deepEqual(await heads(), ['#', 'b', 'c', 'a']);
    await page.getByText('Columns', { exact: true }).click();
    await page.waitForFunction(() => {
      const table = document.querySelector('regular-table');
      table.scrollLeft = table.scrollWidth;
      return [...document.querySelectorAll('regular-table thead th')].some((th) => th.textContent?.startsWith('wide_11'));
    });
    assert.deepEqual((await heads()).slice(0, 2), ['#', 'b'], 'the pinned column stays');
    assert.deepEqual(await page.locator('regular-table tbody tr').first().locator('th').allTextContents(), ['1', '1']);
    // The pinned column sorts, too, and then has bars.
    await page.locator('regular-table thead th', { hasText: /^b/ }).first().click();
    await page.locator('regular-table thead th[aria-sort=ascending]').click();
    await page.locator('regular-table thead th[aria-sort=descending]').waitFor();
    await page.locator('regular-table .share').first().waitFor();
    assert.equal(await page.locator('regular-table .share').first().evaluate((e) => e.style.getPropertyValue('--share')), '100.0%');
  },

  'sql_page: ids lead to the rows that they name': async ({ serve, page: open }) => {
    const page = await open();
    const server = await serve();
    await openSql(page, server);
    await runAll(page, 'SELECT name, track_id, ts FROM slice ORDER BY id LIMIT 5');
    const link = page.locator('regular-table td.ref').first();
    await link.waitFor();
    const track = await link.textContent();
    await link.click();
    await page.getByTestId('target').getByRole('heading', { name: new RegExp(`track ${track}`) }).waitFor();
    await idle(page);
    assert.match(await page.getByTestId('target').innerText(), /thread_execution/);
    if (server.isReal) {
      await page.getByTestId('target').getByRole('term').filter({ hasText: /^machine_id$/ }).waitFor();
      await page.getByTestId('target').locator('dd .link').first().click();
      await page.getByRole('button', { name: 'Back' }).click();
    }
    await page.getByTestId('target').getByRole('button', { name: 'Query' }).click();
    await page.locator('.cm-content', { hasText: `SELECT * FROM track WHERE id = ${track};` }).waitFor();
    await page.getByTestId('cell').waitFor({ state: 'detached' });
  },

  'sql_page: statement at the cursor, selection, several results': async ({ serve, page: open }) => {
    const page = await open();
    await openSql(page, await serve());
    await write(page, "SELECT 'one' AS a;\nSELECT 'two' AS b, 2 AS c;");
    await page.keyboard.press('ControlOrMeta+Enter'); // the cursor is in the second
    await page.locator('regular-table td', { hasText: 'two' }).waitFor();
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByRole('tab', { name: /Result 1/ }).waitFor();
    await page.getByRole('tab', { name: /Result 1/ }).click();
    await page.locator('regular-table td', { hasText: 'one' }).waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('tab', { name: /Result 1/ }).waitFor({ state: 'detached' });
    assert.deepEqual(await gridRows(page), [['one']]);
    await page.getByRole('button', { name: 'New query' }).click();
    await write(page, "SELECT 'three' AS d");
    await page.keyboard.press('Escape');
    await page.locator('.splitter').focus(); // the key is the page's, not the editor's
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('regular-table td', { hasText: 'three' }).waitFor({ timeout: 5000 });
  },

  'sql_page: errors stand at line and column': async ({ serve, page: open }) => {
    const page = await open();
    page.allow(/status of 422/);
    await openSql(page, await serve());
    await runAll(page, 'SELECT 1 AS fine;\n\nSELECT ts,\n  nope\nFROM slice');
    const error = await page.getByTestId('sql-error').innerText();
    assert.match(error, /nope/);
    assert.match(error, /line 2, column 3/);
    const lines = (await page.getByTestId('sql-error').locator('pre').innerText()).split('\n');
    const caret = lines.findIndex((l) => /^\s*\^/.test(l));
    assert.equal(lines[caret].indexOf('^'), lines[caret - 1].indexOf('nope'), 'the caret is below the name');
    await page.locator('.cm-lintRange-error').waitFor();
    assert.equal(await page.locator('.cm-lintRange-error').innerText(), 'nope');
    await runAll(page, 'SELECT 2');
    assert.equal(await page.locator('.cm-lintRange-error').count(), 0);
  },

  'sql_page: completion, schema, history, saved queries': async ({ serve, page: open }) => {
    const page = await open();
    const server = await serve();
    await openSql(page, server);
    const options = async (text) => {
      await write(page, '');
      await page.keyboard.type(text);
      await page.locator('.cm-tooltip-autocomplete').waitFor();
      return page.locator('.cm-tooltip-autocomplete [role=option]').allInnerTexts();
    };
    assert.match((await options('SELECT slice.dep'))[0], /^depth/);
    await page.keyboard.press('Escape');
    assert.ok((await options('SELECT slice.n')).every((o) => !/^(NATURAL|NULL)/.test(o)), 'no keyword stands behind a dot');
    await page.keyboard.press('Escape');
    assert.ok((await options('SELECT * FROM plac')).some((o) => o.startsWith('placement')));
    await page.keyboard.press('Escape');
    assert.ok((await options('SELECT extract_a')).some((o) => o.startsWith('extract_arg')));
    await page.keyboard.press('Escape');
    assert.ok((await options('INCLUDE PERFETTO MODULE slices.w')).some((o) => o.startsWith('slices.with_context')));
    await page.keyboard.press('Escape');
    await runAll(page, 'SELECT 4711 AS remembered');
    await page.getByTitle('SELECT 4711 AS remembered').click();
    await page.locator('.cm-content', { hasText: '4711' }).waitFor();
    await page.getByRole('tab', { name: /^Saved/ }).click();
    await page.getByLabel('Name of the saved query').fill('mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'mine', exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Filter the schema' }).fill('slic');
    await page.getByRole('button', { name: 'slice', exact: true }).click();
    await page.getByRole('listitem').filter({ hasText: 'track_id' }).first().waitFor();
  },

  'sql_page: copy, downloads, cell in full, formats of times': async ({ serve, page: open }) => {
    const page = await open();
    await openSql(page, await serve());
    await runAll(page, "SELECT ts, dur, name FROM slice WHERE dur > 0 ORDER BY ts LIMIT 20");
    const [first] = await gridRows(page, 1);
    await page.locator('regular-table tbody td').first().click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ControlOrMeta+c');
    await page.getByText('Copied 2 rows as tab-separated text.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied.split('\n')[0], 'ts\tdur\tname');
    assert.equal(copied.split('\n')[1], first.join('\t'));
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('menuitem', { name: /Markdown/ }).click();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\| ts \| dur \| name \|/);
    for (const [format, check] of [['CSV', (t) => t.startsWith('ts,dur,name') || t.startsWith('"ts"')], ['Arrow stream', (t) => t.length > 100]]) {
      await page.getByRole('button', { name: 'Download' }).click();
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: new RegExp(`^${format}`) }).click()]);
      assert.ok(check(readFileSync(await download.path(), 'latin1')), format);
    }
    await page.locator('regular-table tbody td').nth(2).dblclick();
    await page.getByTestId('cell').waitFor();
    assert.equal(await page.getByTestId('cell').locator('pre').innerText(), first[2]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Times').selectOption('seconds');
    await page.locator('regular-table td', { hasText: /^\d+\.\d{9} s$/ }).first().waitFor();
  },

  'sql_page: cancel stops an endless statement, and the next one runs': async ({ serve, page: open }) => {
    const page = await open();
    const server = await serve();
    await openSql(page, server);
    await write(page, 'WITH RECURSIVE endless(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM endless) SELECT count(*) FROM endless');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByTestId('running').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText(/^cancelled after/).waitFor({ timeout: 5000 });
    await runAll(page, "SELECT 'alive' AS a");
    assert.deepEqual(await gridRows(page), [['alive']]);
  },

  'sql_page: a result of many rows scrolls to any place': async ({ serve, page: open, options, skip }) => {
    if (options.isQuick) skip('it takes long');
    const page = await open();
    const server = await serve();
    const count = server.isReal ? 10_000_000 : 200_000;
    await openSql(page, server);
    await runAll(page, numbers(count));
    const table = page.locator('regular-table');
    await table.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ControlOrMeta+End');
    await page.locator('regular-table td', { hasText: `row ${count}` }).waitFor();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.locator('regular-table td', { hasText: /^row 1$/ }).waitFor();
    await table.evaluate((t) => (t.scrollTop = t.scrollHeight / 2));
    await page.waitForFunction((n) => {
      const text = document.querySelector('regular-table tbody td')?.textContent ?? '';
      return Math.abs(Number(text) - n / 2) < n / 50;
    }, count);
    const before = Number((await gridRows(page, 1))[0][0]);
    await table.hover();
    await page.mouse.wheel(0, 66);
    await page.waitForFunction((n) => Number(document.querySelector('regular-table tbody td')?.textContent ?? 0) > n, before);
    const after = Number((await gridRows(page, 1))[0][0]);
    assert.ok(after - before < 50, `a turn of the wheel skips no rows: ${before} to ${after}`);
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 2500, 'few elements');
  },
};
