/** Ranks of one job side by side: names, hits, and flows between CPU and GPU. Needs the real server. */
import assert from 'node:assert/strict';
import { idle } from './browser.mjs';
import { writeRanks } from './made_traces.mjs';
import { openTimeline, query, show, state } from './timeline.mjs';
import { openMade } from './track_kinds.mjs';

export const tests = {
  'ranks: hits of one name say where each is, so the slower rank is found': (context) => openMade(context, writeRanks, async (page) => {
    await page.getByTestId('omni').fill('ProfilerStep#1');
    await page.getByRole('listbox', { name: 'Hits' }).getByRole('option').nth(1).waitFor();
    const hits = (await page.getByRole('listbox', { name: 'Hits' }).getByRole('option').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    const expected = [0, 1].map((rank) => [`slice of environment#native-main#platform`, `: CPU ${rank} › worker ${100 + rank} in rank-${rank}.json`, `${80 + 5 * rank} ms`]);
    for (const parts of expected) assert.ok(hits.some((text) => parts.every((part) => text.includes(part))), `${parts}: ${hits}`);
  }),

  'ranks: the end of a long name stays in sight': (context) => openMade(context, writeRanks, async (page) => {
    await page.setViewportSize({ width: 900, height: 600 });
    await idle(page);
    const tails = await page.getByTestId('row').locator('.title.ends').evaluateAll((all) => all.map((title) => {
      const [head, tail] = [title.querySelector('.head'), title.querySelector('.tail')];
      return [tail.textContent, head.scrollWidth > head.clientWidth, tail.getBoundingClientRect().right <= title.getBoundingClientRect().right + 0.5];
    }));
    for (const labels of [': CPU 0', ': GPU 0']) assert.ok(tails.some(([text, isCut, isSeen]) => text === labels && isCut && isSeen), `${labels}: ${JSON.stringify(tails)}`);
  }),

  'ranks: a search that replaces another waits for its answers, so that the console has no error': (context) => openMade(context, writeRanks, async (page) => {
    await page.route('**/search/*/hits*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    const omni = page.getByTestId('omni');
    const asked = page.waitForRequest('**/search/*/hits*');
    await omni.fill('ProfilerStep');
    await asked;
    await omni.fill('kernel');
    await omni.press('Enter');
    await page.waitForFunction(() => document.querySelector('[data-testid=hits]')?.textContent.includes('360'));
    await page.unroute('**/search/*/hits*', { behavior: 'wait' });
    await idle(page);
  }),

  'start: the report is asked for behind the first tiles, and the renderer is probed once': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no traces');
    const server = await serve({});
    const page = await open();
    await page.addInitScript(() => {
      window.__probes = 0;
      const getContext = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        window.__probes += kind === 'webgl2' ? 1 : 0;
        return getContext.call(this, kind, ...rest);
      };
    });
    const items = [];
    await page.route('**/traces/*/report', async (route) => {
      items.push(await page.evaluate(() => window.tb.timeline()?.counters.items ?? 0));
      await route.continue();
    });
    await openTimeline(page, server);
    await page.locator('header').getByText('3 files').waitFor();
    assert.ok(items.length === 1 && items[0] > 0, `${items} items were shown`);
    const isSoftware = await page.evaluate(() => window.__probes === 1 && window.tb.timeline().counters.renderer === 'raster');
    await page.reload();
    await page.locator('header').getByText('3 files').waitFor();
    assert.ok(items.length === 2 && items[1] > 0, `${items} items were shown`);
    if (isSoftware) assert.equal(await page.evaluate(() => window.__probes), 0);
  },

  'frames: arrows of flows are placed again only if they move': (context) => openMade(context, writeRanks, async (page) => {
    await page.evaluate(() => window.tb.view().fitTrace());
    await idle(page);
    const counts = () => page.evaluate(() => {
      const { counters, places } = window.tb.surface();
      return { frames: counters.frames, passes: places.arrows.passes, flows: counters.flows };
    });
    const before = await counts();
    assert.ok(before.flows > 200, `${before.flows} flows`);
    const box = await page.getByTestId('canvas').boundingBox();
    for (let i = 0; i < 12; i += 1) {
      await page.mouse.move(box.x + 100 + 40 * i, box.y + 60 + 5 * i);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }
    const hovered = await counts();
    assert.ok(hovered.frames >= before.frames + 6, JSON.stringify([before, hovered]));
    assert.equal(hovered.passes, before.passes);
    await page.evaluate(() => window.tb.view().zoom(0.5));
    await idle(page);
    assert.ok((await counts()).passes > before.passes);
  }),

  'ranks: names of slices are above the flows': (context) => openMade(context, writeRanks, async (page) => {
    const [[ts]] = await query(page, "SELECT CAST(min(ts) AS TEXT) FROM slice WHERE name LIKE 'kernel%'");
    const row = await page.evaluate(() => {
      const view = window.tb.view();
      const node = [...view.tree.nodes.values()].find((n) => n.kind === 'slice' && view.tree.ancestors(n).some((a) => a.title.includes('GPU 0')));
      view.revealNode(node.node);
      return node.node;
    });
    await show(page, BigInt(ts) - 100_000n, 6_000_000);
    /** Returns the pixels of the middle of the line of kernels that have the colour of their names. */
    const lettersOf = () => page.evaluate((node) => {
      const y = Math.round(window.tb.surface().places.y(node, 0));
      const canvas = document.querySelector('[data-testid=canvas]');
      const { data } = canvas.getContext('2d').getImageData(0, y - 5, canvas.width, 11);
      const pixels = [...new Uint32Array(data.buffer)];
      const white = pixels.filter((p) => (p >>> 24) > 250 && (p & 255) > 225 && ((p >> 8) & 255) > 225 && ((p >> 16) & 255) > 225);
      return white.length;
    }, row);
    const withFlows = await lettersOf();
    assert.ok((await state(page)).counters.flows > 0);
    await page.evaluate(() => (window.tb.view().showsFlows.value = false));
    await idle(page);
    const without = await lettersOf();
    assert.ok(without > 15 && withFlows > 0.97 * without, `${withFlows} of ${without} pixels of names`);
  }),
};
