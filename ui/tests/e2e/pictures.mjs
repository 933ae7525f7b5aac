/** Pictures of the pages: compared with references, and made for the documentation. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { idle } from './browser.mjs';
import { tried } from './merge.mjs';
import { openViewer } from './pages.mjs';
import { runAll, write } from './sql.mjs';
import { openTimeline } from './timeline.mjs';
import { openFile } from './vectors.mjs';

const references = join(dirname(fileURLToPath(import.meta.url)), 'references');

function hasFonts() {
  try {
    return ['Inter', 'JetBrains Mono'].every((name) => execFileSync('fc-list', [name]).length > 0);
  } catch {
    return false;
  }
}

const query = "SELECT slice.name, machine.name AS machine, count(*) AS n, max(dur) AS longest_dur, min(ts) AS ts, track_id\nFROM slice JOIN track ON slice.track_id = track.id JOIN machine ON track.machine_id = machine.id\nWHERE dur > 0\nGROUP BY slice.name, machine.name\nORDER BY n DESC;";

/** Selects the first slice with this name. */
const selection = (name) => async (page) => {
  await page.keyboard.press('/');
  await page.keyboard.type(name);
  await page.getByTestId('hits').filter({ hasText: /[1-9]/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByTestId('drawer').waitFor();
  await idle(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    const { start } = window.tb.timeline();
    window.tb.show(String(BigInt(start) + 830000000n), 420e6);
  });
};

/** The views: name, and the steps to it from the view before; the first is the report. */
const views = {
  report: async () => undefined,
  details: async (page) => page.getByRole('row', { name: /watch\.pftrace/ }).first().getByRole('button').click(),
  stats: async (page) => page.getByRole('tab', { name: /Stats/ }).click(),
  metadata: async (page) => page.getByRole('tab', { name: /Metadata/ }).click(),
  merge: async (page) => {
    await page.getByRole('link', { name: 'Merge', exact: true }).click();
    await page.getByRole('button', { name: /app\.json/ }).click();
    await tried(page);
  },
  trial: async (page) => {
    await page.getByRole('radio', { name: /Automatically/ }).check();
    await page.getByRole('region', { name: 'Trial' }).getByText('no bound').waitFor({ timeout: 30_000 });
    await tried(page);
  },
  clocks: async (page) => {
    await page.getByRole('link', { name: 'Clocks', exact: true }).click();
    await page.locator('.clock-node').first().waitFor();
  },
  edge: async (page) => {
    await page.getByRole('button', { name: 'BOOTTIME of watch to REALTIME of watch' }).click();
    await page.locator('.fit').waitFor();
  },
  sql: async (page) => {
    await page.getByRole('link', { name: 'SQL', exact: true }).click();
    await page.locator('.cm-content').waitFor();
    await runAll(page, query);
    await page.locator('regular-table td').first().waitFor();
  },
  columns: async (page) => {
    await page.locator('regular-table thead th', { hasText: /^longest/ }).first().click();
    await page.locator('regular-table thead th[aria-sort=ascending]').click();
    await page.locator('regular-table .share').first().waitFor();
    await page.getByText('Columns', { exact: true }).click();
  },
  cell: async (page) => {
    await page.getByText('Columns', { exact: true }).click();
    await page.locator('regular-table tr:nth-child(3) td.ref').first().click();
    await page.getByTestId('target').getByRole('term').first().waitFor();
  },
  completion: async (page) => {
    await page.keyboard.press('Escape');
    await write(page, '');
    await page.keyboard.type('SELECT slice.');
    await page.locator('.cm-tooltip-autocomplete').waitFor();
    await page.keyboard.type('d');
    await page.locator('.cm-tooltip-autocomplete [aria-selected=true]').waitFor();
  },
  error: async (page) => {
    await page.keyboard.press('Escape');
    await runAll(page, 'SELECT name,\n  nope\nFROM slice;');
  },
  start: async (page) => page.getByRole('link', { name: 'Open', exact: true }).click(),
  help: async (page) => page.keyboard.press('?'),
  commands: async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('>');
  },
  settings: async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Settings' }).click();
  },
  timeline: async (page) => {
    await page.keyboard.press('Escape');
    // The start page has no trace in its address; the rail has the first one.
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    await page.getByTestId('canvas').waitFor();
    await idle(page);
    await page.mouse.move(2, 300);
  },
  selection: selection('onNotif'),
  legend: async (page) => {
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('button', { name: 'What the looks mean' }).click();
    await page.getByTestId('legend').waitFor();
  },
};

/** The views of a trace with troubles. */
const troubledViews = { troubles: views.report, problems: async (page) => page.getByRole('tab', { name: /Problems/ }).click() };

/** Texts that change from run to run, which pictures leave out. */
const changing = '.outcome dd:last-child, .run [role=status], .ago, .status .version, .dialog .note:last-child, .lower .ty, [data-testid=explain]';

/** Visits views of a server, and calls `each` with the name of each. */
export async function visit(page, server, each, steps = views) {
  page.allow(/status of 422/);
  await openViewer(page, server);
  for (const [name, go] of Object.entries(steps)) {
    await go(page);
    await idle(page);
    await page.evaluate((selector) => {
      for (const e of document.querySelectorAll(selector)) {
        e.style.visibility = 'hidden';
        e.dataset.blank = '';
      }
      if (!document.querySelector('.cm-tooltip-autocomplete')) document.activeElement?.blur?.();
    }, changing);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await each(name);
    await page.evaluate(() => document.querySelectorAll('[data-blank]').forEach((e) => (e.style.visibility = '')));
  }
}

/** Returns a picture in fewer bytes. */
export const packed = (png) => PNG.sync.write(PNG.sync.read(png), { colorType: 2, inputHasAlpha: true, deflateLevel: 9, deflateStrategy: 0, filterType: 0 });

function compare(name, actual, isUpdate, problems) {
  const file = join(references, `${name}.png`);
  if (isUpdate) {
    mkdirSync(references, { recursive: true });
    writeFileSync(file, packed(actual));
    return;
  }
  if (!existsSync(file)) {
    problems.push(`${name}: no reference`);
    return;
  }
  const [a, b] = [PNG.sync.read(readFileSync(file)), PNG.sync.read(actual)];
  if (a.width !== b.width || a.height !== b.height) {
    problems.push(`${name}: another size`);
    return;
  }
  const different = pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 });
  if (different > 0.005 * a.width * a.height) problems.push(`${name}: ${((100 * different) / (a.width * a.height)).toFixed(2)} % of the pixels differ`);
}

export const tests = {
  'pictures: at most 0.5 % of the pixels differ': async ({ serve, page: open, options, skip }) => {
    if (!hasFonts()) skip('the fonts Inter and JetBrains Mono are not installed (scripts/install-deps fonts-inter fonts-jetbrains-mono)');
    if (options.tracebraid) skip('the references show the data of the mock server');
    const problems = [];
    let count = 0;
    const each = (page, suffix) => async (name) => {
      count += 1;
      compare(`${name}-${suffix}`, await page.screenshot({ animations: 'disabled', caret: 'hide' }), options.isUpdate, problems);
    };
    for (const theme of ['dark', 'light']) {
      const page = await open({ theme });
      await visit(page, await serve(), each(page, theme));
      const troubled = await open({ theme });
      await visit(troubled, await serve({ isTroubled: true }), each(troubled, theme), troubledViews);
      const fine = await open({ theme, scale: 2, width: 900, height: 600 });
      await visit(fine, await serve(), each(fine, `${theme}-2x`), { report: views.report });
    }
    assert.ok(count >= 36, `${count} pictures`);
    assert.deepEqual(problems, []);
  },

  'layouts: nothing overflows from 900 x 600 to 2560 x 1440': async ({ serve, page: open }) => {
    for (const [width, height, scale] of [[900, 600, 1], [1280, 800, 2], [2560, 1440, 1]]) {
      const page = await open({ width, height, scale });
      const both = { ...views, selection: selection('layout') };  // a name that the mock server and the examples have
      await visit(page, await serve(), async (name) => {
        const wide = await page.evaluate(() => {
          const limit = document.documentElement.clientWidth;
          const isScrolled = (e) => e.closest('.scroll-x, regular-table, .cm-scroller, pre, .tablist, .manifest-text, dialog, .sr') !== null;
          return [...document.querySelectorAll('#app *')].filter((e) => e.getBoundingClientRect().right > limit + 1 && !isScrolled(e)).map((e) => e.outerHTML.slice(0, 120)).slice(0, 3);
        });
        assert.deepEqual(wide, [], `${name} at ${width} x ${height}`);
      }, both);
    }
  },
  'layouts: with several traces, nothing in the bar covers another thing': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server has one trace');
    const server = await serve({ args: ['--root', join(dirname(fileURLToPath(import.meta.url)), '../../../examples')] });
    const page = await open({ width: 1280, height: 800 });
    await openTimeline(page, server);
    assert.ok(await openFile(page, 'phone.pftrace'));
    await page.getByRole('combobox', { name: 'Trace' }).waitFor();
    for (const width of [900, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const cut = await page.evaluate(() => [...document.querySelectorAll('.bar > div')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText));
      assert.deepEqual(cut, [], `${width} px`);
    }
  },
};
