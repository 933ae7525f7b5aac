/** Rules of display of the Trace Event Format (docs/spec/trace-event-format.md, section 9) that only its own fields have. */
import assert from 'node:assert/strict';
import { checkAccess } from './access.mjs';
import { idle } from './browser.mjs';
import { arrowsOf } from './display_rules.mjs';
import { writeBroken, writeCpuTimes, writeFlows, writeLinked, writeMarks, writeStacks, writeWaits } from './made_traces.mjs';
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

  'TEF 9.5: sync points of clocks are lines across all tracks, hidden at first, with their names': (context) => openMade(context, writeMarks, async (page) => {
    const { height, width, start, end } = await state(page);
    /** Returns the share of the height that is drawn over the data at a time. */
    const lineAt = async (ts) => {
      const x = await xAt(page, ts);
      return page.evaluate(([at, h]) => {
        const { data } = document.querySelector('[data-testid=canvas]').getContext('2d').getImageData(Math.round(at), 0, 1, Math.round(h));
        return [...new Uint32Array(data.buffer)].filter((p) => p !== 0).length / data.length * 4;
      }, [x, height]);
    };
    const points = ['31000000', '71000000'].map((ts) => BigInt(ts));
    assert.deepEqual(await Promise.all(points.map(lineAt)), [0, 0], 'hidden at first');
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByLabel('Sync points of clocks').check();
    await page.waitForFunction(() => window.tb.view().own.shownSyncPoints.value.length === 2);
    await page.keyboard.press('Escape');
    await idle(page);
    for (const span of [Number(BigInt(end) - BigInt(start)), 1_000_000, 1000]) for (const ts of points) {
      await show(page, ts - BigInt(Math.floor(span / 3)), span);
      assert.equal(await lineAt(ts), 1, `${ts} at ${span} ns`);
      assert.ok((await lineAt(ts + BigInt(Math.ceil((12 / width) * span)))) < 0.5, 'only there');
    }
    const box = await page.getByTestId('canvas').boundingBox();
    await page.mouse.move(box.x + (await xAt(page, points[1])), box.y + 30);
    await page.getByTestId('tip').getByText('clock sync second, receiver').waitFor();
    await page.mouse.click(box.x + (await xAt(page, points[1])), box.y + 30);
    assert.equal((await state(page)).selected, null, 'a sync point is no event');
  }),

  'TEF 9.7: flows go from their start to their end, have id, title and category, and are shown by category': (context) => openMade(context, writeFlows, async (page) => {
    const counts = await query(page, "SELECT extract_arg(arg_set_id, 'cat'), count(*) FROM flow GROUP BY 1 ORDER BY 2 DESC");
    assert.deepEqual(counts.map(([name]) => name), ['rpc', 'input']);
    await page.evaluate(() => window.tb.view().fitTrace());
    await idle(page);
    const rowsOf = async (name) => (await query(page, `SELECT id FROM flow WHERE extract_arg(arg_set_id, 'cat') = '${name}' ORDER BY id`)).map(([id]) => Number(id));
    const joined = counts.reduce((sum, [, n]) => sum + Number(n), 0);
    const shown = async () => (await arrowsOf(page)).arrows.map(([row]) => row).filter((row) => row < joined).sort((a, b) => a - b);
    assert.equal((await shown()).length, joined);
    await page.getByRole('button', { name: 'View', exact: true }).click();
    const list = page.getByRole('group', { name: 'Categories of flows' });
    await list.getByLabel(`input (${counts[1][1]})`).uncheck();
    await idle(page);
    assert.deepEqual(await shown(), await rowsOf('rpc'));
    await list.getByLabel(/^rpc/).uncheck();
    await idle(page);
    assert.deepEqual(await shown(), []);
    await list.getByLabel(/^input/).check();
    await page.keyboard.press('Escape');
    await idle(page);
    assert.deepEqual(await shown(), await rowsOf('input'));
    // Flows of the selected slice are drawn whatever their category, with a red shadow, and say what they are.
    const [[out, , id, from, to]] = await query(page, "SELECT slice_out, slice_in, CAST(trace_id AS TEXT), CAST(extract_arg(arg_set_id, 'start_ts') AS TEXT), CAST(extract_arg(arg_set_id, 'end_ts') AS TEXT) FROM flow WHERE extract_arg(arg_set_id, 'cat') = 'rpc' ORDER BY id LIMIT 1 OFFSET 20");
    await page.evaluate((row) => window.tb.view().select({ kind: 'slice', row }), Number(out));
    await page.waitForFunction(() => window.tb.view().selectedFlows.value.length > 0);
    await show(page, BigInt(from) - 200_000n, 1_000_000);
    const [flow] = await page.evaluate(() => window.tb.view().selectedFlows.value);
    assert.deepEqual([flow.id, flow.name, flow.category, flow.from_ts, flow.to_ts], [id, 'call', 'rpc', from, to]);
    const words = await page.getByRole('region', { name: 'Order and flows' }).innerText();
    assert.ok(words.includes(`call, category rpc, id 0x${BigInt.asUintN(64, BigInt(id)).toString(16)}`), words);
    assert.ok(words.includes(`${(Number(to) - Number(from)) / 1000} µs`), words);
    const reds = await page.evaluate(() => {
      const canvas = document.querySelector('[data-testid=canvas]');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let red = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i] > 2 * data[i + 2] && data[i] > 2 * data[i + 1]) red += 1;
      return red;
    });
    assert.ok(reds > 20, `${reds} red pixels`);
  }),

  'TEF 9.11: annotations are flags on the axis, with their texts': (context) => openMade(context, writeMarks, async (page) => {
    const expected = await query(page, 'SELECT CAST(ts AS TEXT), text FROM json_annotation ORDER BY ts');
    await page.waitForFunction(() => window.tb.view().own.annotations.value.length === 2);
    const marks = await page.evaluate(() => window.tb.view().own.annotations.value.map(({ ts, text }) => [String(ts), text]));
    assert.deepEqual(marks, [[expected[0][0], 'marker'], [expected[1][0], 'here it begins <b>']]);
    await idle(page);
    const axis = page.locator('.axis canvas');
    const box = await axis.boundingBox();
    for (const [ts, text] of marks) {
      const x = await xAt(page, ts);
      const flag = await page.evaluate(([at, y]) => {
        const { paint } = window.tb.surface();
        const probe = document.createElement('canvas').getContext('2d');
        probe.fillStyle = paint.token('uncertain');
        probe.fillRect(0, 0, 1, 1);
        const colour = new Uint32Array(probe.getImageData(0, 0, 1, 1).data.buffer)[0];
        const { data } = document.querySelector('.axis canvas').getContext('2d').getImageData(Math.round(at) - 1, y, 4, 16);
        return [...new Uint32Array(data.buffer)].filter((p) => p === colour).length;
      }, [x, Math.ceil(box.height / 2)]);
      assert.ok(flag > 8, `${text}: ${flag} pixels`);
      await page.mouse.move(box.x + x + 2, box.y + box.height - 6);
      await page.waitForFunction((wanted) => document.querySelector('.axis canvas').title === wanted, text);
    }
  }),

  'TEF 9.11: displayTimeUnit "ns" shows times and lengths in whole nanoseconds': (context) => openMade(context, writeMarks, async (page) => {
    await page.waitForFunction(() => window.tb.timeline().format === 'raw');
    await idle(page);
    assert.match(await page.locator('.axis').innerText(), /ns/);
    await page.evaluate((row) => window.tb.view().select({ kind: 'slice', row }), await sliceOf(page, 'work'));
    const timing = page.getByRole('region', { name: 'Timing' });
    await timing.getByText('100,000,123 ns').first().waitFor();
    // The choice is the user's: it is kept when the page is loaded again.
    await page.getByTestId('canvas').focus();
    await page.keyboard.press('u');
    await timing.getByText('100 ms').first().waitFor();
  }),

  'TEF 9.11: import warnings are counted in the bar and listed, each with its count and its first place': (context) => openMade(context, writeBroken, async (page) => {
    const expected = await query(page, "SELECT name, sum(value) FROM stats WHERE name LIKE 'json_%' OR name LIKE '%_parse_error' OR name LIKE 'slice_spill%' GROUP BY 1 HAVING sum(value) > 0 ORDER BY 1");
    assert.ok(expected.length >= 5, JSON.stringify(expected));
    await page.locator('footer').getByRole('button', { name: `${expected.length} import warnings` }).click();
    const dialog = page.getByTestId('warnings');
    await dialog.locator('.stat-h').nth(expected.length - 1).waitFor();
    const listed = await dialog.locator('.stat-h').evaluateAll((all) => all.map((p) => [p.querySelector('code').textContent, p.querySelector('b').textContent]));
    assert.deepEqual(listed.sort(), expected.map(([name, count]) => [name, String(count)]));
    await checkAccess(page, 'import warnings');
    await dialog.getByText('first at byte').first().waitFor();
    assert.match(await dialog.getByRole('region', { name: 'Lost' }).innerText(), /object_parse_error/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('footer').getByRole('button', { name: 'import warnings' }).click();
    await dialog.getByRole('button', { name: 'Open the report' }).click();
    await page.getByRole('heading', { name: 'Placement' }).first().waitFor();
  }),

  'TEF 9.11: a trace without import warnings has none in the bar': (context) => openMade(context, writeMarks, async (page) => {
    await page.locator('header').getByText('1 file').waitFor(); // the report is there
    await idle(page);
    assert.equal(await page.locator('footer').getByText('import warning').count(), 0);
  }),

  'TEF 9.11: events of linked ids lead to each other': (context) => openMade(context, writeLinked, async (page) => {
    const relations = page.getByRole('region', { name: 'Order and flows' });
    const linksOf = async (kind, row) => {
      await page.evaluate((event) => window.tb.view().select(event), { kind, row });
      await page.waitForFunction(([k, r]) => window.tb.view().selection.value?.kind === k && window.tb.view().selection.value.row === r, [kind, row]);
      await idle(page);
      return (await relations.getByRole('listitem').allInnerTexts()).filter((text) => text.includes('same id in')).map((text) => text.replace(/\s+/g, ' ').trim());
    };
    const request = await sliceOf(page, 'request');
    assert.deepEqual(await linksOf('slice', request), ['same id in object Connection 2', 'same id in flow send 3']);
    assert.deepEqual(await linksOf('slice', await sliceOf(page, 'send')), ['same id in async request 1', 'same id in object Connection 2']);
    assert.deepEqual(await linksOf('slice', await sliceOf(page, 'other')), []);
    assert.deepEqual(await linksOf('snapshot', 0), ['same id in async request 1', 'same id in flow send 3']);
    await relations.getByRole('button', { name: 'request' }).click();
    await page.waitForFunction((row) => window.tb.view().selection.value?.row === row && window.tb.view().selection.value.kind === 'slice', request);
  }),

  'TEF 9.3: the details have the callstacks at both ends of a slice': (context) => openMade(context, writeStacks, async (page) => {
    const framesOf = async (name) => {
      const row = await sliceOf(page, name);
      await page.evaluate((id) => window.tb.view().select({ kind: 'slice', row: id }), row);
      await page.waitForFunction((id) => window.tb.timeline().selected?.row === id, row);
      await idle(page);
      const place = page.getByRole('region', { name: 'Place' });
      return Promise.all(['Stack at its start', 'Stack at its end'].map((title) => place.getByRole('list', { name: title }).getByRole('listitem').allInnerTexts()));
    };
    await sliceOf(page, 'both').then((id) => page.evaluate((row) => window.tb.view().select({ kind: 'slice', row }), id));
    await page.getByRole('list', { name: 'Stack at its end' }).waitFor();
    assert.deepEqual(await framesOf('both'), [['read', 'loop <i>', 'main'], ['0x2a', 'write', 'main']]);
    assert.deepEqual(await framesOf('none'), [[], []]);
  }),

  '6.7: the details have the states of the thread during a slice, as SQL has them': (context) => openMade(context, writeWaits, async (page) => {
    const statesOf = async (name) => {
      const row = await sliceOf(page, name);
      await page.evaluate((id) => window.tb.view().select({ kind: 'slice', row: id }), row);
      await page.waitForFunction((id) => window.tb.timeline().selected?.row === id, row);
      await page.getByLabel('States of the thread meanwhile').waitFor();
      await idle(page);
      return (await page.getByLabel('States of the thread meanwhile').innerText()).replace(/\s+/g, ' ').trim();
    };
    assert.equal(await statesOf('job'), 'uninterruptible 5 ms 51 % running 2.3 ms 23 % sleeping 2 ms 20 % runnable 600 µs 6 %');
    assert.equal(await statesOf('later'), 'running 200 µs 100 %');
  }),

  '6.7: the states of a thread that two files recorded count once': (context) => openMade(context, (folder) => ['waits.txt', 'waits again.txt'].map((name) => writeWaits(folder, name)), async (page) => {
    const [[doubled]] = await query(page, 'SELECT count(*) FROM (SELECT 1 FROM thread_state GROUP BY utid, ts HAVING count(*) > 1)');
    assert.ok(Number(doubled) > 3, `${doubled} states are there twice`);
    const row = await sliceOf(page, 'job');
    await page.evaluate((id) => window.tb.view().select({ kind: 'slice', row: id }), row);
    const states = page.getByLabel('States of the thread meanwhile');
    await states.waitFor();
    assert.equal((await states.innerText()).replace(/\s+/g, ' ').trim(), 'uninterruptible 5 ms 51 % running 2.3 ms 23 % sleeping 2 ms 20 % runnable 600 µs 6 %');
  }),

  '6.3: colours by category: slices of one category have one colour, reserved names win': (context) => openMade(context, writeStacks, async (page) => {
    await page.evaluate(() => window.tb.view().fitTrace());
    const colours = async () => {
      await idle(page);
      return page.evaluate(async () => {
        const view = window.tb.view();
        const found = {};
        for (const row of view.rows.value) for (const layer of row.layers) for (const level of view.store.levelsOf(layer.node.node, layer.mode)) for (const { frame } of view.store.chunks(layer.node.node, layer.mode, level)) {
          if (frame.kind === 1) for (let i = 0; i < frame.n; i += 1) found[view.texts.text(frame.name[i])] = frame.colour[i];
        }
        return found;
      });
    };
    const byName = await colours();
    assert.equal(new Set(['both', 'none', 'also io'].map((name) => byName[name])).size, 3, JSON.stringify(byName));
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByLabel('Colours by').selectOption('category');
    await page.keyboard.press('Escape');
    const byCategory = await colours();
    assert.equal(byCategory.both, byCategory['also io']);
    assert.notEqual(byCategory.both, byCategory.none);
    assert.equal(byCategory.chosen, byName.chosen, 'cname is first');
    const event = await sliceOf(page, 'both');
    const place = await page.evaluate((row) => window.tb.locate('slice', row), event);
    const box = await page.getByTestId('canvas').boundingBox();
    const spot = await page.evaluate(([x, y]) => window.tb.spot(x, y), [(place.left + place.right) / 2 - box.x, place.y - box.y]);
    assert.equal(spot.row, event, 'what is drawn is hit');
  }),

  '6.6: the menu of an event filters the rows by its name': (context) => openMade(context, writeFlows, async (page) => {
    const before = (await state(page)).rows;
    await page.getByTestId('row').filter({ hasText: 'client' }).first().click({ button: 'right' });
    await page.getByTestId('menu').getByText('Only rows named like it').click();
    await idle(page);
    const rows = await page.getByTestId('row').allInnerTexts();
    assert.ok(rows.length > 0 && (await state(page)).rows < before && !rows.some((text) => text.includes('server')), rows.join());
    await page.locator('footer').getByRole('button', { name: 'clear' }).click();
    await idle(page);
    assert.equal((await state(page)).rows, before);
  }),
};
