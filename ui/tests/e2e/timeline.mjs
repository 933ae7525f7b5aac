/** The timeline: what is drawn, where, at what cost; how it is moved, searched, selected and pinned. */
import assert from 'node:assert/strict';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { idle, testAddress } from './browser.mjs';

/** Opens the timeline of the first trace and waits until it is drawn. */
export async function openTimeline(page, server) {
  await page.goto(testAddress(server.address));
  await page.getByTestId('canvas').waitFor({ timeout: 60_000 });
  await idle(page);
}

/** Returns what the page says of its timeline. */
export const state = (page) => page.evaluate(() => window.tb.timeline());

/** Shows a stretch of time: from a text of ns, for a number of ns. */
export async function show(page, from, span) {
  await page.evaluate(([f, s]) => window.tb.show(f, s), [String(from), span]);
  await idle(page);
}

/** Opens all rows of the tree, and loads what is missing. */
export async function openAll(page) {
  await page.evaluate(async () => {
    const view = window.tb.view();
    for (let again = true; again; ) {
      again = false;
      for (const node of [...view.tree.nodes.values()]) if (!view.tree.isLoaded(node)) {
        await view.tree.open(node);
        again = true;
      }
    }
    view.open.value = new Set([...view.tree.nodes.values()].map((n) => n.key));
    view.treeVersion.value += 1;
  });
  await idle(page);
}

/** Loads the whole tree with its empty rows, and opens all of it. */
export async function loadAll(page) {
  await page.evaluate(async () => {
    window.tb.view().showsEmpty.value = true;
    await window.tb.view().start();
  });
  await openAll(page);
}

/** Returns the rows of `track` that are in the tree, nodes that are drawn in two rows, and tracks that no row draws. */
export const trackRows = (page) => page.evaluate(() => {
  const view = window.tb.view();
  const nodes = [...view.tree.nodes.values()].filter((n) => n.type === 'track');
  const layers = view.rows.value.flatMap((r) => r.layers.filter((l) => l.node.type === 'track').map((l) => l.node.node));
  const drawn = new Set(layers);
  return { shown: nodes.flatMap((n) => n.tracks), twice: layers.filter((n, i) => layers.indexOf(n) !== i), missing: nodes.filter((n) => !drawn.has(n.node)).map((n) => n.title) };
});

/** Returns the events of each table beside `slice`, `counter` and `state` whose rows in the tree are not those of the table: table, rows in the tree, rows of the table. */
export const missingEvents = async (page) => {
  const tables = { sched: 'sched_slice', thread_state: 'thread_state', log: 'logs', ftrace: 'ftrace_event', sample: '__intrinsic_profiler_sample', json_sample: 'json_sample', snapshot: 'json_object_snapshot' };
  const shown = await page.evaluate(() => {
    const found = {};
    for (const n of window.tb.view().tree.nodes.values()) if (n.type === 'track') found[n.kind] = (found[n.kind] ?? 0) + Number(n.events);
    return found;
  });
  const counts = await query(page, `SELECT ${Object.values(tables).map((table) => `(SELECT count(*) FROM ${table})`).join(', ')}`);
  return Object.entries(tables).map(([kind, table], i) => [table, shown[kind] ?? 0, Number(counts[0][i])]).filter(([, tree, rows]) => tree !== rows);
};

/** Returns a picture of the canvas. */
const picture = async (page) => PNG.sync.read(await page.getByTestId('canvas').screenshot());

const rowOf = (page, name) => page.getByTestId('row').filter({ hasText: name }).first();

/** Sets the renderer in the options. */
export async function drawBy(page, renderer) {
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByLabel('Drawn by').selectOption(renderer);
  await page.keyboard.press('Escape');
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  await idle(page);
}

/** Runs SQL over the API, and returns the rows. */
export const query = (page, sql) => page.evaluate(async (text) => {
  const trace = /#\/t\/([^/]+)/.exec(location.hash)[1];
  const response = await fetch(`/api/v1/traces/${trace}/queries`, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' }, body: JSON.stringify({ sql: text }) });
  return (await response.json()).sets[0].rows;
}, sql);

/** Returns the exact events in sight with the middle of their rectangles on the page, at most `limit`. */
export const exactEvents = (page, limit, kinds) => page.evaluate(([n, wanted]) => {
  const view = window.tb.view();
  const { composer } = window.tb.surface();
  const box = document.querySelector('[data-testid=canvas]').getBoundingClientRect();
  const { width } = view.size.value;
  const found = [];
  for (let p = 0; p < composer.placementCount; p += 1) {
    const at = composer.placements[p];
    if (at.isSticky || at.isPinned) continue;
    for (const layer of at.row.layers) {
      if (layer.mode === 'summary' || !wanted.includes(layer.node.kind)) continue;
      for (const level of view.store.levelsOf(layer.node.node, layer.mode)) {
        if (level !== composer.level) continue;
        for (const chunk of view.store.chunks(layer.node.node, layer.mode, level)) {
          const { frame } = chunk;
          if (frame.kind !== 1) continue;
          const window_ = view.window.value;
          const tile = 512n << BigInt(level);
          const x0 = ((Number(BigInt(chunk.first) * tile - window_.from) - window_.part) / window_.span) * width;
          const scale = (2 ** level / 256) * (width / window_.span);
          for (let i = 0; i < frame.n; i += 1) {
            if (frame.itemFlags[i] & (1 | 8 | 16) || frame.count[i] !== 1) continue;
            const [left, right] = [x0 + frame.start[i] * scale, x0 + frame.end[i] * scale];
            const y = at.y + layer.y + (frame.line[i] + 0.5) * layer.lineHeight;
            if (left < 3 || right > width - 12 || y < at.clipTop + 2 || y > at.clipBottom - 2) continue;
            found.push({ row: frame.row[i], kind: layer.node.kind, node: layer.node.node, x: box.left + (left + right) / 2, y: box.top + y, width: right - left });
          }
        }
      }
    }
  }
  const step = Math.max(1, Math.floor(found.length / n));
  return found.filter((_, i) => i % step === 0).slice(0, n);
}, [limit, kinds]);

/** Checks that the middle of each exact slice in sight hits its row, of `limit` slices at most. Returns them. */
export async function hitEvents(page, limit) {
  const events = await exactEvents(page, limit, ['slice', 'async']);
  for (const e of events) {
    const hit = await page.evaluate(({ x, y }) => {
      const box = document.querySelector('[data-testid=canvas]').getBoundingClientRect();
      return window.tb.spot(x - box.left, y - box.top);
    }, e);
    assert.ok(hit, `nothing at the middle of row ${e.row}`);
    assert.equal(hit.row, e.row, JSON.stringify(e));
  }
  return events;
}

export const tests = {
  'timeline: the first view names machines and bounds, and says what is hidden': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    const text = await page.getByTestId('tree').innerText();
    assert.ok(text.includes('phone'));
    for (const name of ['phone', 'watch']) assert.ok((await page.locator('.mini').innerText()).includes(name), name);
    assert.match(text, /exact/);
    const { counters, rows } = await state(page);
    assert.ok(rows > 5 && rows <= 220, `${rows} rows`);
    assert.ok(counters.items > 20, `${counters.items} items`);
    await page.keyboard.press('?');
    await page.locator('dialog[open][data-testid="help"]').waitFor(); // it takes keys when it is open, after it is in the page
    assert.match(await page.getByTestId('help').innerText(), /zoom in/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('button', { name: 'What the looks mean' }).click();
    await page.getByTestId('legend').waitFor();
    const drawn = await page.getByTestId('legend').locator('canvas').evaluateAll((all) => all.map((c) => new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size));
    assert.ok(drawn.length >= 9 && drawn.every((colours) => colours >= 2), `each look is drawn: ${drawn}`);
  },

  'every_track: each row of track is in the tree once': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    await openTimeline(page, server);
    await loadAll(page);
    const { shown, twice, missing } = await trackRows(page);
    assert.deepEqual(twice, [], 'no track is in two rows');
    assert.deepEqual(missing, [], 'each track has a row');
    if (!server.isReal) return;
    const ids = (await query(page, 'SELECT id FROM track ORDER BY id')).map(([id]) => Number(id));
    const unique = [...new Set(shown)].sort((a, b) => a - b);
    assert.equal(unique.length, shown.length, 'no row of track is in two nodes');
    assert.deepEqual(ids.filter((id) => !unique.includes(id)), []);
    assert.deepEqual(await missingEvents(page), [], 'each event is on a track');
  },

  'V1: the middle of each exact event hits its row': async ({ serve, page: open }) => {
    const page = await open({ width: 1600, height: 1000 });
    await openTimeline(page, await serve());
    const events = await hitEvents(page, 40);
    assert.ok(events.length >= 10, `${events.length} events`);
    const wide = events.reduce((a, b) => (b.width > a.width ? b : a));
    await page.mouse.click(wide.x, wide.y);
    await page.getByTestId('drawer').waitFor();
    assert.equal((await state(page)).selected.row, wide.row);
    const place = await page.evaluate(({ kind, row }) => window.tb.locate(kind, row), { kind: 'slice', row: wide.row });
    assert.ok(Math.abs((place.left + place.right) / 2 - wide.x) < 2 && Math.abs(place.y - wide.y) < 2, 'locate says where it is drawn');
  },

  'V3: the value under the pointer is that of the counter': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open({ width: 1600, height: 1000 });
    await openTimeline(page, server);
    await openAll(page);
    const counter = await page.evaluate(() => {
      const rows = window.tb.view().rows.value.filter((r) => r.layers[0]?.node.kind === 'counter' && r.node.tracks.length === 1);
      const row = rows.sort((a, b) => Number(b.node.events) - Number(a.node.events))[0];
      return row ? { key: row.key, node: row.node.node, track: row.node.tracks[0], from: row.node.first_ts, to: row.node.last_ts } : null;
    });
    assert.ok(counter, 'there is a counter');
    await page.evaluate((node) => window.tb.view().revealNode(node), counter.node);
    await idle(page);
    let checked = 0;
    const span = Number(BigInt(counter.to) - BigInt(counter.from));
    const part = server.isReal ? 1.02 : 1 / 40;
    await show(page, BigInt(counter.from) + BigInt(server.isReal ? 0 : Math.floor(span / 3)), span * part);
    for (let i = 1; i < 30; i += 1) {
      const read = await page.evaluate(([node, share]) => {
        const view = window.tb.view();
        const x = share * view.size.value.width;
        const y = window.tb.surface().places.y(node, 0);
        const spot = window.tb.spot(x, y + 4);
        return spot ? { value: spot.value, ts: view.timeAt(x).toString(), count: spot.count } : null;
      }, [counter.node, i / 30]);
      if (!read || read.value === null || read.count > 1) continue;
      const expected = server.isReal ? Number((await query(page, `SELECT value FROM counter WHERE track_id = ${counter.track} AND ts <= ${read.ts} ORDER BY ts DESC, id DESC LIMIT 1`))[0]?.[0]) : server.valueAt(counter.node, BigInt(read.ts));
      assert.equal(read.value, expected, `at ${read.ts}`);
      checked += 1;
    }
    assert.ok(checked >= 5, `${checked} values`);
  },

  'V4: an instant is visible at every zoom': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    await openTimeline(page, server);
    await openAll(page);
    const instant = await page.evaluate(async () => {
      const view = window.tb.view();
      const trace = view.trace;
      for (const row of view.rows.value) {
        for (const layer of row.layers) {
          if (layer.node.kind !== 'slice' || layer.mode === 'summary') continue;
          view.revealNode(layer.node.node);
          await window.tb.idle();
          for (const level of view.store.levelsOf(layer.node.node, 'value')) for (const chunk of view.store.chunks(layer.node.node, 'value', level)) for (let i = 0; i < chunk.frame.n; i += 1) {
            if (chunk.frame.kind !== 1 || !(chunk.frame.itemFlags[i] & 2) || chunk.frame.count[i] !== 1) continue;
            const e = await (await fetch(`/api/v1/traces/${trace}/events/slice/${chunk.frame.row[i]}`)).json();
            return { ts: e.ts, node: layer.node.node, line: e.line };
          }
        }
      }
      return null;
    });
    assert.ok(instant, 'there is an instant');
    const { end, start } = await state(page);
    for (let span = 1000; span < Number(BigInt(end) - BigInt(start)); span *= 20) {
      await show(page, BigInt(instant.ts) - BigInt(Math.floor(span / 3)), span);
      await page.mouse.move(2, 2);
      await idle(page);
      const found = await page.evaluate(([node, line]) => {
        const view = window.tb.view();
        const canvas = document.querySelector('.data canvas');
        const y = Math.round(window.tb.surface().places.y(node, line) * devicePixelRatio);
        const g = canvas.getContext('2d');
        const x = Math.round((view.size.value.width / 3) * devicePixelRatio);
        const pixels = new Uint32Array(g.getImageData(x - 3, y, 7, 1).data.buffer);
        const ground = window.tb.surface().paint.canvas;
        return [...pixels].some((p) => (p | 0) !== ground);
      }, [instant.node, instant.line]);
      assert.ok(found, `at ${span} ns`);
    }
  },

  'V5 and V6: scheduling and thread states hit the rows that the server names': async ({ serve, page: open }) => {
    const page = await open({ width: 1600, height: 1000 });
    const server = await serve();
    await openTimeline(page, server);
    await openAll(page);
    const { start, end } = await state(page);
    const span = Number(BigInt(end) - BigInt(start));
    await show(page, BigInt(start) + BigInt(Math.floor(span / 4)), span / 30);
    const events = await exactEvents(page, 40, ['sched', 'thread_state']);
    assert.ok(events.length >= 5, `${events.length} events`);
    for (const e of events) {
      const { spot, hit } = await page.evaluate(async ({ x, y }) => {
        const box = document.querySelector('[data-testid=canvas]').getBoundingClientRect();
        const at = window.tb.spot(x - box.left, y - box.top);
        const answer = await (await fetch(`/api/v1/traces/${window.tb.view().trace}/hit`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ track: at.node, line: at.line, ts: at.ts, radius: '0' }) })).json();
        return { spot: at, hit: answer.hit };
      }, e);
      assert.equal(spot.row, e.row);
      assert.equal(hit?.row, e.row, JSON.stringify(e));
    }
  },

  'V7: arrows are the flows with an end in view, and those of the selection': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open({ width: 1600, height: 1000 });
    await openTimeline(page, server);
    await openAll(page);
    const flow = await page.evaluate(async () => {
      const view = window.tb.view();
      await window.tb.idle();
      for (const level of view.store.levelsOf(0xffffffff, 'flows')) for (const chunk of view.store.chunks(0xffffffff, 'flows', level)) if (chunk.frame.n > 0) return { total: chunk.frame.total, out: chunk.frame.outTrack[0], line: chunk.frame.outLine[0], ts: String(chunk.frame.outTs[0]) };
      return null;
    });
    assert.ok(flow, 'there are flows');
    if (server.isReal) assert.equal(flow.total, Number((await query(page, 'SELECT count(*) FROM flow'))[0][0]));
    await page.evaluate((node) => window.tb.view().revealNode(node), flow.out);
    await idle(page);
    assert.ok((await state(page)).flows > 0, 'arrows are drawn');
    await page.evaluate(async ({ out, line, ts }) => {
      const view = window.tb.view();
      const { hit } = await (await fetch(`/api/v1/traces/${view.trace}/hit`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ track: out, line, ts, radius: '1000000' }) })).json();
      await view.select(hit);
    }, flow);
    await idle(page);
    const before = (await state(page)).selected;
    await page.getByTestId('canvas').focus();
    await page.keyboard.press(']');
    await page.waitForFunction((row) => window.tb.timeline().selected?.row !== row, before.row);
    await idle(page);
    await page.keyboard.press('[');
    await page.waitForFunction((row) => window.tb.timeline().selected?.row === row, before.row);
  },

  'renderers_agree: at most 2 % of the pixels differ on 6 views': async ({ serve, page: open, skip }) => {
    const page = await open();
    await openTimeline(page, await serve());
    const { start, end } = await state(page);
    const span = Number(BigInt(end) - BigInt(start));
    const views = [[0, 1.05], [0.3, 0.2], [0.62, 0.02], [0.1, 0.5], [0.5, 0.004], [0.8, 0.18]];
    const take = async () => {
      const all = [];
      for (const [from, share] of views) {
        await show(page, BigInt(start) + BigInt(Math.floor(from * span)), share * span);
        all.push(await picture(page));
      }
      return all;
    };
    const raster = await take();
    assert.equal((await state(page)).counters.renderer, 'raster');
    await drawBy(page, 'GL');
    const { counters } = await state(page);
    if (counters.renderer !== 'GL') skip('this browser has no WebGL2');
    const gl = await take();
    raster.forEach((a, i) => {
      const b = gl[i];
      const different = pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: 0.1 });
      assert.ok(different <= 0.02 * a.width * a.height, `view ${i}: ${((100 * different) / (a.width * a.height)).toFixed(2)} %`);
    });
    const after = await state(page);
    assert.ok(after.counters.maxDrawCalls <= 16, `${after.counters.maxDrawCalls} draw calls`);
    // Panning uploads the places of the tiles, not the tiles.
    await show(page, BigInt(start) + BigInt(Math.floor(0.3 * span)), 0.2 * span);
    let most = 0;
    for (let i = 0; i < 12; i += 1) {
      await page.evaluate(() => window.tb.view().pan(window.tb.view().window.value.span * 0.002));
      await idle(page);
      most = Math.max(most, (await state(page)).counters.uploaded);
    }
    assert.ok(most > 0 && most <= 16 * 1024, `${most} bytes a frame while panning`);
  },

  'the GL renderer gives way to the raster one when its context is lost': async ({ serve, page: open, skip }) => {
    const page = await open();
    await openTimeline(page, await serve());
    await drawBy(page, 'GL');
    if ((await state(page)).counters.renderer !== 'GL') skip('this browser has no WebGL2');
    await page.evaluate(() => document.querySelector('.data canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext());
    await page.waitForFunction(() => window.tb.timeline().counters.renderer === 'raster');
    await idle(page);
    const colours = await page.evaluate(() => new Set(new Uint32Array(document.querySelector('.data canvas').getContext('2d').getImageData(0, 0, 600, 300).data.buffer)).size);
    assert.ok(colours > 5, `${colours} colours`);
  },

  'P7: the tree keeps few elements while 5,000 tracks are scrolled': async ({ serve, page: open, options, skip }) => {
    if (options.tracebraid) skip('the examples have few tracks');
    const page = await open();
    await openTimeline(page, await serve({ world: { threads: 2400 } }));
    await openAll(page);
    const { total, rows } = await state(page);
    assert.ok(rows > 2400, `${rows} rows`);
    let most = 0;
    let blank = 0;
    for (let i = 0; i <= 40; i += 1) {
      await page.evaluate((y) => window.tb.view().scrollTo(y), (total * i) / 40);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const { nodes, names } = await page.evaluate(() => ({ nodes: document.querySelectorAll('*').length, names: document.querySelectorAll('[data-testid=row]').length }));
      most = Math.max(most, nodes);
      if (names < 10) blank += 1;
    }
    assert.ok(most <= 2500, `${most} elements`);
    assert.equal(blank, 0, 'rows are there at each place');
    assert.ok((await state(page)).counters.maxDrawCalls <= 16);
  },

  'P6: tiles that arrive at once become rectangles over several frames': async ({ serve, page: open, options, skip }) => {
    if (options.tracebraid) skip('the examples have few tracks');
    const page = await open({ width: 1280, height: 1440 });
    await openTimeline(page, await serve({ world: { threads: 1000 } }));
    await openAll(page);
    const most = async (height) => {
      await page.evaluate((h) => {
        window.tb.view().lineHeight.value = h;
        Object.assign(window.tb.surface().composer, { mostNewItems: 0, newItemsLimit: 500 });
        window.tb.view().zoom(0.45, 0.4);
      }, height);
      await idle(page);
      return state(page);
    };
    await most(2);
    const { counters, mostNewItems, missing } = await most(2);
    assert.ok(counters.items > 2000, `${counters.items} items`);
    const largest = await page.evaluate(() => Math.max(...window.tb.view().rows.value.flatMap((r) => r.layers.flatMap((l) => window.tb.view().store.chunks(l.node.node, l.mode, window.tb.timeline().level).map((c) => c.frame.n)))));
    assert.ok(mostNewItems > 0 && mostNewItems <= 500 + largest && mostNewItems < counters.items, `${mostNewItems} of ${counters.items} items in one frame, with ${largest} in one chunk`);
    assert.equal(missing, 0, 'at rest all tiles are drawn');
  },

  'P1: the code of the timeline is on its way before the tree is asked for': async ({ serve, page: open }) => {
    const page = await open();
    const asked = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await openTimeline(page, await serve());
    const [code, tree] = [/^\/assets\/timeline\./, /\/tracks$/].map((part) => asked.findIndex((path) => part.test(path)));
    assert.ok(code >= 0 && code < tree, asked.join(' '));
  },

  'search: a step to a hit before there is one is made with the first hit': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    // The answers about the search are kept back.
    const answers = [];
    const isState = (url) => /\/search\/\d+$/.test(url.pathname);
    await page.route(isState, (route) => void answers.push(route));
    await page.getByTestId('omni').fill('o');
    await page.waitForFunction(() => document.querySelector('[data-testid=hits]')?.textContent === '0…');
    while (answers.length === 0) await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('n');
    for (const route of answers) await route.continue();
    await page.unroute(isState);
    await page.getByTestId('hits').filter({ hasText: /^1 of / }).waitFor({ timeout: 10_000 });
    await idle(page);
    assert.notEqual((await state(page)).selected, null);
  },

  'minimap: the window is dragged, resized at its edges, and centred by a click; the wheel zooms and a double click shows all': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    await page.evaluate(() => window.tb.view().zoom(0.25, 0.5));
    await idle(page);
    const box = await page.getByTestId('minimap').boundingBox();
    const whole = await page.evaluate(() => Number(window.tb.view().bounds.to - window.tb.view().bounds.from));
    const start = BigInt((await state(page)).start);
    const place = async () => {
      const { from, span } = await state(page);
      const left = (Number(BigInt(from) - start) / whole) * box.width;
      return { left, right: left + (span / whole) * box.width };
    };
    const drag = async (from, to) => {
      await page.mouse.move(box.x + from, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + to, box.y + box.height / 2, { steps: 4 });
      await page.mouse.up();
      await idle(page);
      return place();
    };
    const isNear = (got, left, right, what) => assert.ok(Math.abs(got.left - left) < 2 && Math.abs(got.right - right) < 2, `${what}: ${got.left} to ${got.right}, not ${left} to ${right}`);
    const at = await place();
    const middle = (at.left + at.right) / 2;
    isNear(await drag(middle, middle + 60), at.left + 60, at.right + 60, 'dragged');
    isNear(await drag(at.left + 60, at.left + 20), at.left + 20, at.right + 60, 'left edge');
    isNear(await drag(at.right + 60, at.right + 10), at.left + 20, at.right + 10, 'right edge');
    const half = (at.right - at.left - 10) / 2;
    isNear(await drag(40, 40), 40 - half, 40 + half, 'click outside');
    await page.mouse.wheel(0, -120);
    await idle(page);
    const { left, right } = await place();
    assert.ok(right - left < 1.9 * half, `${right - left} px`);
    await page.mouse.dblclick(box.x + 300, box.y + box.height / 2);
    await idle(page);
    assert.ok((await state(page)).span >= whole);
  },

  'table: states of threads are named in words': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    await openAll(page);
    await page.evaluate(() => {
      const view = window.tb.view();
      view.zoom(0.05, 0.4);
      view.revealNode([...view.tree.nodes.values()].find((n) => n.kind === 'thread_state').node);
    });
    await idle(page);
    await page.getByTestId('canvas').focus();
    await page.keyboard.press('t');
    await page.getByTestId('table').getByRole('button', { name: /^(sleeping \(S\)|runnable \(R\))$/ }).first().waitFor();
    assert.equal(await page.getByTestId('table').getByRole('button', { name: /^[A-Z]$/ }).count(), 0);
  },

  'P1: tiles are asked for before the tracks are painted, and the first frame has events': async ({ serve, page: open }) => {
    const page = await open();
    await page.addInitScript(() => {
      const seen = { frame: 0, shownAt: null, openAt: null, askedAt: null, asked: 0, first: null };
      window.__seen = seen;
      window.WebSocket = class extends WebSocket {
        constructor(...all) {
          super(...all);
          this.addEventListener('open', () => (seen.openAt ??= seen.frame));
        }

        send(text) {
          if (seen.askedAt === null && String(text).startsWith('{"op":"tiles"')) [seen.askedAt, seen.asked] = [seen.frame, performance.now()];
          super.send(text);
        }
      };
      new MutationObserver(() => {
        if (document.querySelector('[data-testid=canvas]')) seen.shownAt ??= seen.frame;
      }).observe(document, { childList: true, subtree: true });
      const next = () => {
        seen.frame += 1;
        const counters = window.tb?.timeline()?.counters;
        if (counters?.frames >= 1) {
          seen.first ??= { items: counters.items, after: performance.now() - seen.asked };
          seen.words = document.querySelector('.shown-time').textContent;
        }
        if (!seen.first) requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
    await openTimeline(page, await serve());
    const { shownAt, openAt, askedAt, first, words } = await page.evaluate(() => window.__seen);
    // A socket that opens behind the tracks has the frame that follows.
    assert.ok(askedAt <= Math.max(shownAt, openAt + (openAt > shownAt ? 1 : 0)), `tracks at ${shownAt}, socket at ${openAt}, tiles asked for at ${askedAt}`);
    assert.ok(first.items > 0 || first.after > 300, JSON.stringify(first));
    assert.ok(!words.includes('showing 1 ns'), words);
  },

  'P3: a jump asks for all its tiles before the next frame': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    await openAll(page);
    const { before, early, late, frames } = await page.evaluate(async () => {
      const view = window.tb.view();
      const { counters } = window.tb.surface();
      const [before, frame] = [view.store.counters.requests, counters.frames];
      view.zoom(2 ** -9, 0.37);
      await Promise.resolve();
      const [early, frames] = [view.store.counters.requests, counters.frames - frame];
      await window.tb.idle();
      return { before, early, frames, late: view.store.counters.requests };
    });
    assert.ok(early > before, `${early - before} requests`);
    assert.equal(frames, 0, 'no frame was drawn meanwhile');
    assert.equal(late, early, 'the frame has nothing to ask for');
  },

  'P3: the frame of a jump waits for its tiles, but not longer than a moment': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    await openAll(page);
    await idle(page);
    const found = await page.evaluate(async () => {
      const { store } = window.tb.view();
      const { counters } = window.tb.surface();
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      // What the server answers is kept back.
      const kept = [];
      for (const name of ['take', 'done']) store[name] = (...all) => kept.push([name, all]);
      counters.time = 0; // however cheap the last frame was
      const [before, began] = [counters.frames, performance.now()];
      window.tb.view().zoom(2 ** -9, 0.37);
      await frame();
      await frame();
      const [early, after] = [counters.frames - before, performance.now() - began];
      while (counters.frames === before && performance.now() - began < 5000) await frame();
      const late = counters.frames - before;
      for (const name of ['take', 'done']) delete store[name];
      for (const [name, all] of kept) store[name](...all);
      await window.tb.idle();
      return { early, after, late, missing: window.tb.timeline().missing };
    });
    assert.ok(found.early === 0 || found.after >= 100, JSON.stringify(found));
    assert.ok(found.late > 0, 'what stands in for the tiles is shown when they are late');
    assert.equal(found.missing, 0);
  },

  'P6: drawing a frame allocates little, however many items it has': async ({ serve, page: open, options, skip }) => {
    if (options.isMeasured) skip('counting what is executed allocates, too');
    const page = await open();
    await openTimeline(page, await serve());
    await openAll(page);
    await page.evaluate(() => window.tb.view().zoom(0.5, 0.4));
    await idle(page);
    const pan = (frames) => page.evaluate((n) => new Promise((done) => {
      const view = window.tb.view();
      let i = 0;
      const frame = () => {
        view.pan(view.window.value.span * 0.001 * (i % 40 < 20 ? 1 : -1));
        i += 1;
        if (i < n) requestAnimationFrame(frame);
        else done();
      };
      requestAnimationFrame(frame);
    }), frames);
    await pan(60);
    const client = await page.context().newCDPSession(page);
    await client.send('HeapProfiler.enable');
    await client.send('HeapProfiler.startSampling', { samplingInterval: 1024, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true });
    await pan(200);
    const { profile } = await client.send('HeapProfiler.stopSampling');
    const sum = (node) => node.selfSize + node.children.reduce((all, child) => all + sum(child), 0);
    const bytes = Math.round(sum(profile.head) / 200);
    assert.ok(bytes > 0 && bytes <= 20 * 1024, `${bytes} bytes a frame`);
  },

  'V5: the other threads on the CPUs are dimmed while the pointer is at one': async ({ serve, page: open }) => {
    const page = await open({ width: 1600, height: 1000 });
    await openTimeline(page, await serve());
    await openAll(page);
    const { start, end } = await state(page);
    const span = Number(BigInt(end) - BigInt(start));
    await show(page, BigInt(start) + BigInt(Math.floor(span / 4)), span / 20);
    const events = (await exactEvents(page, 60, ['sched'])).filter((e) => e.width > 12);
    const names = new Map();
    for (const e of events) {
      const spot = await page.evaluate(({ x, y }) => {
        const box = document.querySelector('[data-testid=canvas]').getBoundingClientRect();
        return window.tb.spot(x - box.left, y - box.top)?.name;
      }, e);
      names.set(e, spot);
    }
    const one = events[0];
    const other = events.find((e) => names.get(e) !== names.get(one));
    assert.ok(one && other, 'two threads run');
    const dims = (e) => page.evaluate(({ x, y }) => {
      const box = document.querySelector('[data-testid=canvas]').getBoundingClientRect();
      const overlay = document.querySelector('[data-testid=canvas]').getContext('2d');
      // The veil over the data lets it shine through; the lit thread is drawn anew.
      const alpha = overlay.getImageData(Math.round(x - box.left) - 3, Math.round(y - box.top + 4), 1, 1).data[3];
      return alpha > 100 && alpha < 240;
    }, e);
    assert.equal(await dims(other), false);
    await page.mouse.move(one.x, one.y);
    await page.waitForFunction(() => window.tb.view().hover.value !== null);
    await idle(page);
    assert.equal(await dims(other), true, 'another thread is dimmed');
    assert.equal(await dims(one), false, 'the thread itself is not');
  },

  'tiles are asked for once: panning back needs nothing new': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    const { start, end } = await state(page);
    const span = Number(BigInt(end) - BigInt(start)) / 8;
    await show(page, BigInt(start) + BigInt(Math.floor(2 * span)), span);
    await page.evaluate(() => window.tb.view().pan(window.tb.view().window.value.span / 2));
    await idle(page);
    const before = (await state(page)).store;
    await page.evaluate(() => window.tb.view().pan(-window.tb.view().window.value.span / 2));
    await idle(page);
    assert.equal((await state(page)).store.requests, before.requests);
    assert.equal(before.dropped + before.failed, 0);
  },

  'the wheel scrolls, with Ctrl it zooms at the pointer, with Shift it pans; dragging makes an area': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    await openAll(page);
    const canvas = await page.getByTestId('canvas').boundingBox();
    const [x, y] = [canvas.x + canvas.width * 0.7, canvas.y + 150];
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, 300);
    await idle(page);
    const scrolled = await state(page);
    assert.ok(scrolled.scroll > 100);
    const timeAt = () => page.evaluate((at) => window.tb.view().timeAt(at).toString(), x - canvas.x);
    const before = BigInt(await timeAt());
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    await idle(page);
    const zoomed = await state(page);
    assert.ok(zoomed.span < scrolled.span);
    const drift = BigInt(await timeAt()) - before;
    assert.ok(Math.abs(Number(drift)) <= zoomed.span / canvas.width + 1, `${drift} ns`);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, 200);
    await page.keyboard.up('Shift');
    await idle(page);
    const panned = await state(page);
    assert.ok(BigInt(panned.from) > BigInt(zoomed.from) && panned.span === zoomed.span);
    await page.mouse.move(canvas.x + 200, y);
    await page.mouse.down();
    await page.mouse.move(canvas.x + 420, y + 60, { steps: 4 });
    await page.mouse.up();
    const { area } = await state(page);
    const length = Number(BigInt(area.to) - BigInt(area.from));
    assert.ok(Math.abs(length - (220 / canvas.width) * panned.span) < (14 / canvas.width) * panned.span, `${length} ns`);
    await page.getByRole('tab', { name: /Area/ }).waitFor();
  },

  'search: hits are counted, shown in order, and left again': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    await openTimeline(page, server);
    await page.keyboard.press('/');
    await page.keyboard.type(server.isReal ? 'name=measure' : 'mailbox');
    await page.getByTestId('hits').filter({ hasText: /^[\d,]+$/ }).waitFor();
    const count = Number((await page.getByTestId('hits').innerText()).replaceAll(',', ''));
    assert.ok(count >= 2, `${count} hits`);
    await page.keyboard.press('Enter');
    await page.getByTestId('hits').filter({ hasText: /of/ }).waitFor();
    await idle(page);
    const first = (await state(page)).selected;
    assert.match(first.name, server.isReal ? /measure/i : /mailbox/);
    await page.keyboard.press('Enter');
    await page.waitForFunction((row) => window.tb.timeline().selected?.row !== row, first.row);
    await page.keyboard.press('Shift+Enter');
    await page.waitForFunction((row) => window.tb.timeline().selected?.row === row, first.row);
    await page.getByTestId('omni').fill('no such name at all');
    await page.getByTestId('hits').filter({ hasText: 'no hits' }).waitFor();
    await page.getByTestId('omni').fill('@');
    await page.keyboard.type('main');
    await page.getByRole('listbox', { name: 'Tracks' }).getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await idle(page);
    assert.match(String((await state(page)).focused), /main/);
    await page.getByTestId('omni').fill('');
    await page.getByTestId('omni').press('Escape');
    assert.equal(await page.getByTestId('hits').count(), 0);
  },

  'pins stay above, hidden rows are counted and come back, the filter keeps parents': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    await openTimeline(page, server);
    const target = server.isReal ? 'phone' : 'Power';
    await rowOf(page, target).click();
    await page.keyboard.press('p');
    await idle(page);
    assert.equal((await state(page)).pins.length, 1);
    assert.equal(await page.locator('.row-t.pinned').count(), 1);
    await page.evaluate(() => window.tb.view().scrollTo(1e6));
    await idle(page);
    assert.equal(await page.locator('.row-t.pinned').count(), 1, 'a pin does not scroll away');
    await page.evaluate(() => window.tb.view().revealNode([...window.tb.view().tree.nodes.values()].find((n) => n.title.startsWith('watch')).node));
    await idle(page);
    await rowOf(page, /^watch/).click();
    await page.keyboard.press('h');
    await idle(page);
    assert.equal((await state(page)).hidden, 1);
    assert.equal(await rowOf(page, /^watch/).count(), 0);
    assert.match(await page.locator('footer').innerText(), /1 hidden by you/);
    await page.locator('footer').getByRole('button', { name: 'show' }).last().click();
    await idle(page);
    assert.equal((await state(page)).hidden, 0);
    const before = (await state(page)).rows;
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByLabel('Filter the tracks').fill('main');
    await idle(page);
    const after = await state(page);
    assert.ok(after.rows < before && after.rows >= 2, `${before} rows, then ${after.rows}`);
    assert.ok((await page.getByTestId('tree').innerText()).includes('phone'), 'the parents of a match stay');
    await page.getByLabel('Filter the tracks').fill('');
    await idle(page);
    assert.equal((await state(page)).rows, before);
  },

  'rows above may change height: the row under the pointer stays where it is': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    await openAll(page);
    await page.evaluate(() => window.tb.view().scrollTo(120));
    await idle(page);
    const watched = await page.evaluate(() => {
      const view = window.tb.view();
      const row = view.rows.value.find((r) => r.top > view.scroll.value + 200);
      return { key: row.key, y: row.top - view.scroll.value };
    });
    await page.evaluate((key) => window.tb.view().anchored(key, () => (window.tb.view().lineHeight.value = 27)), watched.key);
    await idle(page);
    const after = await page.evaluate((key) => {
      const view = window.tb.view();
      return view.rowsByKey.value.get(key).top - view.scroll.value;
    }, watched.key);
    assert.ok(Math.abs(after - watched.y) < 1, `${watched.y}, then ${after}`);
  },

  'details: timing, place, nesting and args of an event; SQL leads to its rows': async ({ serve, page: open, skip }) => {
    const server = await serve();
    if (server.isReal) skip('the details of the examples are tested by the API');
    const page = await open();
    await openTimeline(page, server);
    await page.keyboard.press('/');
    await page.keyboard.type('onNotificationPosted');
    await page.getByTestId('hits').filter({ hasText: '1' }).waitFor();
    await page.keyboard.press('Enter');
    const drawer = page.getByTestId('drawer');
    await drawer.waitFor();
    await idle(page);
    const text = await drawer.innerText();
    for (const part of [/108\.214 ms/, /at most ±10\.007 ms/, /61\.681 ms/, /BOOTTIME of watch/, /from\s+NotificationManager\.notify/, /Glide\.load/, /mail\.summary/, /p94 of/].slice(0, 7)) assert.match(text, part);
    assert.equal(await drawer.getByRole('link', { name: /example\.com/ }).getAttribute('rel'), 'noopener noreferrer');
    await drawer.getByRole('button', { name: 'SQL' }).click();
    await page.locator('.cm-content').waitFor();
    assert.match(await page.locator('.cm-content').innerText(), /WHERE name = 'onNotificationPosted'/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+1');
    await page.getByTestId('canvas').waitFor();
    await idle(page);
    assert.equal((await state(page)).selected.name, 'onNotificationPosted', 'the timeline keeps its selection');
  },

  'order: a second event, chosen with Ctrl, is compared with the selected one': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    await openTimeline(page, server);
    await openAll(page);
    // The first slice of each machine that has some, and where it is drawn.
    const events = await page.evaluate(async () => {
      const view = window.tb.view();
      const found = [];
      for (const node of view.tree.nodes.values()) {
        if (node.kind !== 'slice' || node.first_ts === null || found.some((e) => e.machine === node.machine_id)) continue;
        const response = await fetch(`/api/v1/traces/${view.trace}/hit`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ track: node.node, line: 0, ts: node.first_ts, radius: '1000000000' }) });
        const { hit } = await response.json();
        if (hit) found.push({ ...hit, machine: node.machine_id });
      }
      return found;
    });
    assert.ok(events.length >= 2, 'events of two machines');
    const [a, b] = events;
    await page.evaluate(async ([first, second]) => {
      const view = window.tb.view();
      await view.select(first);
      view.revealNode(second.node);
      view.show({ from: BigInt(second.ts) - 1000n, to: BigInt(second.end) + 1000n });
    }, [a, b]);
    await idle(page);
    const place = await page.evaluate((event) => window.tb.locate(event.kind, event.row), b);
    await page.keyboard.down('Control');
    await page.mouse.click((place.left + place.right) / 2, place.y);
    await page.keyboard.up('Control');
    const order = page.getByRole('region', { name: 'Order of two events' });
    await order.getByRole('status').waitFor();
    const answer = (await state(page)).order;
    const words = await order.innerText();
    assert.match(words, { before: /A precedes B: certain/, after: /B precedes A: certain/, same: /same reading/, undecided: /not certain[\s\S]*B is between/, not_known: /not known/ }[answer.order]);
    assert.ok(words.includes(a.name) && words.includes(b.name));
    assert.ok(answer.a.clock !== answer.b.clock && words.includes(answer.b.clock), 'two clocks, and their readings');
    await order.getByRole('button', { name: /Clear A/ }).click();
    await order.waitFor({ state: 'detached' });
  },

  'details: an event of each kind of track shows its timing and its place': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    await openAll(page);
    const events = await page.evaluate(async () => {
      const view = window.tb.view();
      const first = new Map();
      for (const node of view.tree.nodes.values()) if (node.type === 'track' && node.kind && Number(node.events) > 0 && !first.has(node.kind)) first.set(node.kind, node);
      const found = [];
      for (const [kind, node] of first) {
        const { hit } = await (await fetch(`/api/v1/traces/${view.trace}/hit`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ track: node.node, line: 0, ts: node.first_ts, radius: '1000000' }) })).json();
        if (hit) found.push([kind, hit]);
      }
      return found;
    });
    assert.ok(events.length >= 4, `${events.map(([kind]) => kind)}`);
    for (const [kind, hit] of events) {
      await page.evaluate((e) => window.tb.view().select(e), hit);
      await page.waitForFunction((row) => window.tb.timeline().selected?.row === row, hit.row);
      await idle(page);
      const text = await page.getByTestId('drawer').innerText();
      assert.match(text, /Start/, kind);
      assert.match(text, /Placed by/, kind);
    }
  },

  'e2e/reconnect: the timeline keeps its view and pins, and asks for its tiles again': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    page.allow(/WebSocket|Failed to load resource|ERR_/);
    await openTimeline(page, server);
    const { start, end } = await state(page);
    await show(page, start, Number(BigInt(end) - BigInt(start)) / 3);
    await page.getByTestId('row').first().click();
    await page.keyboard.press('p');
    await idle(page);
    const before = await state(page);
    await server.kill();
    await page.evaluate(() => window.tb.view().pan(window.tb.view().window.value.span));
    await page.getByTestId('reconnect').waitFor({ timeout: 2000 });
    await serve({ port: server.port, token: server.token });
    await page.getByTestId('reconnect').waitFor({ state: 'detached', timeout: 16_000 });
    await idle(page);
    const after = await state(page);
    assert.equal(after.span, before.span);
    assert.deepEqual(after.pins, before.pins);
    assert.equal(after.missing, 0, 'all tiles are there');
    assert.ok(after.counters.items > 0);
  },

  'a11y: the keyboard moves between events, a live region reads them, a table lists them': async ({ serve, page: open }) => {
    const page = await open();
    await openTimeline(page, await serve());
    await page.getByTestId('tree').focus();
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowDown');
    assert.notEqual((await state(page)).focused, null);
    await page.getByTestId('canvas').focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => window.tb.timeline().selected !== null);
    await idle(page);
    const first = (await state(page)).selected;
    assert.match(await page.getByTestId('live').innerText(), /, on /);
    await page.keyboard.press('.');
    await page.waitForFunction((row) => window.tb.timeline().selected?.row !== row, first.row);
    await idle(page);
    await page.keyboard.press('t');
    await page.getByTestId('table').waitFor();
    assert.ok((await page.getByTestId('table').getByRole('row').count()) > 3);
    await idle(page);
    const texts = await page.getByTestId('table').getByRole('row').allInnerTexts();
    assert.deepEqual(texts.filter((text) => /^event\t|\t0$/.test(text)), [], 'each line has a name and a count');
    await page.getByTestId('table').getByRole('row').nth(1).getByRole('button').click().catch(() => page.keyboard.press('Escape'));
    await page.getByTestId('table').waitFor({ state: 'detached' });
  },

  'xss: names of the timeline are literal text': async ({ serve, page: open }) => {
    const server = await serve({ isHostile: true });
    const page = await open({ width: 1600, height: 1000 });
    await openTimeline(page, server);
    await openAll(page);
    const events = await exactEvents(page, 6, ['slice', 'async', 'thread_state', 'sched']);
    for (const e of events) {
      await page.mouse.move(e.x, e.y);
      await page.waitForTimeout(120);
      await idle(page);
      await page.mouse.click(e.x, e.y);
      await idle(page);
    }
    await page.getByTestId('row').first().click({ button: 'right' });
    await page.getByTestId('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await page.getByTestId('table').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => window.__fired), undefined);
    assert.equal(await page.locator('#app script, #app iframe, #app img, #app object, #app embed, #app base').count(), 0);
    assert.ok((await page.getByTestId('tree').innerText()).includes('<script>'), 'a payload is there as text');
  },
};
