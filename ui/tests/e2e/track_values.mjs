/** What is drawn equals the answers of SQL at many points: counters, scheduling, states; and where tracks are in the tree. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idle, openStart } from './browser.mjs';
import { writeContexts, writeCounters, writeIdle, writeSched } from './made_traces.mjs';
import { openAll, query, show, state } from './timeline.mjs';
import { openMade, xAt } from './track_kinds.mjs';
import { closeTrace, inputsOf, openFile } from './vectors.mjs';

/** Returns the rows of the tracks of a kind: their nodes, rows of `track`, CPU or thread, and their first layers. */
const rowsOfKind = (page, kind) => page.evaluate((wanted) => window.tb.view().rows.value.flatMap((row) => row.layers.filter((l) => l.node.kind === wanted && l.mode !== 'summary').map(({ node }) => ({
  key: row.key, node: node.node, tracks: node.tracks, track_id: node.tracks[0], ucpu: node.ucpu, utid: node.utid, title: node.title, from: node.first_ts, to: node.last_ts,
}))), kind);

/** Returns what is at `count` places of a row in the window of the moment. */
const spotsOf = (page, node, count) => page.evaluate(([of, n]) => {
  const view = window.tb.view();
  const { width } = view.size.value;
  const y = window.tb.surface().places.y(of, 0);
  return Array.from({ length: n }, (_, i) => ((i + 0.5) * width) / n).map((x) => {
    const spot = window.tb.spot(x, y);
    return { x, ts: view.timeAt(x).toString(), spot };
  });
}, [node, count]);

/** Windows of a row by turns: the whole, then ever shorter ones at other places. */
async function* windowsOf(page, row, count) {
  const [from, span] = [BigInt(row.from), Number(BigInt(row.to) - BigInt(row.from))];
  for (let i = 0; i < count; i += 1) {
    const length = span / 1.7 ** (i % 12);
    await page.evaluate((node) => window.tb.view().revealNode(node), row.node);
    await show(page, from + BigInt(Math.floor((span - length) * ((i * 0.37) % 1))), length);
    yield length;
  }
}

/** Returns the last of the rows, sorted by time, at or before a time. */
function lastAt(rows, ts) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].ts <= ts) low = middle + 1;
    else high = middle;
  }
  return rows[low - 1];
}

const wanted = (options) => (options.isQuick ? 200 : 1000);

/** Compares scheduling or states of all rows with the table at many points. */
async function compareRuns(page, kind, table, owner, points) {
  const all = (await query(page, `SELECT id, CAST(ts AS TEXT), CAST(dur AS TEXT), ${owner} FROM ${table} ORDER BY ts, id`)).map(([id, ts, dur, of]) => ({ id: Number(id), ts: BigInt(ts), dur: BigInt(dur), of: Number(of) }));
  const rows = await rowsOfKind(page, kind);
  assert.ok(rows.length > 0, `no ${kind}`);
  let checked = 0;
  for (let round = 0; checked < points; round += 1) {
    assert.ok(round < 60, `${checked} points are exact`);
    const row = rows[round % rows.length];
    const own = all.filter((e) => e.of === row[owner]);
    for await (const span of windowsOf(page, row, 4)) {
      const { width } = await state(page);
      for (const { ts, spot, x } of await spotsOf(page, row.node, 60)) {
        const time = BigInt(ts);
        const expected = lastAt(own, time);
        const px = (ns) => (Number(ns) / span) * width;
        const isInside = expected && expected.dur >= 0n && px(time - expected.ts) > 1 && px(expected.ts + expected.dur - time) > 1;
        if (!isInside) continue;
        assert.ok(spot, `nothing at ${ts} of ${row.title}, x ${x}, where row ${expected.id} is`);
        if (spot.count > 1) continue;
        assert.equal(spot.row, expected.id, `at ${ts} of ${row.title}`);
        checked += 1;
      }
    }
  }
  return checked;
}

/** Opens vectors of an area one after another; `each` gets the page and the name of the vector. */
export async function withVectors({ serve, page: open, options, skip }, names, each, area = 'perfetto-proto') {
  if (!options.tracebraid) skip('the mock server reads no traces');
  const folder = mkdtempSync(join(tmpdir(), 'tracebraid-values-'));
  try {
    const paths = inputsOf(folder, area);
    const server = await serve({ files: [], args: ['--root', folder] });
    const page = await open();
    await openStart(page, server);
    for (const name of names) {
      const path = paths.find((p) => p.split('/')[1] === name);
      assert.ok(path, `there is no vector ${name}`);
      const trace = await openFile(page, path);
      assert.ok(trace, `${name} is not opened`);
      await page.evaluate((id) => (location.hash = `#/t/${id}/timeline`), trace);
      await page.waitForFunction((id) => window.tb.view()?.trace === id && window.tb.view().phase.value !== 'loading', trace);
      await openAll(page);
      await each(page, name);
      await closeTrace(page, trace);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The group in which a type of tracks is; null if its tracks are below a process. */
const groups = {
  cpu_frequency: 'CPU', cpu_idle: 'CPU', cpu_max_frequency_limit: 'CPU', cpu_min_frequency_limit: 'CPU', cpu_frequency_throttle: 'CPU', gpu_frequency: 'GPU', gpu_memory: 'GPU', process_gpu_memory: null,
  gpu_render_stage: 'GPU', gpu_counter: 'GPU', power_rails: 'Power', battery_counter: 'Power', network_packets: 'Network', net_receive: 'Network', net_transmit: 'Network',
  net_kfree_skb: 'Network', net_socket_set_state: 'Network', net_tcp_retransmit_skb: 'Network', cpu_napi_gro: 'CPU',
};

export const tests = {
  'V3: the values under the pointer are those of SQL at 1,000 times': (context) => openMade(context, writeCounters, async (page) => {
    const [row] = await rowsOfKind(page, 'counter');
    const all = (await query(page, `SELECT CAST(ts AS TEXT), value FROM counter WHERE track_id = ${row.tracks[0]} ORDER BY ts, id`)).map(([ts, value]) => ({ ts: BigInt(ts), value: Number(value) }));
    let [checked, dense] = [0, 0];
    for (let round = 0; checked < wanted(context.options); round += 1) {
      assert.ok(round < 20, `${checked} values are exact`);
      for await (const _ of windowsOf(page, row, 12)) {
        const bucket = 2n ** BigInt((await state(page)).level);
        for (const { ts, spot } of await spotsOf(page, row.node, 60)) {
          const time = BigInt(ts);
          const expected = lastAt(all, time);
          if (!expected) continue;
          const from = (time / bucket) * bucket;
          const inBucket = all.filter((e) => e.ts >= from && e.ts < from + bucket);
          if (inBucket.length > 0 && (spot.count > 1 || inBucket.at(-1).ts > time)) {
            assert.equal(spot.value, inBucket.at(-1).value, `the last value around ${ts}`);
            dense += 1;
            continue;
          }
          assert.equal(spot.value, expected.value, `at ${ts}`);
          checked += 1;
        }
      }
    }
    assert.ok(dense > 0, 'buckets of several values are checked, too');
  }),

  'V3: a counter has an axis of its own or of its unit, and a logarithmic one': (context) => openMade(context, writeCounters, async (page) => {
    const [row] = await rowsOfKind(page, 'counter');
    const axis = () => page.evaluate((key) => {
      const layer = window.tb.view().rows.value.find((r) => r.key === key).layers[0];
      const { composer } = window.tb.surface();
      const chunk = composer.resolve(layer, composer.firstTile, composer.tileCount, 0).drawn[0].chunk;
      return composer.axes.of(layer, chunk.frame);
    }, row.key);
    const choose = async (label) => {
      await page.getByTestId('row').filter({ hasText: 'load' }).first().click({ button: 'right' });
      await page.getByTestId('menu').getByRole('menuitemradio', { name: label, exact: true }).or(page.getByTestId('menu').getByRole('menuitemradio', { name: `✓ ${label}`, exact: true })).click();
      await idle(page);
    };
    const [[low, high]] = await query(page, `SELECT min(value), max(value) FROM counter WHERE track_id = ${row.tracks[0]}`);
    const own = await axis();
    assert.deepEqual(own, { low: Number(low), high: Number(high), isLog: false });
    await choose('Axis of its own, logarithmic');
    assert.deepEqual(await axis(), { ...own, isLog: true });
    const rows = await rowsOfKind(page, 'counter');
    await page.evaluate((key) => window.tb.view().setStyle(key, { isShared: true }), rows[1].key);
    await choose('Axis shared by unit');
    assert.deepEqual(await axis(), own, 'the other counter is smaller');
    const others = await page.evaluate((key) => {
      const layer = window.tb.view().rows.value.find((r) => r.key === key).layers[0];
      const { composer } = window.tb.surface();
      return composer.axes.of(layer, composer.resolve(layer, composer.firstTile, composer.tileCount, 0).drawn[0].chunk.frame);
    }, rows[1].key);
    assert.deepEqual(others, own, 'both have one axis');
  }),

  'V3: a CPU that is not idle is below its idle states, whatever number the kernel has for it': (context) => openMade(context, writeIdle, async (page) => {
    const raw = await query(page, 'SELECT CAST(ts AS TEXT), value, id FROM counter ORDER BY ts');
    assert.deepEqual(raw.map(([, value]) => Number(value)), [0, 4294967295, 3, 4294967295, 1]);
    const [row] = await rowsOfKind(page, 'counter');
    await show(page, BigInt(row.from) - 500_000n, 5_500_000);
    const y = await page.evaluate((node) => window.tb.surface().places.y(node, 0), row.node);
    const axis = await page.evaluate((key) => {
      const layer = window.tb.view().rows.value.find((r) => r.key === key).layers[0];
      const { composer } = window.tb.surface();
      return composer.axes.of(layer, composer.resolve(layer, composer.firstTile, composer.tileCount, 0).drawn[0].chunk.frame);
    }, row.key);
    assert.deepEqual(axis, { low: -1, high: 3, isLog: false });
    const box = await page.getByTestId('canvas').boundingBox();
    for (const [i, words] of ['idle state 0', 'not idle', 'idle state 3', 'not idle'].entries()) {
      await page.mouse.move(box.x + (await xAt(page, BigInt(raw[i][0]) + 500_000n)), box.y + y + 8);
      await page.getByTestId('tip').getByText(words, { exact: true }).waitFor();
    }
    await page.evaluate((id) => window.tb.view().select({ kind: 'counter', row: id }), Number(raw[1][2]));
    await page.getByTestId('drawer').getByText('not idle', { exact: true }).waitFor();
  }),

  'V5: 1,000 points of scheduling are the rows of SQL': (context) => openMade(context, writeSched, async (page) => {
    await compareRuns(page, 'sched', 'sched_slice', 'ucpu', wanted(context.options));
  }),

  'V5: the frequency of a CPU is behind its threads': (context) => openMade(context, writeSched, async (page) => {
    const behind = await page.evaluate(() => window.tb.view().rows.value.filter((r) => r.node.kind === 'sched').map((r) => [r.node.title, r.behind?.node.title]));
    assert.deepEqual(behind, [['CPU 0', 'cpufreq CPU 0'], ['CPU 1', 'cpufreq CPU 1']]);
    const [row] = await rowsOfKind(page, 'sched');
    const [idleAt] = await query(page, `SELECT CAST(s.ts + s.dur / 2 AS TEXT), CAST(s.dur AS TEXT) FROM sched_slice s JOIN thread t USING (utid) WHERE s.ucpu = ${row.ucpu} AND t.tid = 0 AND s.dur > 100000 AND s.ts > (SELECT min(ts) FROM counter) ORDER BY s.dur DESC`);
    await show(page, BigInt(idleAt[0]) - 20_000n, 40_000);
    const x = await xAt(page, idleAt[0]);
    const { above, bottom, canvas } = await page.evaluate(([key, at]) => {
      const { composer, paint } = window.tb.surface();
      const placed = composer.placements.slice(0, composer.placementCount).find((p) => p.row.key === key);
      const g = document.querySelector('.data canvas').getContext('2d');
      const pixel = (y) => new Int32Array(g.getImageData(Math.round(at * devicePixelRatio), Math.round(y * devicePixelRatio), 1, 1).data.buffer)[0];
      const { y } = placed;
      return { above: window.tb.spot(at, y + 4), bottom: pixel(y + placed.row.height - 4), canvas: paint.canvas };
    }, [row.key, x]);
    assert.notEqual(bottom, canvas, 'idle time lets the frequency be seen');
    const [[value]] = await query(page, `SELECT value FROM counter c JOIN track t ON c.track_id = t.id WHERE t.type = 'cpu_frequency' AND extract_arg(t.dimension_arg_set_id, 'cpu') = 0 AND c.ts <= ${idleAt[0]} ORDER BY c.ts DESC LIMIT 1`);
    assert.equal(above.value, Number(value), 'above the threads the pointer is at the frequency');
  }),

  'V6: 1,000 points of thread states are the rows of SQL': (context) => openMade(context, writeSched, async (page) => {
    await compareRuns(page, 'thread_state', 'thread_state', 'utid', wanted(context.options));
  }),

  'V6: the selected state has its waker and latency as in SQL': (context) => openMade(context, writeSched, async (page) => {
    const woken = await query(page, "SELECT r.id, t.name, t.tid, (SELECT x.id FROM thread_state x WHERE x.utid = r.utid AND x.ts = r.ts + r.dur), CAST(r.dur AS TEXT) FROM thread_state r JOIN thread t ON t.utid = r.waker_utid WHERE r.state = 'R' AND r.dur > 0 ORDER BY r.ts LIMIT 5 OFFSET 20");
    assert.equal(woken.length, 5);
    const details = (row) => page.evaluate(async (id) => (await fetch(`/api/v1/traces/${window.tb.view().trace}/events/thread_state/${id}`)).json(), Number(row));
    for (const [row, name, tid, running, latency] of woken) {
      await page.evaluate(async (e) => window.tb.view().select(e), await details(row));
      await page.waitForFunction((id) => window.tb.timeline().selected?.row === id, Number(row));
      await page.getByTestId('drawer').getByText(`${name} (tid ${tid})`).first().waitFor();
      const { fields } = await details(running);
      assert.equal(fields.find((f) => f.name === 'latency_ns')?.value, latency);
    }
  }),

  'V13: GPU, frequency, idle, power and network tracks are in their groups': (context) => {
    const seen = new Set();
    return withVectors(context, ['ft_cpu_freq_idle', 'ft_gpu_freq_mem', 'gpu_render_stage_interned', 'gpu_counters_interned', 'power_rails', 'battery', 'network_packets', 'ft_net'], async (page, name) => {
      const tracks = await page.evaluate(() => {
        const { tree } = window.tb.view();
        return [...tree.nodes.values()].filter((n) => n.type === 'track' && n.track_type).map((n) => [n.track_type, tree.ancestors(n).find((a) => a.type === 'group' || a.type === 'process')]).map(([type, of]) => [type, of?.type ?? null, of?.title ?? null]);
      });
      assert.ok(tracks.length > 0, name);
      for (const [type, kind, title] of tracks) {
        assert.ok(type in groups, `${name}: ${type} is not in the list`);
        assert.deepEqual([type, kind === 'group' ? title : null], [type, groups[type]], name);
        seen.add(type);
      }
    }).then(() => context.options.tracebraid && assert.deepEqual(Object.keys(groups).filter((type) => !seen.has(type)), []));
  },

  'V14: states are the rows of SQL at 1,000 points': (context) => withVectors(context, ['te_state'], async (page) => {
    await compareRuns(page, 'state', 'state', 'track_id', wanted(context.options));
  }),

  'V14: contexts of a slice are in its details': (context) => openMade(context, writeContexts, async (page) => {
    const expected = await query(page, "SELECT s.id, s.name, group_concat(c.type_name || ' ' || c.object_id, ', ') FROM slice s LEFT JOIN json_slice_context x ON x.slice_id = s.id LEFT JOIN json_context c ON c.id = x.context_id GROUP BY s.id ORDER BY s.ts");
    assert.deepEqual(expected.map(([, name, all]) => [name, all]), [['before', null], ['inside', 'Frame 0x1'], ['both', 'Frame 0x1, Load 0x7'], ['after', null]]);
    for (const [row, , all] of expected) {
      const event = await page.evaluate(async (id) => (await fetch(`/api/v1/traces/${window.tb.view().trace}/events/slice/${id}`)).json(), Number(row));
      await page.evaluate(async (e) => window.tb.view().select(e), event);
      await page.waitForFunction((id) => window.tb.timeline().selected?.row === id, Number(row));
      await page.getByTestId('drawer').getByText('Wall duration').waitFor();
      await idle(page);
      const words = await page.getByTestId('drawer').innerText();
      assert.equal(/contexts/.test(words), all !== null, words);
      if (all !== null) assert.ok(words.includes(all), words);
    }
  }),
};
