/** Rules of display of the Trace Event Format (docs/spec/trace-event-format.md, section 9) that only its own fields have. */
import assert from 'node:assert/strict';
import { idle } from './browser.mjs';
import { writeCpuTimes } from './made_traces.mjs';
import { drawBy, query, show, state } from './timeline.mjs';
import { openMade, xAt } from './track_kinds.mjs';

/** Returns the row of the first slice with a name. */
const sliceOf = async (page, name) => Number((await query(page, `SELECT id FROM slice WHERE name = '${name}' ORDER BY id LIMIT 1`))[0][0]);

/** Returns the colours of the pixels of a slice's line, from one px of the canvas to another. */
const lineOf = async (page, row, from, to) => to - from < 1 ? [] : page.evaluate(async ([id, x0, x1]) => {
  const view = window.tb.view();
  const event = await (await fetch(`/api/v1/traces/${view.trace}/events/slice/${id}`)).json();
  const canvas = document.querySelector('.data canvas');
  const picture = document.createElement('canvas');
  Object.assign(picture, { width: canvas.width, height: canvas.height });
  const g = picture.getContext('2d');
  g.drawImage(window.tb.surface().picture(), 0, 0);
  // Low in the line: the label stands in its middle.
  const y = Math.round(window.tb.surface().places.y(event.node, event.line)) + 6;
  return [...new Uint32Array(g.getImageData(x0, y, x1 - x0, 1).data.buffer)];
}, [row, Math.round(from), Math.round(to)]);

export const tests = {
  'TEF 9.3: the part of a slice without CPU time is paler, at every zoom and by both renderers': (context) => openMade(context, writeCpuTimes, async (page) => {
    const row = await sliceOf(page, 'waits');
    const [[ts, dur, cpu]] = await query(page, `SELECT CAST(ts AS TEXT), CAST(dur AS TEXT), CAST(thread_dur AS TEXT) FROM slice WHERE id = ${row}`);
    const [begin, split, end] = [BigInt(ts), BigInt(ts) + BigInt(cpu), BigInt(ts) + BigInt(dur)];
    await page.evaluate((id) => window.tb.view().revealNode([...window.tb.view().tree.nodes.values()].find((n) => n.kind === 'slice').node), row);
    let gl = true;
    for (const renderer of ['raster', 'GL']) {
      await drawBy(page, renderer);
      if (renderer === 'GL') gl = (await state(page)).counters.renderer === 'GL';
      if (!gl) break;
      // The whole slice; its end out of sight; only the split; windows without an edge before and behind it.
      for (const [from, span] of [[begin - 100_000_000n, 1_300_000_000], [begin - 1_000_000n, 300_000_000], [split - 700n, 2000], [begin + 1000n, 100_000], [split + 1_000_000n, 50_000]]) {
        await show(page, from, span);
        const { width } = await state(page);
        const places = await Promise.all([begin, split, end].map((at) => xAt(page, at)));
        const [left, middle, right] = places.map((x) => Math.max(0, Math.min(width, x)));
        const [before, after] = [await lineOf(page, row, left + 2, middle - 2), await lineOf(page, row, middle + 3, right - 3)];
        assert.ok(new Set(before).size <= 1 && new Set(after).size <= 1, `${renderer}: one colour each at ${from}`);
        assert.ok(before.length + after.length > 100);
        const { paint } = await page.evaluate(() => {
          const { table } = window.tb.surface().paint;
          return { paint: { fill: [...table.slice(0, 23)], rest: [...table.slice(5 * 256, 5 * 256 + 23)] } };
        });
        const signed = (colours) => colours[0] | 0;
        if (before.length > 1) assert.ok(paint.fill.includes(signed(before)), `${renderer}: at the left is CPU time`);
        if (after.length > 1) assert.ok(paint.rest.includes(signed(after)), `${renderer}: at the right is the rest`);
      }
    }
    // Slices that ran all the time, or whose CPU time is not known, have one tone.
    await drawBy(page, 'raster');
    await page.evaluate(() => window.tb.view().fitTrace());
    await idle(page);
    for (const name of ['runs', 'unknown']) {
      const other = await sliceOf(page, name);
      const [[from, length]] = await query(page, `SELECT CAST(ts AS TEXT), CAST(dur AS TEXT) FROM slice WHERE id = ${other}`);
      const colours = await lineOf(page, other, (await xAt(page, from)) + 3, (await xAt(page, BigInt(from) + BigInt(length))) - 3);
      assert.ok(colours.length > 20 && new Set(colours).size === 1, name);
    }
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('button', { name: 'What the looks mean' }).click();
    await page.getByTestId('legend').getByText('paler part').waitFor();
  }),
};
