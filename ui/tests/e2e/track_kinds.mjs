/** Kinds of tracks: stacked counters, instants of all scopes, memory dumps, lanes, the panel of the log. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idle } from './browser.mjs';
import { writeAsync, writeFarApart, writeKinds, writeLog, writeSched } from './made_traces.mjs';
import { openAll, openTimeline, query, show, state } from './timeline.mjs';

/** Opens the traces that `write` makes below a folder, one path or several; the mock server reads none. */
export async function openMade({ serve, page: open, options, skip }, write, run) {
  if (!options.tracebraid) skip('the mock server reads no traces');
  const folder = mkdtempSync(join(tmpdir(), 'tracebraid-kinds-'));
  try {
    const server = await serve({ files: [write(folder)].flat() });
    const page = await open();
    await openTimeline(page, server);
    await openAll(page);
    await run(page);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the pixels of a column of one of the two canvases, from `top` to `bottom` in CSS px. */
const column = (page, canvas, x, top, bottom) => page.evaluate(([c, at, from, to]) => {
  const { data } = document.querySelectorAll('.data canvas')[c].getContext('2d').getImageData(Math.round(at * devicePixelRatio), Math.round(from * devicePixelRatio), 1, Math.max(1, Math.round((to - from) * devicePixelRatio)));
  return [...new Uint32Array(data.buffer)];
}, [canvas, x, top, bottom]);

/** Returns the row of a kind of track, and where it is on the canvas. */
const rowOfKind = (page, kind) => page.evaluate((wanted) => {
  const view = window.tb.view();
  const row = view.rows.value.find((r) => r.layers[0]?.node.kind === wanted && r.layers[0].mode !== 'summary');
  if (!row) return null;
  view.revealNode(row.node.node);
  return { node: row.node.node, tracks: row.node.tracks, y: window.tb.surface().places.y(row.node.node, 0), height: row.height, from: row.node.first_ts, to: row.node.last_ts };
}, kind);

/** Returns the px of a time. */
export const xAt = (page, ts) => page.evaluate((at) => {
  const view = window.tb.view();
  return ((Number(BigInt(at) - view.window.value.from) - view.window.value.part) / view.window.value.span) * view.size.value.width;
}, String(ts));

/**
 * Compares the panel of a row of lines with SQL in 20 windows. `filter` sets one of the filters in the panel, and returns
 * the statement's FROM and WHERE; `column` has the text of a line.
 */
async function comparePanel(page, context, title, kind, filters, filter, column) {
  await page.getByTestId('row').filter({ hasText: title }).first().click({ button: 'right' });
  await page.getByTestId('menu').getByText('Lines in view').click();
  await page.getByTestId('log').waitFor();
  const { start, end } = await state(page);
  const span = Number(BigInt(end) - BigInt(start));
  let lines = 0;
  for (let i = 0; i < (context.options.isQuick ? 6 : 20); i += 1) {
    const from = await filter(filters[i % filters.length]);
    await show(page, BigInt(start) + BigInt(Math.floor((span * (i % 7)) / 9)), Math.floor(span / (1 + i)));
    const range = await page.evaluate(() => {
      const { from: first, part, span: ns } = window.tb.view().window.value;
      return [first.toString(), (first + BigInt(Math.ceil(part + ns))).toString()];
    });
    const where = `${from} AND ts BETWEEN ${range[0]} AND ${range[1]}`;
    const [[count]] = await query(page, `SELECT count(*) ${where}`);
    lines += Number(count);
    await page.waitForFunction((n) => document.querySelector('[data-testid=log] [role=status]').textContent.startsWith(`${n} `), Number(count).toLocaleString('en-US'), { timeout: 10_000 });
    for (const [text] of await query(page, `SELECT ${column} ${where} ORDER BY ts, id LIMIT 3`)) await page.getByTestId('log-line').filter({ hasText: text }).first().waitFor();
  }
  assert.ok(lines > 0, 'some window has lines');
  await filter({});
  await show(page, start, span);
  await page.getByTestId('log-line').first().click();
  await page.waitForFunction((wanted) => window.tb.view().selection.value?.kind === wanted, kind);
  assert.equal(await page.getByTestId('log').count(), 1, 'the panel stays');
}

export const tests = {
  'V3: a stacked counter shows each series and the total': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    await openTimeline(page, server);
    await openAll(page);
    const row = await rowOfKind(page, 'stacked');
    if (!row && server.isReal) return; // the examples have none; see the next test
    await idle(page);
    const { y } = await rowOfKind(page, 'stacked');
    const box = await page.getByTestId('canvas').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + y + 10);
    await page.getByTestId('tip').waitFor();
    const tip = await page.getByTestId('tip').innerText();
    for (const series of ['anon', 'file', 'swap']) assert.ok(tip.includes(series), tip);
  },

  'V3: the total of a stacked counter is that of SQL': (context) => openMade(context, writeKinds, async (page) => {
    const row = await rowOfKind(page, 'stacked');
    await show(page, BigInt(row.from) + 40_000_000n, 60_000_000);
    const { y } = await rowOfKind(page, 'stacked');
    const sums = await query(page, `SELECT CAST(ts AS TEXT), sum(value) FROM counter WHERE track_id IN (${row.tracks}) GROUP BY ts ORDER BY ts`);
    const totals = sums.map(([ts, sum]) => [BigInt(ts), Number(sum)]);
    let checked = 0;
    for (let i = 1; i < 40; i += 1) {
      const read = await page.evaluate(([share, at]) => window.tb.spot(share * window.tb.view().size.value.width, at + 6), [i / 40, y]);
      const expected = totals.filter(([ts]) => ts <= BigInt(read.ts)).at(-1);
      assert.equal(read.value, expected[1], `at ${read.ts}`);
      checked += 1;
    }
    assert.equal(checked, 39);
    const box = await page.getByTestId('canvas').boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + y + 12);
    await page.getByTestId('drawer').getByText('total').waitFor();
    const words = await page.getByTestId('drawer').innerText();
    for (const series of ['heap', 'stack', 'gpu']) assert.ok(words.includes(series), words);
  }),

  'V4: instants of the trace cross all tracks, those of a process its rows': (context) => openMade(context, writeKinds, async (page) => {
    const [[all], [own]] = [await query(page, "SELECT CAST(ts AS TEXT), id FROM slice WHERE name = 'navigation 1'"), await query(page, "SELECT CAST(ts AS TEXT), id FROM slice WHERE name = 'mark 1'")];
    const { height } = await state(page);
    const spans = await page.evaluate(() => {
      const view = window.tb.view();
      const of = view.rows.value.find((r) => r.node.title.startsWith('Renderer'));
      const rest = view.rows.value.slice(view.rows.value.indexOf(of) + 1);
      const end = rest.findIndex((r) => r.depth <= of.depth);
      const last = end < 0 ? rest.at(-1) : rest[end - 1];
      return { top: of.top, bottom: last.top + last.height };
    });
    for (const span of [400_000_000, 60_000_000, 50_000]) {
      for (const [ts, top, bottom] of [[all[0], 2, height - 2], [own[0], spans.top + 2, Math.min(height, spans.bottom) - 2]]) {
        await show(page, BigInt(ts) - BigInt(Math.floor(span / 3)), span);
        const drawn = await column(page, 1, await xAt(page, ts), top, bottom);
        const share = drawn.filter((pixel) => pixel !== 0).length / drawn.length;
        assert.ok(share > 0.95, `${Math.round(100 * share)} % of the height at ${span} ns`);
      }
      const above = await column(page, 1, await xAt(page, own[0]), 2, spans.top - 2);
      assert.ok(above.some((pixel) => pixel === 0), 'not above its process');
    }
    // In an empty place the line is hit.
    await show(page, BigInt(all[0]) - 20_000n, 50_000);
    const hit = await page.evaluate(([x, y]) => window.tb.spot(x, y), [await xAt(page, all[0]), height - 10]);
    if (hit) assert.deepEqual([hit.row, hit.name], [Number(all[1]), 'navigation 1']);
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByLabel('Global instants across the tracks').uncheck();
    await page.keyboard.press('Escape');
    await idle(page);
    const left = await column(page, 1, await xAt(page, all[0]), 2, height - 2);
    assert.ok(left.filter((pixel) => pixel !== 0).length / left.length < 0.9, 'no line without the option');
  }),

  'V11: memory dumps are dots with their details': (context) => openMade(context, writeKinds, async (page) => {
    const row = await rowOfKind(page, 'dump');
    await idle(page);
    const [[ts]] = await query(page, 'SELECT CAST(ts AS TEXT) FROM json_memory_dump ORDER BY ts LIMIT 1');
    const { y } = await rowOfKind(page, 'dump');
    const dot = await column(page, 1, await xAt(page, ts), y - 6, y + 6);
    assert.ok(new Set(dot).size > 1, 'a dot with a letter');
    const box = await page.getByTestId('canvas').boundingBox();
    await page.mouse.click(box.x + (await xAt(page, ts)), box.y + y);
    await page.getByTestId('drawer').getByText('background').waitFor();
    assert.ok(row);
  }),

  'V2: lanes are the rows of their group, and no two events of a lane overlap': (context) => openMade(context, writeKinds, async (page) => {
    const nodes = await page.evaluate(() => [...window.tb.view().tree.nodes.values()].filter((n) => n.kind === 'async').map((n) => ({ title: n.title, lines: n.lines, tracks: n.tracks })));
    assert.ok(nodes.length > 0);
    for (const { lines, tracks, title } of nodes) {
      const [[count]] = await query(page, `SELECT count(*) FROM (SELECT DISTINCT track_id, depth FROM slice WHERE track_id IN (${tracks}))`);
      assert.equal(lines, Number(count), title);
      assert.ok(lines > 1, 'events overlap');
      const overlaps = await query(page, `SELECT a.id FROM slice a JOIN slice b ON a.track_id = b.track_id AND a.depth = b.depth AND a.id < b.id WHERE a.track_id IN (${tracks}) AND b.ts < a.ts + a.dur`);
      assert.deepEqual(overlaps, []);
    }
  }),

  'V2: groups of async events are below the thread on which they began, one a title': (context) => openMade(context, writeAsync, async (page) => {
    const groups = await page.evaluate(() => {
      const { tree } = window.tb.view();
      const of = (n) => tree.ancestors(n).filter((a) => a.type === 'process' || a.type === 'thread').map((a) => a.title.replace(/ \(pid .*/, '')).join(' > ');
      return [...tree.nodes.values()].filter((n) => n.kind === 'async').map((n) => [of(n), n.title, n.lines]);
    });
    assert.deepEqual(groups.sort(), [['', 'all', 2], ['app', 'both', 2], ['app > worker 1', 'ask', 1], ['app > worker 1', 'zip', 2], ['app > worker 2', 'load', 2]].sort());
    const order = await page.evaluate(() => window.tb.view().rows.value.filter((r) => r.node.kind === 'async' && r.parent?.node.title === 'worker 1').map((r) => r.node.title));
    assert.deepEqual(order, ['ask', 'zip'], 'titles rise');
  }),

  'V8: the panel of the log has the lines of SQL in 20 windows': (context) => openMade(context, writeLog, async (page) => {
    const filters = [{}, { text: 'x' }, { text: '100%_' }, { tag: 'tag2' }, { priority: 5 }];
    await comparePanel(page, context, 'Log', 'log', filters, async ({ text = '', tag = '', priority = 0 }) => {
      await page.getByLabel('Message contains').fill(text);
      await page.getByLabel('Tag contains').fill(tag);
      await page.getByLabel('Least priority').selectOption(String(priority));
      return `FROM logs WHERE instr(msg, '${text}') > 0 AND instr(tag, '${tag}') > 0 AND prio >= ${priority}`;
    }, 'msg');
  }),

  'V16: the panel of kernel events has the rows of SQL in 20 windows': (context) => openMade(context, writeSched, async (page) => {
    await comparePanel(page, context, 'CPU 0 kernel events', 'ftrace', [{}, { text: 'sched_switch' }, { text: 'FREQUENCY' }, { text: 'nothing' }], async ({ text = '' }) => {
      await page.getByLabel('Name contains').fill(text);
      return `FROM ftrace_event WHERE instr(name, '${text.toLowerCase()}') > 0`;
    }, 'name');
  }),

  'far_apart: 132 days after the first event, two events 1 ns apart are two rectangles': (context) => openMade(context, writeFarApart, async (page) => {
    const rows = await query(page, "SELECT CAST(ts AS TEXT), id FROM slice WHERE name IN ('one', 'other') ORDER BY ts");
    assert.equal(BigInt(rows[1][0]) - BigInt(rows[0][0]), 1n);
    await show(page, BigInt(rows[0][0]) - 4n, 12);
    const { width } = await state(page);
    for (const [ts, id] of rows) {
      const place = await page.evaluate((row) => window.tb.locate('slice', row), Number(id));
      const box = await page.getByTestId('canvas').boundingBox();
      const from = Number(BigInt(ts) - BigInt(rows[0][0])) + 4;
      assert.ok(Math.abs(place.left - box.x - (from / 12) * width) < 1, `the left edge of ${id}`);
      const spot = await page.evaluate(([x, y]) => window.tb.spot(x, y), [place.left - box.x + 2, place.y - box.y]);
      assert.equal(spot?.row, Number(id));
      const before = await page.evaluate(([x, y]) => window.tb.spot(x, y), [place.left - box.x - 8, place.y - box.y]);
      assert.equal(before, null, 'nothing before it');
    }
  }),
};
