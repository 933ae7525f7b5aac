/**
 * Makes the screenshots of docs/viewer.md: those of the timeline show what --tracebraid serves of examples/. With --every, all views of the timeline in both themes and three sizes instead,
 * to look at.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { idle } from './browser.mjs';
import { openClocks } from './clocks.mjs';
import { openMerge, tried } from './merge.mjs';
import { examples } from './server.mjs';
import { openAll, openTimeline, state } from './timeline.mjs';
import { packed, visit } from './pictures.mjs';

/** One machine, recorded by many tools with different clocks; outside of the repository. */
const tools = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/data/traces/selfmade-multitool');
const recordings = ['ftrace_boot.txt.gz', 'ftrace_mono_raw.txt.gz', 'perf_mono.data.gz', 'chrome.pftrace.gz', 'nodeA_13317_1.json.gz', 'nodeB_13320_1.json.gz', 'node_strace.txt.gz'];

/** Shows a part of the trace: where it begins and its length, as shares of the whole. */
async function part(page, from, length) {
  const { start, end } = await state(page);
  const span = Number(BigInt(end) - BigInt(start));
  await page.evaluate(([f, s]) => window.tb.show(f, s), [String(BigInt(start) + BigInt(Math.floor(from * span))), length * span]);
  await idle(page);
}

/** Waits until a dry run counts what only opening the files finds. */
const whole = (page) => page.getByText('Events that only opening can lose').waitFor({ state: 'detached', timeout: 60_000 });

/** Selects the first hit of a search; the search stays. */
async function find(page, text) {
  await page.keyboard.press('/');
  await page.keyboard.type(text);
  await page.getByTestId('hits').filter({ hasText: /^[\d,]+$/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByTestId('drawer').waitFor();
  await idle(page);
}

async function endSearch(page) {
  await page.getByTestId('omni').fill('');
  await page.getByTestId('omni').press('Escape');
  await page.evaluate(() => document.activeElement?.blur());
}

async function reveal(page, matches) {
  await page.evaluate((text) => {
    const view = window.tb.view();
    const node = [...view.tree.nodes.values()].find((n) => new RegExp(text).test(`${n.type} ${n.title}`));
    view.revealNode(node.node);
    view.focusedRow.value = null;
  }, matches);
  await idle(page);
}

/** Moves the pointer to a run of a thread near the middle, and waits until the thread is lit. */
async function hoverRun(page) {
  const place = await page.evaluate(() => {
    const box = document.querySelector('[data-testid=canvas]').getBoundingClientRect();
    let best = null;
    for (let y = 4; y < box.height - 4; y += 6) for (let x = 4; x < box.width; x += 4) {
      const at = window.tb.spot(x, y);
      if (at?.kind === 'sched' && at.count === 1 && !at.name.startsWith('swapper') && (!best || Math.abs(x - box.width / 2) < Math.abs(best.x - box.width / 2))) best = { x, y };
    }
    return best && { x: box.left + best.x, y: box.top + best.y };
  });
  if (!place) return;
  await page.mouse.move(place.x, place.y);
  await page.waitForFunction(() => window.tb.view().hover.value !== null);
  await idle(page);
}

/** The views: name and theme of the picture, and the steps to it from the first view. */
const timelineViews = [
  ['first', 'dark', async () => undefined],
  ['selection', 'light', async (page, isReal) => {
    await find(page, isReal ? 'name=showNotification' : 'onNotif');
    await endSearch(page);
    await page.evaluate(() => {
      const view = window.tb.view();
      const event = view.selection.value;
      const length = BigInt(event.end) - BigInt(event.ts);
      view.show({ from: BigInt(event.ts) - length, to: BigInt(event.end) + length });
    });
    await idle(page);
  }],
  ['scheduling', 'dark', async (page) => {
    await part(page, 0.3, 0.2);
    await reveal(page, '^track CPU 0');
    await hoverRun(page);
  }],
  ['threads', 'light', async (page) => {
    await part(page, 0.25, 0.35);
    await page.evaluate(() => {
      const view = window.tb.view();
      const row = view.rows.value.find((r) => r.node.type === 'process' && /server|system/.test(r.node.title));
      if (row) view.scrollTo(row.top - 70);
    });
    await idle(page);
  }],
  ['search', 'dark', async (page) => {
    await find(page, 'name=measure');
  }],
  ['area', 'light', async (page) => {
    await openAll(page);
    const box = await page.getByTestId('canvas').boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 90);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.55, box.y + 320, { steps: 6 });
    await page.mouse.up();
    await idle(page);
  }],
  ['pins', 'dark', async (page) => {
    await openAll(page);
    for (const text of ['^track CPU 0$', '^thread main']) await page.evaluate((title) => {
      const view = window.tb.view();
      const row = view.rows.value.find((r) => new RegExp(title).test(`${r.node.type} ${r.node.title}`));
      if (row) view.togglePin(row.key);
    }, text);
    await reveal(page, '^machine watch');
    await page.getByTestId('row').filter({ hasText: 'watch' }).first().click();
    await page.evaluate(() => window.tb.view().revealNode(window.tb.view().tree.byKey.get(window.tb.view().focusedRow.value).node));
    await idle(page);
  }],
  ['dense', 'dark', async (page) => {
    await openAll(page);
    await page.evaluate(() => (window.tb.view().lineHeight.value = 2));
    await idle(page);
  }],
  ['table', 'light', async (page) => {
    await part(page, 0.4, 0.05);
    await page.getByTestId('canvas').focus();
    await page.keyboard.press('t');
    await page.getByTestId('table').waitFor();
    await idle(page);
  }],
  ['options', 'dark', async (page) => {
    await page.evaluate(() => (window.tb.view().colourMode.value = 'duration'));
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await idle(page);
  }],
];

/** Selects two events of two machines, the first slices of their tracks, and compares them. */
async function chooseTwo(page) {
  await page.evaluate(async () => {
    const view = window.tb.view();
    const first = new Map();
    for (const node of view.tree.nodes.values()) {
      if (node.kind !== 'slice' || node.first_ts === null || first.has(node.machine_id)) continue;
      const response = await fetch(`/api/v1/traces/${view.trace}/hit`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ track: node.node, line: 0, ts: node.first_ts, radius: '1000000000' }) });
      const { hit } = await response.json();
      if (hit) first.set(node.machine_id, hit);
    }
    const [a, b] = first.values();
    await view.select(a);
    view.order.start(view.selection.value);
    await view.select(b);
  });
  await page.waitForFunction(() => window.tb.view().order.found.value !== null);
}

const save = async (page, options, file) => writeFileSync(join(options.shots, file), packed(await page.screenshot({ animations: 'disabled', caret: 'hide' })));

const sizes = [[900, 600], [1280, 800], [2560, 1440]];

async function takeTimeline({ serve, page: open, options }, name, theme, steps, width, height, file) {
  const server = await serve();
  const page = await open({ theme, width, height });
  await openTimeline(page, server);
  await steps(page, server.isReal);
  // The words of the bar follow the window after a moment.
  await page.waitForFunction(() => window.tb.view().settledWindow.value === window.tb.view().window.value);
  await page.evaluate(() => document.fonts.ready);
  await save(page, options, file);
  await page.context().close();
  await server.stop();
}

export const screenshots = {
  ...Object.fromEntries(timelineViews.map(([name, theme, steps]) => [`screenshot of the timeline: ${name}`, async (context) => {
    if (!context.options.isEvery) return takeTimeline(context, name, theme, steps, 1280, 800, `timeline-${name}-${theme}.png`);
    for (const [width, height] of sizes) for (const other of ['dark', 'light']) await takeTimeline(context, name, other, steps, width, height, `${name}-${width}-${other}.png`);
  }])),
  'screenshots of the clocks': async ({ serve, page: open, options }) => {
    if (options.isEvery) {
      const server = await serve({ tracebraid: undefined, isTroubled: true });
      for (const [width, height] of sizes) for (const theme of ['dark', 'light']) {
        const page = await open({ theme, width, height });
        await openTimeline(page, server);
        await openAll(page);
        await chooseTwo(page);
        await page.getByRole('link', { name: 'Clocks', exact: true }).click();
        await page.locator('.order-picture').waitFor();
        await idle(page);
        await save(page, options, `clocks-${width}-${theme}.png`);
        await page.getByRole('region', { name: 'Contradictions' }).getByRole('button', { name: 'Show' }).first().click();
        await idle(page);
        await save(page, options, `clocks-edge-${width}-${theme}.png`);
        await openMerge(page, server);
        await tried(page);
        await save(page, options, `merge-${width}-${theme}.png`);
        await page.context().close();
      }
      return;
    }
    for (const [name, theme] of [['clocks', 'dark'], ['clocks-edge', 'light']]) {
      const page = await open({ theme, width: 1280, height: 800 });
      await openClocks(page, await serve({ tracebraid: undefined, isTroubled: true }));
      if (name === 'clocks-edge') await page.getByRole('region', { name: 'Contradictions' }).getByRole('button', { name: 'Show' }).first().click();
      await idle(page);
      await save(page, options, `${name}-${theme}.png`);
    }
  },
  'screenshots of a merge, step by step': async ({ serve, page: open, options }) => {
    if (!options.tracebraid) return;
    let server = null;
    // Each step goes on from the page as the step before left it.
    const steps = {
      '1-guess': async (page) => {
        await openMerge(page, server);
        await tried(page);
        await whole(page);
      },
      '2-tried': async (page) => {
        await page.getByRole('radio', { name: /By an offset/ }).check();
        await page.getByLabel('Clock', { exact: true }).selectOption('BOOTTIME');
        await page.getByRole('combobox', { name: 'File' }).selectOption({ label: 'phone.pftrace' });
        await page.getByLabel('Offset', { exact: true }).fill('148.007 s');
        await tried(page);
        await whole(page);
      },
      '3-clocks': async (page) => {
        await page.getByRole('button', { name: 'Open timeline' }).click();
        await page.getByTestId('canvas').waitFor({ timeout: 60_000 });
        await page.getByRole('link', { name: 'Clocks', exact: true }).click();
        await page.locator('.clock-node').first().waitFor();
      },
      '3-what-if': async (page) => {
        await page.getByRole('button', { name: 'What if' }).click();
        await page.getByRole('checkbox', { name: /^Use REALTIME of (phone|watch) to REALTIME of (phone|watch)$/ }).uncheck();
        await page.locator('.new-paths').waitFor({ timeout: 30_000 });
      },
      '4-order': async (page) => {
        await page.getByRole('link', { name: 'Timeline', exact: true }).click();
        await page.getByTestId('canvas').waitFor();
        await find(page, 'name=HitTest');
        await endSearch(page);
        const first = await page.evaluate(() => window.tb.view().selection.value.node);
        await page.keyboard.press('v');
        await find(page, 'name=vibrate');
        await endSearch(page);
        await page.getByRole('region', { name: 'Order of two events' }).getByRole('status').waitFor();
        // Both tracks are in sight: only what is above them in the tree is open.
        if (!options.isEvery) await page.setViewportSize({ width: 1280, height: 1000 });
        await page.evaluate((node) => {
          const view = window.tb.view();
          const nodes = [node, view.selection.value.node].map((n) => view.tree.nodes.get(n));
          view.open.value = new Set(nodes.flatMap((n) => view.tree.ancestors(n)).map((n) => n.key));
          const row = view.revealNode(node);
          view.scroll.value = Math.max(0, row.top - 48);
          const [a, b] = [BigInt(view.order.first.value.ts), BigInt(view.selection.value.ts)];
          const margin = (a < b ? b - a : a - b) / 2n;
          view.show({ from: (a < b ? a : b) - margin, to: (a < b ? b : a) + margin });
        }, first);
        await page.waitForFunction(() => window.tb.view().settledWindow.value === window.tb.view().window.value);
      },
      '5-order-clocks': async (page) => {
        if (!options.isEvery) await page.setViewportSize({ width: 1280, height: 800 });
        await page.getByRole('link', { name: 'Clocks', exact: true }).click();
        await page.locator('.order-picture').waitFor();
      },
    };
    for (const [width, height] of options.isEvery ? sizes : [[1280, 800]]) {
      server = await serve({ files: examples.filter((file) => !file.endsWith('manifest.json')) });
      const page = await open({ theme: 'dark', width, height });
      for (const [name, go] of Object.entries(steps)) {
        await go(page);
        const usual = ['1-guess', '3-clocks', '5-order-clocks'].includes(name) ? 'dark' : 'light';
        for (const theme of options.isEvery ? ['dark', 'light'] : [usual]) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
          await idle(page);
          await save(page, options, options.isEvery ? `merging-${name}-${width}-${theme}.png` : `merging-${name}-${theme}.png`);
        }
      }
      await page.context().close();
    }
  },
  'screenshots of a merge of many tools': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid || options.isEvery) return;
    if (!existsSync(join(tools, 'chrome.pftrace.gz'))) skip('the recording of many tools is not there');
    const server = await serve({ files: recordings.map((name) => join(tools, name)) });
    const page = await open({ theme: 'light', width: 1280, height: 800 });
    await openMerge(page, server, 'nodeB');
    await tried(page);
    await whole(page);
    await save(page, options, 'merging-tools-1-light.png');
    // Its time namespace is 1,000,000 s ahead of the clock of the other process.
    await page.getByRole('radio', { name: /By an offset/ }).check();
    await page.getByRole('combobox', { name: 'File' }).selectOption({ label: 'chrome.pftrace.gz' });
    await page.getByLabel('Clock', { exact: true }).selectOption('MONOTONIC');
    await page.getByLabel('Direction').selectOption('earlier');
    await page.getByLabel('Offset', { exact: true }).fill('1_000_000 s');
    await tried(page);
    await whole(page);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await idle(page);
    await save(page, options, 'merging-tools-2-dark.png');
  },
  'screenshots of the other pages': async ({ serve, page: open, options }) => {
    if (options.isEvery) return;
    for (const theme of ['dark', 'light']) {
      const page = await open({ theme, width: 1280, height: 800 });
      await visit(page, await serve({ tracebraid: undefined }), async (name) => {
        if ({ dark: ['report', 'sql'], light: ['details', 'start'] }[theme].includes(name)) await save(page, options, `viewer-${name}-${theme}.png`);
      });
    }
  },
};
