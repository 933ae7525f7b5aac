/** Rules of display: slices of many vectors, all arrows of flows, groups of real traces, contexts, the filter of tracks. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { idle } from './browser.mjs';
import { writeContexts, writeCounters, writeFlows, writeLooks, writeManyFlows, writeSched } from './made_traces.mjs';
import { hitEvents, openAll, openTimeline, query, show, state } from './timeline.mjs';
import { openMade } from './track_kinds.mjs';
import { withVectors } from './track_values.mjs';

/** Real traces, outside of the repository. */
const traces = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/data/traces');

/** Vectors with slices or async events of all phases. */
const sliceVectors = [
  'dur_nesting', 'dur_interleaved', 'dur_threads_are_separate', 'dur_self_times', 'dur_thread_times', 'dur_unsorted_input',
  'complete_nesting_from_any_order', 'complete_overlap', 'complete_overlap_three', 'complete_overlap_threads', 'complete_touching',
  'complete_thread_times', 'async_canonical_id', 'async_lanes_nested', 'async_tree', 'async_args_merge', 'async_category_separates',
  'async_overlapping_ids', 'async_user_timing', 'legacy_async_pair', 'legacy_async_steps_mixed', 'flow_across_processes',
  'flow_begin_end_slices', 'flow_v2_chain', 'cname',
];

/** Returns the arrows in the window: rows of flow and, behind them, of flow_violation; whether each contradicts the clocks. */
export const arrowsOf = (page) => page.evaluate(() => {
  const view = window.tb.view();
  const { composer } = window.tb.surface();
  const first = composer.firstTile;
  const found = new Map();
  for (const chunk of view.store.chunks(0xffffffff, 'flows', composer.level)) {
    if (chunk.frame.kind !== 5 || chunk.first + chunk.tiles <= first || chunk.first >= first + composer.tileCount) continue;
    const { frame } = chunk;
    for (let i = 0; i < frame.n; i += 1) if (frame.count[i] === 1) found.set(frame.row[i], { from: String(frame.outTs[i]), to: String(frame.inTs[i]), isViolation: (frame.flowFlags[i] & 1) !== 0 });
  }
  const tile = 512n << BigInt(composer.level);
  return { arrows: [...found], from: String(BigInt(first) * tile), to: String(BigInt(first + composer.tileCount) * tile) };
});

/** Ends the search before, searches, and waits for the hits. */
async function searchFor(page, text) {
  await page.getByTestId('omni').fill('');
  await page.getByTestId('hits').waitFor({ state: 'detached' });
  await page.getByTestId('omni').fill(text);
  await page.getByTestId('hits').filter({ hasText: /\d|no hits/ }).waitFor();
  await idle(page);
}

export const tests = {
  'V1: the middle of each exact event hits its row, 20 vectors': (context) => {
    let [vectors, events] = [0, 0];
    return withVectors(context, sliceVectors, async (page) => {
      const found = await hitEvents(page, 20);
      assert.ok(found.length > 0);
      vectors += 1;
      events += found.length;
    }, 'trace-event-format').then(() => assert.ok(!context.options.tracebraid || (vectors >= 20 && events >= 40), `${events} events of ${vectors} vectors`));
  },

  'V7: arrows are the rows of flow and of flow_violation with an end in view': (context) => openMade(context, writeFlows, async (page) => {
    // An arrow goes from the time of the flow's start to that of its end, within its slices.
    const within = (slice, key) => `CAST(max(${slice}.ts, min(${slice}.ts + ${slice}.dur, extract_arg(f.arg_set_id, '${key}'))) AS TEXT)`;
    const ends = `SELECT o.id, i.id, ${within('o', 'start_ts')}, ${within('i', 'end_ts')}`;
    const flows = await query(page, `${ends} FROM flow f JOIN slice o ON f.slice_out = o.id JOIN slice i ON f.slice_in = i.id ORDER BY f.id`);
    const violations = await query(page, 'SELECT CAST(start_ts AS TEXT), CAST(end_ts AS TEXT) FROM flow_violation ORDER BY id');
    assert.ok(flows.length >= 100 && violations.length >= 20, `${flows.length} flows, ${violations.length} violations`);
    const all = [...flows.map(([, , from, to]) => ({ from, to, isViolation: false })), ...violations.map(([from, to]) => ({ from, to, isViolation: true }))].map((arrow, row) => [row, arrow]);
    const { start, end } = await state(page);
    const span = Number(BigInt(end) - BigInt(start));
    for (let i = 0; i < 12; i += 1) {
      await show(page, BigInt(start) + BigInt(Math.floor((span * (i % 5)) / 6)), Math.floor(span / 2 ** (i / 2)));
      const shown = await arrowsOf(page);
      const isInside = (ts) => BigInt(ts) >= BigInt(shown.from) && BigInt(ts) < BigInt(shown.to);
      const expected = all.filter(([, a]) => isInside(a.from) || isInside(a.to));
      assert.ok(expected.length > 0);
      assert.deepEqual(shown.arrows.filter(([, a]) => isInside(a.from) || isInside(a.to)).sort(([a], [b]) => a - b), expected, `window ${i}`);
    }
    // Arrows of rows that scrolled away are not drawn over the rows that stick.
    await page.evaluate(() => {
      const view = window.tb.view();
      view.lineHeight.value = 27;
      view.fitTrace();
      view.size.value = { ...view.size.value, height: 90 };
      view.scrollTo(60);
    });
    await idle(page);
    const stuck = await page.evaluate(() => {
      const { composer } = window.tb.surface();
      const sticky = composer.placements.slice(0, composer.placementCount).filter((p) => p.isSticky);
      const height = Math.max(0, ...sticky.map((p) => p.y + p.row.height));
      const { data } = document.querySelector('[data-testid=canvas]').getContext('2d').getImageData(0, 0, 400, Math.max(1, Math.floor(height)));
      return { height, drawn: new Uint32Array(data.buffer).filter((p) => p !== 0).length };
    });
    assert.ok(stuck.height > 20, 'a row sticks');
    assert.equal(stuck.drawn, 0, 'nothing is over it');
    // The details of a slice whose flow contradicts the clocks lead to the other end, and say by how much they are off.
    const [[id]] = await query(page, 'SELECT slice_out FROM flow_violation ORDER BY id LIMIT 1');
    await page.evaluate((row) => window.tb.view().select({ kind: 'slice', row }), Number(id));
    const relations = page.getByRole('region', { name: 'Order and flows' });
    await relations.getByText('arrives before it leaves, off by at least 30').waitFor();
    await relations.getByRole('button', { name: /receive/ }).click();
    await page.waitForFunction((row) => window.tb.timeline().selected?.row !== row, Number(id));
    assert.match((await state(page)).selected.name, /receive/);
  }),

  'V5: frequencies of CPUs share an axis at first, other counters have their own': (context) => openMade(context, writeSched, async (page) => {
    const layers = await page.evaluate(() => window.tb.view().rows.value.flatMap((r) => [...r.layers, ...(r.behind ? [r.behind] : [])].filter((l) => l.node.track_type === 'cpu_frequency').map((l) => l.isShared)));
    assert.deepEqual(layers, [true, true, true, true], 'those behind the threads, too');
    const axes = await page.evaluate(() => {
      const { composer } = window.tb.surface();
      const shown = window.tb.view().rows.value.filter((r) => r.node.track_type === 'cpu_frequency').map((r) => r.layers[0]);
      return shown.map((l) => composer.axes.of(l, composer.resolve(l, composer.firstTile, composer.tileCount, 0).drawn[0].chunk.frame));
    });
    const [[most]] = await query(page, "SELECT max(value) FROM counter c JOIN track t ON c.track_id = t.id WHERE t.type = 'cpu_frequency'");
    assert.deepEqual(axes.map((a) => a.high), [Number(most), Number(most)]);
    await page.getByTestId('row').filter({ hasText: /cpufreq/i }).first().click({ button: 'right' });
    await page.getByRole('menuitemradio', { name: 'Axis shared by unit', exact: false, checked: true }).waitFor();
    await page.getByRole('menuitemradio', { name: 'Axis of its own', exact: true }).click();
    const own = await page.evaluate(() => window.tb.view().rows.value.filter((r) => r.node.track_type === 'cpu_frequency').map((r) => r.layers[0].isShared));
    assert.deepEqual(own, [false, true]);
  }),

  'V5: a counter that is no frequency has an axis of its own': (context) => openMade(context, writeCounters, async (page) => {
    const shared = await page.evaluate(() => window.tb.view().rows.value.flatMap((r) => r.layers).filter((l) => l.node.kind === 'counter').map((l) => l.isShared));
    assert.ok(shared.length === 2 && shared.every((s) => !s), String(shared));
  }),

  'TEF 9.11: contexts are listed in the details, and filter slices and tracks': (context) => openMade(context, writeContexts, async (page) => {
    const expected = await query(page, "SELECT DISTINCT s.id FROM slice s JOIN json_slice_context x ON x.slice_id = s.id JOIN json_context c ON c.id = x.context_id WHERE c.type_name = 'Frame' ORDER BY s.id");
    assert.equal(expected.length, 2);
    await page.evaluate(async () => window.tb.view().select({ kind: 'slice', row: (await (await fetch(`/api/v1/traces/${window.tb.view().trace}/queries`, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' }, body: JSON.stringify({ sql: "SELECT id FROM slice WHERE name = 'both'" }) })).json()).sets[0].rows[0][0] }));
    await page.getByTestId('drawer').getByRole('button', { name: 'Frame 0x1' }).click();
    await page.getByTestId('hits').filter({ hasText: /2/ }).waitFor();
    assert.equal(await page.getByTestId('omni').inputValue(), 'context="Frame 0x1"');
    await searchFor(page, 'context=load');
    assert.match(await page.getByTestId('hits').innerText(), /^1\b/);
    await searchFor(page, 'context=nothing');
    assert.match(await page.getByTestId('hits').innerText(), /no hits/);
  }),

  'the filter keeps tracks with a hit, also below a matching parent': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server has the hits of one search only');
    const server = await serve();
    const page = await open();
    await openTimeline(page, server);
    await openAll(page);
    await searchFor(page, 'name=measure');
    const nodes = await page.evaluate(async () => {
      const view = window.tb.view();
      const { hits } = await (await fetch(`/api/v1/traces/${view.trace}/search/${view.searchId.value}/hits?limit=1000`)).json();
      return [...new Set(hits.map((h) => h.node))].sort((a, b) => a - b);
    });
    const drawn = () => page.evaluate(() => [...new Set(window.tb.view().rows.value.flatMap((r) => r.layers.filter((l) => l.mode !== 'summary').map((l) => l.node.node)))]);
    const before = await drawn();
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByLabel('Only tracks with a hit of the search').check();
    await page.waitForFunction(() => window.tb.view().filter.value?.withHits === true);
    await idle(page);
    const after = await drawn();
    assert.ok(after.length < before.length);
    assert.deepEqual(nodes.filter((n) => !after.includes(n)), [], 'each track with a hit is shown');
    // The row of a thread has its states, too.
    const others = await page.evaluate(([kept, hits]) => kept.filter((n) => !hits.includes(n) && !['thread_state', 'slice'].includes(window.tb.view().tree.nodes.get(n).kind)), [after, nodes]);
    assert.deepEqual(others, []);
    const [titles] = await page.evaluate((n) => [window.tb.view().tree.ancestors(window.tb.view().tree.nodes.get(n)).map((a) => a.title)], nodes[0]);
    await page.getByLabel('Filter the tracks').fill(titles.at(-1).split(' ')[0]);
    await idle(page);
    assert.ok((await drawn()).includes(nodes[0]), 'the title of a parent matches');
    await page.getByLabel('Filter the tracks').fill('no such title');
    await idle(page);
    assert.equal((await state(page)).rows, 0);
    await page.getByLabel('Filter the tracks').fill('');
    await page.keyboard.press('Escape');
    await page.getByTestId('omni').fill('');
    await page.getByTestId('omni').press('Escape');
    await idle(page);
    assert.deepEqual((await drawn()).length, before.length, 'without a search all tracks are there');
  },

  'looks: what is not exact looks different from what is': (context) => openMade(context, writeLooks, async (page) => {
    const text = await page.getByTestId('tree').innerText();
    assert.match(text, /no bound/, 'a file that a guess places says so');
    assert.match(await page.locator('footer').innerText(), /\d empty hidden/);
    assert.ok(!text.includes('empty'), 'a process without events is folded');
    await page.locator('footer').getByRole('button', { name: 'show' }).first().click();
    await page.getByTestId('row').filter({ hasText: 'empty' }).first().waitFor();
    await openAll(page);
    /** Returns the place of the first slice with a name, and the colours of its pixels: by column, and of its lowest quarter. */
    const look = (name) => page.evaluate(async (wanted) => {
      const view = window.tb.view();
      const answer = await fetch(`/api/v1/traces/${view.trace}/queries`, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' }, body: JSON.stringify({ sql: `SELECT id FROM slice WHERE name = '${wanted}' ORDER BY ts LIMIT 1` }) });
      const row = Number((await answer.json()).sets[0].rows[0][0]);
      const e = await (await fetch(`/api/v1/traces/${view.trace}/events/slice/${row}`)).json();
      view.revealNode(e.node);
      await window.tb.idle();
      const y = window.tb.surface().places.y(e.node, e.line);
      const x = (ts) => ((Number(BigInt(ts) - view.window.value.from) - view.window.value.part) / view.window.value.span) * view.size.value.width;
      const [left, right] = [Math.round(x(e.ts)), Math.round(x(e.end))];
      const g = document.querySelector('.data canvas').getContext('2d');
      const { data } = g.getImageData(left + 1, Math.round(y) + 5, Math.max(1, right - left - 2), 1);
      return { left, right, y, colours: [...new Uint32Array(data.buffer)] };
    }, name);
    await page.evaluate(() => window.tb.view().show({ from: window.tb.view().bounds.from, to: window.tb.view().bounds.from + 1_100_000_000n }));
    await idle(page);
    const [exact, open] = [await look('exact'), await look('open')];
    assert.equal(new Set(exact.colours).size, 1, 'one event is filled');
    assert.ok(new Set(open.colours).size > 20, 'what did not finish fades');
    assert.ok(new Set(open.colours.slice(0, 10)).size === 1 && open.colours[5] !== open.colours.at(-5), 'to the right');
    const dense = await page.evaluate(([left, y]) => {
      const canvas = document.querySelector('.data canvas');
      const view = window.tb.view();
      const x = left + (300_000_000 / view.window.value.span) * view.size.value.width;
      const spot = window.tb.spot(x + 8, y);
      const { data } = canvas.getContext('2d').getImageData(Math.round(x) + 2, Math.round(y) + 5, 24, 1);
      return { count: spot.count, colours: new Set(new Uint32Array(data.buffer)).size };
    }, [exact.left, exact.y]);
    assert.ok(dense.count > 1 && dense.colours > 1, `several events are hatched: ${JSON.stringify(dense)}`);
    // Names: of a row, by the ellipsis of the page, before its end; of a slice, by one in the label. Both are whole under the pointer.
    const row = page.getByTestId('row').filter({ hasText: 'app with a name' }).first().getByRole('rowheader');
    const cut = await row.evaluate((e) => {
      const head = e.querySelector('.head') ?? e;
      return [head.scrollWidth > head.clientWidth, getComputedStyle(head).textOverflow, e.title];
    });
    assert.deepEqual(cut.slice(0, 2), [true, 'ellipsis']);
    assert.ok(cut[2].includes('has room for'));
    const slice = await look('a very long name of a slice that is not as wide');
    const box = await page.getByTestId('canvas').boundingBox();
    await page.mouse.move(box.x + (slice.left + slice.right) / 2, box.y + slice.y);
    await page.getByTestId('tip').getByText('a very long name of a slice that is not as wide').waitFor();
    // The row of the guess is hatched where nothing is drawn.
    const guessed = await look('guessed').catch(() => null);
    const rows = await page.evaluate(() => window.tb.view().rows.value.filter((r) => r.isGuessed).map((r) => r.node.title));
    assert.ok(guessed && rows.some((title) => title.startsWith('other') || title.includes('worker 70')), String(rows));
  }),

  'looks: labels are not cut by the rows that stick': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    await openAll(page);
    await page.evaluate(() => (window.tb.view().showsFlows.value = false));
    const total = (await state(page)).total;
    let seen = 0;
    for (let y = 60; y < Math.min(total - 700, 700); y += 7) {
      await page.evaluate((to) => window.tb.view().scrollTo(to), y);
      await idle(page);
      const [height, drawn] = await page.evaluate(() => {
        const { composer } = window.tb.surface();
        const sticky = composer.placements.slice(0, composer.placementCount).filter((p) => p.isSticky);
        const bottom = Math.floor(Math.max(0, ...sticky.map((p) => p.y + p.row.height)));
        if (bottom < 2) return [0, 0];
        const canvas = document.querySelector('[data-testid=canvas]');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, bottom - 1);
        return [bottom, new Uint32Array(data.buffer).filter((p) => p !== 0).length];
      });
      if (height > 0) seen += 1;
      assert.equal(drawn, 0, `over the rows that stick, at ${y}`);
    }
    assert.ok(seen > 20, `${seen} places`);
  },

  'looks: many flows that cross are not darker where they do': (context) => openMade(context, writeManyFlows, async (page) => {
    await page.evaluate(() => window.tb.view().fitTrace());
    const pixels = async (isShown) => {
      await page.evaluate((on) => (window.tb.view().showsFlows.value = on), isShown);
      await page.mouse.move(2, 2);
      await idle(page);
      // The largest share of the pixels that nothing else is on, and how many these are.
      return page.evaluate(() => {
        const canvas = document.querySelector('[data-testid=canvas]');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const before = window.__before ?? data;
        window.__before = data;
        let [most, count] = [0, 0];
        for (let i = 3; i < data.length; i += 4) if (before[i] === 0 && data[i] > 0) [most, count] = [Math.max(most, data[i]), count + 1];
        return [most, count];
      });
    };
    await pixels(false);
    const [most, count] = await pixels(true);
    assert.ok(count > 5000, `${count} pixels`);
    assert.ok(most < 60, `at most ${most} of 255`);
  }),

  'looks: the options fit into the smallest window': (context) => openMade(context, writeFlows, async (page) => {
    await page.setViewportSize({ width: 900, height: 600 });
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('group', { name: 'Categories of flows' }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'View' });
    const box = await dialog.boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= 600, JSON.stringify(box));
    await dialog.getByRole('button', { name: 'What the looks mean' }).click();
    await page.getByTestId('legend').waitFor();
  }),

  'V13: groups of the tracks of three real traces': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no traces');
    if (!existsSync(join(traces, 'microsoft-perf-tools'))) skip('the real traces are not there');
    for (const [path, expected] of Object.entries(realGroups)) {
      const page = await open();
      await openTimeline(page, await serve({ files: [join(traces, path)] }));
      await openAll(page);
      const found = await page.evaluate(() => {
        const { tree } = window.tb.view();
        const all = [...tree.nodes.values()].filter((n) => n.type === 'track' && n.track_type && ['counter', 'stacked', 'slice', 'async'].includes(n.kind));
        return [...new Set(all.map((n) => JSON.stringify([n.track_type, tree.ancestors(n).find((a) => a.type === 'group')?.title ?? null])))].map((text) => JSON.parse(text)).filter(([, group]) => group !== null);
      });
      assert.deepEqual(Object.fromEntries(found.sort()), expected, path);
      await page.context().close();
    }
  },
};

/** By trace: the group of each type of tracks that is in a group. */
const realGroups = {
  'microsoft-perf-tools/androidGpu.pftrace': { gpu_counter: 'GPU' },
  'microsoft-perf-tools/test_trace.perfetto-trace': { cpu_frequency: 'CPU', cpu_idle: 'CPU' },
  'google-perfetto/93b86b70-5dd8-b046-b985-7b18ba34939a.pftrace.gz': {
    battery_counter: 'Power', battery_stats: 'Power', entity_state: 'Power', screen_state: 'Power', suspend_resume_minimal: 'Power', network_packets: 'Network',
  },
};
