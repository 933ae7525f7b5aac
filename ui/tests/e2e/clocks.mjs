/** The clock page: its graph and numbers equal the tables; edges open their readings. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idle, openStart } from './browser.mjs';
import { openViewer } from './pages.mjs';
import { makeWorld } from '../mock/world.mjs';
import { writeContradictions, writeJumps } from './made_traces.mjs';
import { mismatches } from './schemas.mjs';
import { startServer } from './server.mjs';
import { openAll, openTimeline, show, state } from './timeline.mjs';
import { inputsOf, openFile } from './vectors.mjs';

/** Opens the clock page of the first trace. */
export async function openClocks(page, server) {
  await openViewer(page, server);
  await page.getByRole('link', { name: 'Clocks', exact: true }).click();
  await page.locator('.clock-node').first().waitFor();
  await idle(page);
}

/** Runs SQL with the page's cookie, and returns the rows. */
const rows = (page, sql, trace = 1) => page.evaluate(async ([text, t]) => {
  const response = await fetch(`/api/v1/traces/${t}/queries`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sql: text }) });
  return (await response.json()).sets[0].rows;
}, [sql, trace]);

/** Compares the clock page of a trace with its tables. */
async function comparePage(page, trace) {
  const sql = (text) => rows(page, text, trace);
  const [[clocks, edges, used, contradictions]] = await sql('SELECT (SELECT count(*) FROM clock), (SELECT count(*) FROM clock_edge), (SELECT count(*) FROM clock_edge WHERE is_used = 1), (SELECT count(*) FROM clock_contradiction)');
  const chips = await page.locator('.page-h .chip').allInnerTexts();
  assert.deepEqual(chips.slice(0, 2), [`${clocks} ${Number(clocks) === 1 ? 'clock' : 'clocks'}`, `${edges} ${Number(edges) === 1 ? 'edge' : 'edges'}, ${used} used`]);
  // The evidence lists each edge with its observations, and those of paths first.
  const listed = await page.locator('.edge-table tbody tr').evaluateAll((all) => all.map((r) => [...r.cells].map((c) => c.innerText.trim())));
  const expected = await sql('SELECT a.label, b.label, e.observations, e.is_used FROM clock_edge e JOIN clock a ON a.id = e.from_clock JOIN clock b ON b.id = e.to_clock ORDER BY e.is_used DESC, e.id');
  assert.deepEqual(listed.map((r) => [r[0], r[2], r[3] !== 'not used']), expected.map(([a, b, n, isUsed]) => [`${a} → ${b}`, String(n), Number(isUsed) === 1]));
  // The edges that are drawn as used are those of the table.
  const drawn = await page.locator('path.edge[data-edges]').evaluateAll((all) => all.map((e) => [e.getAttribute('data-edges').split(' '), !e.classList.contains('unused')]));
  const isUsed = new Map((await sql('SELECT id, is_used FROM clock_edge')).map(([id, flag]) => [String(id), Number(flag) === 1]));
  for (const [ids, isDrawn] of drawn) assert.equal(isDrawn, ids.some((id) => isUsed.get(id)), `edges ${ids}`);
  assert.deepEqual(new Set(drawn.filter(([, isDrawn]) => isDrawn).flatMap(([ids]) => ids.filter((id) => isUsed.get(id)))), new Set([...isUsed].filter(([, flag]) => flag).map(([id]) => id)));
  // Each file's path is that of placement.
  const files = await page.getByLabel('Path of').locator('option').evaluateAll((all) => all.map((o) => o.value));
  const paths = new Set();
  for (const value of files) {
    await page.getByLabel('Path of').selectOption(value);
    await idle(page);
    paths.add((await page.locator('.clock-path li > .strong').allInnerTexts()).join(' > '));
  }
  const placed = await sql("SELECT DISTINCT p.path FROM placement p WHERE p.path IS NOT NULL AND p.placed > 0");
  for (const path of paths) if (path.includes(' > ')) assert.ok(placed.some(([p]) => p === path), `${path} is no path of ${JSON.stringify(placed)}`);
  // Contradictions have both distances.
  const region = page.getByRole('region', { name: 'Contradictions' });
  assert.equal(await region.getByText(/disagree by/).count(), Number(contradictions));
  const texts = await region.getByText(/disagree by/).allInnerTexts();
  const found = await sql('SELECT a.label, b.label FROM clock_contradiction c JOIN clock a ON a.id = c.clock_a JOIN clock b ON b.id = c.clock_b');
  for (const [a, b] of found) assert.ok(texts.some((text) => text.startsWith(`${a} and ${b} disagree`)), `${a} and ${b}: ${texts}`);
  return { edges: Number(edges), unused: Number(edges) - Number(used), contradictions: Number(contradictions), hops: Math.max(0, ...[...paths].map((p) => p.split(' > ').length - 1)) };
}

/** Writes a trace with contradictions into a folder that ends with the process. Returns its path. */
function contradictions() {
  const folder = mkdtempSync(join(tmpdir(), 'tracebraid-contradictions-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return writeContradictions(folder);
}

/** Returns the length of time that a text of the page says, ns. */
const nsOf = (text) => {
  const [, value, unit] = /^([\d.]+) (ns|µs|ms|s)$/.exec(text) ?? [];
  if (value) return Number(value) * { ns: 1, 'µs': 1e3, ms: 1e6, s: 1e9 }[unit];
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(text);
  return (Number(minutes) * 60 + Number(seconds)) * 1e9;
};

export const tests = {
  'clock_page: numbers and edges equal the tables': async ({ serve, page: open, options }) => {
    const server = await serve();
    const page = await open({ width: 1440, height: 900 });
    await openClocks(page, server);
    // The first path is that of the clock with the most hops.
    assert.deepEqual((await page.locator('.clock-path li > .strong').allInnerTexts()).slice(1), ['BOOTTIME of watch', 'REALTIME of watch', 'REALTIME of phone', 'BOOTTIME of phone']);
    assert.ok((await page.locator('.clock-node.lit').count()) === 5);
    assert.match(await page.getByRole('button', { name: 'REALTIME of watch to REALTIME of phone' }).innerText(), /±10 ms/);
    if (options.tracebraid) await comparePage(page, 1); // the mock server knows few statements
  },

  'clock_page: numbers and edges equal the tables of four vectors': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no traces');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-vectors-'));
    try {
      const all = inputsOf(folder, 'clocks-and-merging');
      const server = await serve({ files: [], args: ['--root', folder] });
      const page = await open({ width: 1440, height: 900 });
      await openStart(page, server);
      const seen = [];
      for (const name of ['contradiction_reported', 'rendezvous_three_machines', 'seven_hops', 'remote_sync_two_clocks']) {
        const path = all.find((p) => p.split('/')[1] === name);
        assert.ok(path, name);
        const trace = await openFile(page, path);
        assert.ok(trace, name);
        await page.evaluate((id) => (location.hash = `#/t/${id}/clocks`), trace);
        await page.locator('.clock-node').first().waitFor();
        await idle(page);
        seen.push(await comparePage(page, trace));
      }
      // Together they show all that the page has.
      assert.ok(seen.every((s) => s.edges > 0));
      for (const member of ['unused', 'contradictions']) assert.ok(seen.some((s) => s[member] > 0), member);
      assert.ok(seen.some((s) => s.hops >= 7));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  'clocks: the mock server answers in the shapes of the real one': async ({ serve, skip }) => {
    const real = await serve();
    if (!real.isReal) skip('the mock server has no document');
    const { paths } = await (await fetch(new URL('/api/openapi.json', real.address))).json();
    const mock = await startServer({ isTroubled: true });
    try {
      const request = async (server, method, path, body) => {
        const headers = { cookie: `tb=${mock.token}`, 'content-type': 'application/json' };
        return (await fetch(new URL(`/api/v1${path}`, server.address), { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })).json();
      };
      // The first and the last slice are on different machines.
      const event = (row) => ({ kind: 'slice', row });
      const last = makeWorld({}).rows.slice.length - 1;
      for (const [method, route, path, body] of [
        ['get', '/traces/{t}/clocks', '/traces/1/clocks?limit=20000'],
        ['get', '/traces/{t}/clocks/edges', '/traces/1/clocks/edges?limit=20000'],
        ['get', '/traces/{t}/clocks/contradictions', '/traces/1/clocks/contradictions'],
        ['get', '/traces/{t}/clocks/edges/{e}/observations', '/traces/1/clocks/edges/0/observations'],
        ['post', '/traces/{t}/order', '/traces/1/order', { a: event(0), b: event(last) }],
        ['post', '/traces/{t}/convert', '/traces/1/convert', { event: event(0) }],
      ]) {
        const [document] = [`/api/v1${route}`, route].filter((key) => key in paths);
        const { schema } = paths[document][method].responses['200'].content['application/json'];
        const answer = await request(mock, method.toUpperCase(), path, body);
        assert.deepEqual(mismatches(answer, schema), [], route);
        const [list] = Object.values(answer).filter(Array.isArray);
        assert.ok(list.length > 0, `${route}: no rows to compare`);
      }
    } finally {
      await mock.stop();
    }
  },

  'clocks: an edge shows its readings, by keyboard too': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open({ width: 1440, height: 900 });
    await openClocks(page, server);
    await page.getByRole('button', { name: 'BOOTTIME of watch to REALTIME of watch' }).focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'Edge', exact: true });
    await panel.locator('.fit').waitFor();
    assert.match(await panel.innerText(), /clock snapshots[\s\S]*-?\d+\.\d+ ppm/);
    assert.equal(await panel.locator('tbody tr').count(), 14);
    assert.match(await panel.getByRole('img').getAttribute('aria-label'), /14 observations, all within the bound/);
    await panel.getByRole('tab', { name: 'Offset' }).click();
    assert.match(await panel.getByRole('img').getAttribute('aria-label'), /Change of the offset/);
    await panel.getByRole('button', { name: 'Close the edge' }).click();
    await page.getByLabel('Path of').selectOption({ label: await page.getByLabel('Path of').locator('option', { hasText: 'app.json' }).innerText() });
    assert.deepEqual(await page.locator('.clock-path li > .strong').allInnerTexts(), ['own timeline of app.json', 'BOOTTIME of phone']);
    assert.match(await page.locator('.clock-path').innerText(), /manifest[\s\S]*stated/);
  },

  'clocks: what if evidence is switched off': async ({ serve, page: open, options }) => {
    const server = await serve();
    const page = await open({ width: 1440, height: 900 });
    await openClocks(page, server);
    await page.getByRole('button', { name: 'What if' }).click();
    const panel = page.getByRole('region', { name: 'What if' });
    const placed = () => page.waitForFunction(() => document.querySelector('.what-if')?.getAttribute('aria-busy') === 'false', undefined, { timeout: 30_000 });
    await placed();
    const watch = panel.getByRole('row', { name: /watch\.pftrace/ });
    assert.match(await watch.innerText(), /±10\.00\d ms/);
    const use = page.getByRole('checkbox', { name: 'Use REALTIME of watch to REALTIME of phone' }).or(page.getByRole('checkbox', { name: 'Use REALTIME of phone to REALTIME of watch' }));
    await use.uncheck();
    await panel.getByText(/Without 1 edge/).waitFor();
    await placed();
    assert.match(await watch.innerText(), /guess[\s\S]*no bound/);
    assert.match(await panel.getByRole('status').last().innerText(), /by a guess/);
    assert.match(await panel.locator('.new-paths').innerText(), /watch\.pftrace/);
    assert.equal(await page.locator('.edge.off').count(), 1);
    if (options.tracebraid) {
      // The numbers are those of the server's report of the same edges, and the trace has not changed.
      const [report, trace] = await page.evaluate(async () => {
        const path = performance.getEntriesByType('resource').map((r) => new URL(r.name).pathname).filter((p) => /\/drafts\/\d+\/report$/.test(p)).at(-1);
        return Promise.all([path, '/api/v1/traces/1/report'].map(async (p) => (await fetch(p)).json()));
      });
      assert.equal(report.without.length, 1);
      assert.deepEqual(new Set([report.without[0].from, report.without[0].to]), new Set(['REALTIME of watch', 'REALTIME of phone']));
      assert.deepEqual([...new Set(report.placements.filter((p) => p.machine === 'watch').map((p) => p.rule))], ['guessed']);
      assert.deepEqual([...new Set(trace.placements.filter((p) => p.machine === 'watch').map((p) => p.rule))], ['rendezvous']);
    }
    await panel.getByRole('button', { name: /Switch on: REALTIME/ }).click();
    await panel.getByText(/Switch evidence off/).waitFor();
    await placed();
    assert.match(await watch.innerText(), /±10\.00\d ms/);
    assert.equal(await page.locator('.edge.off').count(), 0);
    await page.getByRole('button', { name: 'What if' }).click();
    assert.equal(await panel.count(), 0);
    await page.getByRole('region', { name: 'Path' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Fix in Merge' }).count(), 1);
  },

  'clocks: the timeline says what clocks show, and when an order is not certain': async ({ serve, page: open, options }) => {
    const server = await serve();
    const page = await open({ width: 1440, height: 900 });
    await openTimeline(page, server);
    await openAll(page);
    const strip = page.getByTestId('order-strip');
    const { start } = await state(page);
    // Rows of both machines come into sight.
    await page.evaluate(() => {
      const view = window.tb.view();
      const first = view.rows.value.find((r) => r.node.type === 'machine' && r.node.title === 'watch');
      view.scroll.value = Math.max(0, first.top - view.size.value.height / 2);
    });
    await show(page, start, 1e9);
    assert.equal(await strip.count(), 0);
    await show(page, start, 5e6);
    await strip.waitFor();
    assert.match(await strip.innerText(), /^At this zoom the order of events of phone and watch is not certain \(±10(\.\d+)? ms\)$/);
    await show(page, start, 40.2e6); // four bounds
    await strip.waitFor({ state: 'detached' });
    const [event] = await rows(page, 'SELECT id FROM slice ORDER BY id LIMIT 1 OFFSET 3');
    await page.evaluate((row) => window.tb.view().select({ kind: 'slice', row: Number(row) }), event[0]);
    const clocks = page.locator('.event-clocks');
    await clocks.waitFor();
    await idle(page);
    assert.match(await clocks.innerText(), /(its own|may be its) clock[\s\S]*REALTIME of phone\s+2026-11-20 [\d:.]+[^\n]*\s+±[12](\.\d+)? µs[\s\S]*REALTIME of watch\s+2026-11-20/);
    if (!options.tracebraid) return;
    const [[expected]] = await rows(page, `SELECT max(clock_error(ts, NULL, NULL, 'REALTIME', 'watch')) FROM slice WHERE id = ${event[0]}`);
    assert.ok(Number(expected) > 0);
  },

  'clocks: the axis shows a clock of a machine, and a saved view keeps it': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server converts no times');
    const page = await open({ width: 1440, height: 900 });
    await openTimeline(page, await serve());
    const { start } = await state(page);
    const shownClock = () => page.evaluate(() => {
      const { clock } = window.tb.view();
      return clock.value && { ...clock.value, offset: String(clock.value.offset), bound: String(clock.value.bound) };
    });
    const choose = async (label) => {
      await page.getByRole('button', { name: 'View', exact: true }).click();
      await page.getByLabel('Clock of the axis').selectOption({ label });
      await page.keyboard.press('Escape');
    };
    for (const [name, machine] of [['REALTIME', 'watch'], ['BOOTTIME', 'watch'], ['REALTIME', 'phone']]) {
      await choose(`${name} of ${machine}`);
      await page.waitForFunction((label) => window.tb.view().clock.value?.label === label, `${name} of ${machine}`);
      // In the middle of the window the axis has what SQL converts.
      const { clock, middle } = await page.evaluate(() => {
        const view = window.tb.view();
        const { from, span } = view.settledWindow.value;
        return { clock: { offset: String(view.clock.value.offset), isWall: view.clock.value.isWall }, middle: String(from + BigInt(Math.round(span / 2))) };
      });
      const [[reading]] = await rows(page, `SELECT CAST(clock_convert(${middle}, NULL, NULL, '${name}', '${machine}') AS TEXT)`);
      assert.equal(BigInt(clock.offset) + BigInt(middle), BigInt(reading));
      assert.equal(clock.isWall, name === 'REALTIME');
      assert.match(await page.locator('.axis').first().innerText(), new RegExp(`${name} of ${machine}`));
    }
    await choose('BOOTTIME of watch');
    await page.waitForFunction(() => window.tb.view().clock.value?.label === 'BOOTTIME of watch');
    const before = await shownClock();
    await show(page, BigInt(start) + 500_000_000n, 1e6);
    await page.waitForFunction((offset) => String(window.tb.view().clock.value?.offset) !== offset, before.offset); // it drifts
    assert.ok((await page.evaluate(() => window.tb.state())).formats.clock === 'BOOTTIME of watch');
    await choose('None');
    await page.waitForFunction(() => window.tb.view().clock.value === null);
  },

  'order_truth: two events on timeline and clock page have the numbers of the engine': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open({ width: 1440, height: 900 });
    await openTimeline(page, server);
    await openAll(page);
    // The first slices of each machine, by place.
    const events = await page.evaluate(async () => {
      const view = window.tb.view();
      const found = {};
      for (const node of view.tree.nodes.values()) {
        if (node.kind !== 'slice' || node.first_ts === null || (found[node.machine_id] ?? []).length > 3) continue;
        const response = await fetch(`/api/v1/traces/${view.trace}/hit`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ track: node.node, line: 0, ts: node.first_ts, radius: '1000000000' }) });
        const { hit } = await response.json();
        if (hit) (found[node.machine_id] ??= []).push(hit);
      }
      return Object.values(found);
    });
    assert.ok(events.length >= 2, 'events of two machines');
    const pairs = events[0].slice(0, 3).flatMap((a) => events[1].slice(0, 3).map((b) => [a, b])).concat([[events[0][0], events[0][1]]]);
    const seen = new Set();
    for (const [a, b] of pairs) {
      await page.evaluate(async ([first, second]) => {
        const view = window.tb.view();
        view.order.start(null);
        await view.select(first);
        view.order.start(view.selection.value);
        await view.select(second);
      }, [a, b]);
      await page.waitForFunction(() => window.tb.view().order.found.value !== null);
      const found = await page.evaluate(() => window.tb.view().order.found.value);
      if (server.isReal) {
        // What the page compares is what SQL compares, and the path leads over rows of clock_edge.
        const [[text]] = await rows(page, `SELECT event_order('slice', ${a.row}, 'slice', ${b.row})`);
        const sql = JSON.parse(text);
        assert.deepEqual([sql.order, sql.reason, sql.gap_ns, sql.bound_ns], [found.order, found.reason, found.gap_ns === null ? null : Number(found.gap_ns), found.bound_ns === null ? null : Number(found.bound_ns)]);
        if (found.path.length > 0) assert.deepEqual([found.path[0].label, found.path.at(-1).label], [found.a.clock, found.b.clock]);
        for (const [i, step] of found.path.slice(0, -1).entries()) {
          const [[from, to, source, bound]] = await rows(page, `SELECT from_clock, to_clock, source, CAST(uncertainty_ns AS TEXT) FROM clock_edge WHERE id = ${step.edge}`);
          assert.deepEqual(new Set([Number(from), Number(to)]), new Set([step.clock, found.path[i + 1].clock]));
          assert.deepEqual([source, bound], [step.source, step.bound_ns]);
        }
      }
      const panel = page.getByRole('region', { name: 'Order of two events' });
      const said = await panel.getByRole('status').innerText();
      const [gap, bound] = [Number(found.gap_ns), Number(found.bound_ns)];
      const expected = gap > bound ? /^A precedes B: certain, / : gap < -bound ? /^B precedes A: certain, / : found.order === 'same' ? /^The same reading/ : /^The order is not certain\. B is between /;
      if (found.reason !== 'flow') assert.match(said, expected, JSON.stringify(found));
      if (found.path.some((step) => step.source === 'wall_clock') && found.reason === 'bounds') assert.match(said, /By the path over wall-clock time, ±10(\.\d+)? ms\./);
      seen.add(found.order);
      // The clock page says the same, and its picture has the range.
      await page.getByRole('link', { name: 'Clocks', exact: true }).click();
      const order = page.locator('.order-panel');
      await order.getByText(said.split('. ')[0]).waitFor();
      assert.equal((await order.locator('.order-words').innerText()).replace(/\s+/g, ' '), said.replace(/\s+/g, ' '));
      if (found.gap_ns !== null) assert.equal(await order.getByRole('img').getAttribute('aria-label'), said.replace(/\s+/g, ' '));
      assert.equal(await order.locator('.order-path li').count(), found.path.length);
      if (server.isReal && found.path.length > 1) {
        const [step] = found.path;
        await order.locator('.order-path button').first().click();
        assert.match(await page.getByRole('region', { name: 'Edge', exact: true }).innerText(), new RegExp(step.label));
      }
      await page.getByRole('link', { name: 'Timeline', exact: true }).click();
      await page.getByTestId('canvas').waitFor();
      await idle(page);
    }
    assert.ok(seen.size >= 2, `orders: ${[...seen]}`);
  },

  'clocks: the contradictions of a real trace have numbers, both paths, readings and their moment': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no traces');
    const server = await serve({ files: [contradictions()] });
    const page = await open({ width: 1440, height: 900 });
    await openClocks(page, server);
    const found = await rows(page, `SELECT a.label, b.label, c.apart_ns, c.bound_ns, c.path_a, c.path_b, c.observations, CAST(c.reading_a AS TEXT), a.name FROM clock_contradiction c
      JOIN clock a ON a.id = c.clock_a JOIN clock b ON b.id = c.clock_b ORDER BY c.apart_ns - c.bound_ns DESC, c.id`);
    assert.ok(found.length >= 2, `${found.length} contradictions`);
    const region = page.getByRole('region', { name: 'Contradictions' });
    const items = region.locator('li');
    assert.equal(await items.count(), found.length);
    for (const [i, [a, b, apart, bound, pathA, pathB, observations]] of found.entries()) {
      const text = await items.nth(i).innerText();
      assert.ok(text.startsWith(`${a} and ${b} disagree by `), text);
      const [, said, allowed] = /disagree by (.+); their bounds allow (.+)\./.exec(text);
      for (const [words, ns] of [[said, apart], [allowed, bound]]) assert.ok(Math.abs(nsOf(words) - Number(ns)) <= Math.max(1, Number(ns) * 1e-3), `${words} is not ${ns} ns`);
      assert.ok(text.includes(pathA) && text.includes(pathB), `${text} has not ${pathA} and ${pathB}`);
      assert.match(text, new RegExp(`${observations} moment`));
    }
    // The edge shows the readings that are outside of the bound, and where the file has them.
    await items.first().getByRole('button', { name: 'Show' }).click();
    const panel = page.getByRole('region', { name: 'Edge', exact: true });
    await panel.locator('tbody tr').first().waitFor();
    assert.match(await panel.innerText(), /no, another path is better/);
    const edge = await page.evaluate(() => performance.getEntriesByType('resource').map((r) => /edges\/(\d+)\/observations/.exec(r.name)?.[1]).filter(Boolean).at(-1));
    const readings = await page.evaluate(async (id) => (await fetch(`/api/v1/traces/1/clocks/edges/${id}/observations`)).json(), edge);
    assert.equal(await panel.locator('tbody tr').count(), readings.observations.length);
    assert.equal(readings.model, 'paths');
    const ofMap = new Map(readings.curve.map((p) => [p.from, BigInt(p.bound_ns)]));
    const size = (text) => (BigInt(text) < 0n ? -BigInt(text) : BigInt(text));
    const outside = readings.observations.filter((r) => size(r.residual_ns) > BigInt(r.bound_ns) + ofMap.get(r.from));
    assert.equal(outside.length, Number(found[0][6]), 'as many as contradict');
    assert.equal(await panel.locator('.fit circle.outside').count(), outside.length);
    assert.equal(await panel.locator('.fit path.band').count(), 1);
    assert.equal(await panel.locator('tr.sel').count(), outside.length);
    assert.equal(Math.max(...outside.map((r) => Number(size(r.residual_ns)))), Number(found[0][2]));
    // Jump opens the timeline around the time that the engine gives for the reading, with a mark.
    const [, , , , , , , reading, clock] = found[0];
    const [[ts]] = await rows(page, `SELECT CAST(clock_convert(${reading}, '${clock}', NULL, NULL, NULL) AS TEXT)`);
    await items.first().getByRole('button', { name: 'Jump' }).click();
    await page.getByTestId('canvas').waitFor();
    await idle(page);
    const now = await state(page);
    assert.deepEqual(now.marks.map((m) => m.ts), [ts]);
    assert.ok(BigInt(now.from) <= BigInt(ts) && BigInt(ts) <= BigInt(now.from) + BigInt(Math.ceil(now.span)));
  },

  'clocks: what if the evidence that contradicts is switched off': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no traces');
    const server = await serve({ files: [contradictions()] });
    const page = await open({ width: 1440, height: 900 });
    await openClocks(page, server);
    const placed = () => page.waitForFunction(() => document.querySelector('.what-if')?.getAttribute('aria-busy') === 'false', undefined, { timeout: 30_000 });
    await page.getByRole('button', { name: 'What if' }).click();
    await placed();
    // An edge of a path: what stands on it moves, and the panel has the numbers of the server's report.
    const [used] = await rows(page, `SELECT a.label, b.label FROM clock_edge e JOIN clock a ON a.id = e.from_clock JOIN clock b ON b.id = e.to_clock JOIN placement p ON p.clock_id IN (e.from_clock, e.to_clock)
      WHERE e.is_used = 1 AND p.rule NOT IN ('is_timeline', 'raw') ORDER BY e.id LIMIT 1`);
    assert.ok(used, 'a used edge');
    await page.getByRole('checkbox', { name: `Use ${used[0]} to ${used[1]}`, exact: true }).first().uncheck();
    await page.getByText(/Without 1 edge/).waitFor();
    await placed();
    const [report, trace] = await page.evaluate(async () => {
      const path = performance.getEntriesByType('resource').map((r) => new URL(r.name).pathname).filter((p) => /\/drafts\/\d+\/report$/.test(p)).at(-1);
      return Promise.all([path, '/api/v1/traces/1/report'].map(async (p) => (await fetch(p)).json()));
    });
    assert.deepEqual(report.without.map((e) => [e.from, e.to]), [used]);
    const paths = (r) => r.placements.map((p) => p.path);
    assert.notDeepEqual(paths(report), paths(trace), 'a path changed');
    assert.ok(await page.locator('.edge.off').count() >= 1);
    const changed = report.placements.filter((p, i) => p.path !== trace.placements[i].path);
    assert.ok(changed.length > 0);
    // Switched on again, all is as it was.
    await page.getByRole('button', { name: /^Switch on: / }).first().click();
    await page.getByText(/Switch evidence off/).waitFor();
    await placed();
    assert.equal(await page.locator('.edge.off').count(), 0);
  },

  'clocks: steps, suspends and set-backs are marked between the readings that show them': async ({ serve, page: open, options, skip }) => {
    if (!options.tracebraid) skip('the mock server reads no traces');
    const folder = mkdtempSync(join(tmpdir(), 'tracebraid-jumps-'));
    try {
      const page = await open({ width: 1440, height: 900 });
      await openClocks(page, await serve({ files: [writeJumps(folder)] }));
      const panel = page.getByRole('region', { name: 'Edge', exact: true });
      /** Returns what the plot marks and what the table notes, for an edge between two clocks. */
      const marked = async (edge) => {
        if (await panel.isVisible()) await page.getByRole('button', { name: 'Close the edge' }).click();
        await page.locator('.edge-table tbody tr').filter({ hasText: edge }).getByRole('button').first().click();
        await panel.locator('.fit').waitFor();
        await idle(page);
        const marks = await panel.locator('.fit .jump').evaluateAll((all) => all.map((m) => m.querySelector('title').textContent));
        const notes = await panel.locator('tbody tr').evaluateAll((all) => all.map((r, i) => [i, r.cells[1].textContent]).filter(([, note]) => /step|suspend|back/.test(note)));
        const legend = await panel.locator('.plot-legend').innerText();
        for (const mark of marks) assert.ok(legend.includes(mark), legend);
        return { marks, notes, label: await panel.locator('.fit').getAttribute('aria-label') };
      };
      const slept = await marked(/BOOTTIME of host . MONOTONIC of host/);
      assert.deepEqual(slept.marks, ['suspend']);
      assert.deepEqual(slept.notes, [[4, 'suspend −8 s']]);
      assert.match(slept.label, /, 1 suspend$/);
      const wall = await marked(/BOOTTIME of host . REALTIME of host/);
      assert.deepEqual(wall.marks, ['step', 'set back']);
      assert.deepEqual(wall.notes, [[6, 'step +500 ms'], [9, 'set back −2 s']]);
      // The mark spans the time between the readings before and after.
      const [mark, before, after] = await panel.locator('.fit').evaluate((svg) => {
        const box = (e) => e.getBoundingClientRect();
        const points = [...svg.querySelectorAll('circle')].map((c) => box(c).x + box(c).width / 2);
        const { x, width } = box(svg.querySelector('.jump.step'));
        return [[x, x + width], points[5], points[6]];
      });
      assert.ok(Math.abs(mark[0] - before) < 1 && Math.abs(mark[1] - after) < 1, JSON.stringify([mark, before, after]));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  'clocks: a contradiction leads to the reading that is outside of its bound': async ({ serve, page: open, skip }) => {
    const server = await serve({ isTroubled: true });
    if (server.isReal) skip('the examples have no contradiction');
    const page = await open({ width: 1440, height: 900 });
    await openClocks(page, server);
    const region = page.getByRole('region', { name: 'Contradictions' });
    assert.match(await region.innerText(), /disagree by 18\.4 µs; their bounds allow 3\.1 µs[\s\S]*7 of 19 flows end before they start/);
    assert.match(await page.getByRole('button', { name: /rank5.json to BOOTTIME/ }).innerText(), /guessed/);
    await region.getByRole('button', { name: 'Show' }).first().click();
    await page.locator('.fit circle.outside').waitFor();
    assert.equal(await page.locator('.edge-panel tr.sel').innerText().then((t) => t.includes('outside')), true);
  },
};
