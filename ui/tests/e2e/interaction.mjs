/** What the pointer does on the timeline, and the limits of rows and names (viewer.md 6.1, 6.2, 6.6). */
import assert from 'node:assert/strict';
import { idle } from './browser.mjs';
import { writeDense } from './made_traces.mjs';
import { exactEvents, openAll, openTimeline, state } from './timeline.mjs';
import { openMade } from './track_kinds.mjs';

/** Opens the timeline with all rows, zoomed in, and returns the widest exact slice that has room beside it. */
async function openAtSlice(page, server) {
  await openTimeline(page, server);
  await openAll(page);
  await page.evaluate(() => window.tb.view().zoom(0.05, 0.4));
  await idle(page);
  const events = (await exactEvents(page, 500, ['slice'])).filter((e) => e.width > 60 && e.width < 400);
  assert.ok(events.length > 0, 'a slice that is wide enough');
  return events.reduce((a, b) => (b.width > a.width ? b : a));
}

const eventOf = (page, { kind, row }) => page.evaluate(async ([k, r]) => (await fetch(`/api/v1/traces/${window.tb.view().trace}/events/${k}/${r}`)).json(), [kind, row]);

export const tests = {
  '6.6: edges of an area snap to the edges of events within 6 px, with Alt they do not': async ({ serve, page: open }) => {
    const page = await open();
    const event = await openAtSlice(page, await serve());
    const { ts, end } = await eventOf(page, event);
    const [left, right] = [event.x - event.width / 2, event.x + event.width / 2];
    const nsPerPx = (await state(page)).span / (await state(page)).width;
    const drag = async (from, to) => {
      await page.mouse.move(from, event.y);
      await page.mouse.down();
      await page.mouse.move(to, event.y, { steps: 5 });
      await page.mouse.up();
      await idle(page);
      const { area } = await state(page);
      return [Number(BigInt(area.from) - BigInt(ts)) / nsPerPx, Number(BigInt(area.to) - BigInt(end)) / nsPerPx];
    };
    // Times of the screen are exact to 1/256 of a bucket.
    const snapped = await drag(left + 4, right - 4);
    assert.ok(snapped.every((px) => Math.abs(px) < 0.6), `${snapped} px beside the event`);
    await page.keyboard.down('Alt');
    const free = await drag(left + 4, right - 4);
    await page.keyboard.up('Alt');
    assert.ok(Math.abs(free[0] - 4) < 1.1 && Math.abs(free[1] + 4) < 1.1, `${free} px beside the event`);
    const far = await drag(left + 12, right - 12);
    assert.ok(Math.abs(far[0] - 12) < 1.1 && Math.abs(far[1] + 12) < 1.1, `${far} px beside the event`);
  },

  '6.6: a double click zooms to the event': async ({ serve, page: open }) => {
    const page = await open();
    const event = await openAtSlice(page, await serve());
    const { ts, end } = await eventOf(page, event);
    const length = Number(BigInt(end) - BigInt(ts));
    await page.mouse.dblclick(event.x, event.y);
    await page.waitForFunction((before) => window.tb.timeline().span < before, 1.3 * length);
    const { from, span } = await state(page);
    assert.ok(BigInt(from) <= BigInt(ts) && BigInt(from) + BigInt(Math.ceil(span)) >= BigInt(end), 'the whole event is in view');
  },

  '6.6: the tip of a dense item says how many events it is, and the longest': (context) => openMade(context, writeDense, async (page) => {
    await openAll(page);
    const found = await page.evaluate(() => {
      const box = document.querySelector('[data-testid=canvas]').getBoundingClientRect();
      for (let y = 4; y < box.height - 4; y += 3) for (let x = 4; x < box.width; x += 1) {
        const at = window.tb.spot(x, y);
        if (at?.kind === 'slice' && at.count > 1) return { x: box.left + x, y: box.top + y, count: at.count, kind: at.kind, row: at.row };
      }
      return null;
    });
    assert.ok(found, 'a dense item');
    await page.mouse.move(found.x, found.y);
    const { name } = await eventOf(page, found);
    await page.getByTestId('tip').locator('b').filter({ hasText: `${found.count} events, longest ${name}` }).waitFor();
  }),

  '6.2: dragging the lower edge of a track limits its lines; what is deeper is counted and comes back': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    await openAll(page);
    const edge = page.locator('.edge').first();
    const row = page.getByTestId('row').filter({ has: page.locator('.edge') }).first();
    const key = await row.getAttribute('data-key');
    const lines = () => page.evaluate((k) => {
      const found = window.tb.view().rows.value.find((r) => k === null ? r.layers.some((l) => l.lineHeight > 0 && l.node.lines > 1) : r.key === k);
      const layer = found.layers.at(-1);
      return { shown: layer.lines, all: layer.node.lines, height: layer.lineHeight, deeper: found.deeper };
    }, key);
    const before = await lines();
    const box = await edge.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - before.height * (before.shown - 1), { steps: 4 });
    await page.mouse.up();
    await idle(page);
    const limited = await lines();
    assert.deepEqual([limited.shown, limited.deeper], [1, before.all - 1]);
    await page.getByRole('button', { name: `${before.all - 1} deeper` }).first().click();
    await idle(page);
    assert.deepEqual([(await lines()).shown, (await lines()).deeper], [before.all, 0]);
  },

  '6.1: the names are from 120 to 600 px wide': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    const splitter = page.getByRole('separator', { name: 'Width of the names' });
    const drag = async (to) => {
      const box = await splitter.boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + 200);
      await page.mouse.down();
      await page.mouse.move(to, box.y + 200, { steps: 4 });
      await page.mouse.up();
      await idle(page);
      return Number(await splitter.getAttribute('aria-valuenow'));
    };
    assert.equal(await drag(1200), 600);
    assert.equal(await drag(60), 120);
    const { left } = await page.evaluate(() => document.querySelector('.data').getBoundingClientRect());
    const rail = await page.evaluate(() => document.querySelector('.tl').getBoundingClientRect().left);
    assert.equal(Math.round(left - rail), 120, 'the tracks begin behind the names');
  },
};
