/**
 * Measures opening and long use of the timeline: P1, P3, P8 and P9 of docs/spec/viewer.md 12. Prints number, limit and machine.
 *
 *   node bench/open.mjs --tracebraid PROGRAM --trace FILE [--json FILE] [--small FILE] [--minutes N] [--jumps N]
 *
 * `--trace` is a braid, or any trace; `--json` a large JSON trace, whose import the page waits for; `--small` a trace of
 * about 1 MB, with which the heap after N minutes of use is compared (10 minutes; 0: not measured).
 *
 * A measurement that fails is a row of the table, and the others go on. Ctrl+C, or SIGTERM as a time limit sends it, ends the
 * servers and prints the rows so far. The exit status is 1 if a measurement failed or was cut.
 */
import { statSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { idle, newPage, startBrowser, testAddress } from '../tests/e2e/browser.mjs';
import { startServer } from '../tests/e2e/server.mjs';
import { openAll } from '../tests/e2e/timeline.mjs';

const argument = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const tracebraid = argument('--tracebraid');
const trace = argument('--trace');
const json = argument('--json');
const small = argument('--small');
const minutes = Number(argument('--minutes', '10'));
const jumps = Number(argument('--jumps', '200'));

/** The longest time for a step of a page, in ms: a large file on a busy machine. */
const patience = 600_000;

const rows = [];
const say = (name, value, limit = '') => {
  rows.push([name, value, limit]);
  console.error(`${name}: ${value}`); // the table is printed at the end, which a run that is cut does not reach
};
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const size = (path) => `${(statSync(path).size / 1e9).toFixed(2)} GB`;
const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];

const browser = await startBrowser();
let failures = 0;
/** Servers and pages of the measurement that runs. */
const open = new Set();

async function closeAll() {
  for (const each of [...open].reverse()) await each().catch(() => undefined);
  open.clear();
}

/** Starts a server, or opens a page, that ends with the measurement. */
async function serve(file) {
  const server = await startServer({ tracebraid, files: [file] });
  open.add(() => server.stop());
  return server;
}
async function openPage() {
  const page = await newPage(browser, { width: 1280, height: 800 });
  page.setDefaultTimeout(patience);
  open.add(() => page.context().close());
  return page;
}

/** Runs a measurement; what it throws is a row. */
async function measure(name, run) {
  try {
    await run();
  } catch (error) {
    failures += 1;
    say(name, `failed: ${String(error.message ?? error).split('\n')[0]}`);
  }
  await closeAll();
}

function printTable() {
  console.log(`Machine: ${cpus()[0]?.model}, ${cpus().length} cores, ${(totalmem() / 1e9).toFixed(0)} GB; chromium without a GPU; ${tracebraid}\n`);
  console.log('| Opening and use | number | limit |\n|---|---:|---:|');
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, async () => {
  say('the rest', 'cut');
  printTable();
  await Promise.race([closeAll().then(() => browser.close()), new Promise((resolve) => setTimeout(resolve, 5000))]);
  process.exit(1);
});

/** Resolves in the page with the time of the frame that has data of all rows, in ms since 1970. */
const firstData = (page) => page.waitForFunction(() => {
  const at = window.tb?.timeline();
  return at && at.counters.items > 0 && at.missing === 0 ? performance.timeOrigin + performance.now() : false;
}, undefined, { polling: 'raf', timeout: patience }).then((handle) => handle.jsonValue());

// P9, P1: the process starts, the page is opened as soon as the address is printed.
await measure('P1, P3, P9', async () => {
  // The browser and an empty page are there before: their start is not ours.
  const page = await openPage();
  const start = Date.now();
  const server = await serve(trace);
  const asked = Date.now();
  await page.goto(testAddress(server.address));
  const data = await firstData(page);
  say(`P1, ${size(trace)}: from the start of the process to the first frame with data`, ms(data - start), '1 s');
  const interactive = await page.evaluate(() => performance.timeOrigin + performance.getEntriesByType('navigation')[0].domInteractive);
  say('P9: page load with an empty cache, until interactive', ms(interactive - asked), '1.5 s');
  await page.context().close();
  const warm = await openPage();
  await warm.goto(testAddress(server.address));
  await firstData(warm);
  await warm.reload();
  const again = await firstData(warm);
  say('P1: the same, warm, from the navigation on', ms(again - (await warm.evaluate(() => performance.timeOrigin))), '0.3 s');

  // P3: 40 tracks of 1,920 px, random windows.
  await warm.setViewportSize({ width: 2240, height: 1440 });
  await openAll(warm);
  await warm.evaluate(() => {
    const view = window.tb.view();
    // Threads with slices have several lines: 40 tracks are in view if these are low.
    view.lineHeight.value = 9;
    view.fitTrace();
    view.scrollTo(view.totalHeight.value / 3);
  });
  await idle(warm);
  const { times, tracks, jumped } = await warm.evaluate(async (n) => {
    const view = window.tb.view();
    const { store } = view;
    let arrived = 0;
    const take = store.take.bind(store);
    store.take = (bytes) => {
      take(bytes);
      arrived = performance.now();
    };
    const whole = view.bounds.to - view.bounds.from;
    let state = 99;
    const random = () => ((state = (state * 1103515245 + 12345) % 2147483648) / 2147483648);
    const turn = () => new Promise((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    });
    const found = [];
    for (let i = 0; i < n; i += 1) {
      const span = Number(whole) * 10 ** (-5 * random());
      const from = view.bounds.from + BigInt(Math.floor((Number(whole) - span) * random()));
      const start = performance.now();
      view.setWindow({ from, part: 0, span });
      await new Promise((resolve) => requestAnimationFrame(resolve));
      while (store.isBusy) await turn();
      // A jump to what was at hand waits for nothing.
      if (arrived > start) found.push(arrived - start);
      await window.tb.idle();
    }
    const { composer } = window.tb.surface();
    return { times: found, jumped: n, tracks: composer.placements.slice(0, composer.placementCount).filter((p) => p.row.layers.length > 0).length };
  }, jumps);
  say(`P3, ${tracks} rows with tracks in view: ${times.length} of ${jumped} jumps need tiles; until the last has arrived, p50`, ms(quantile(times, 0.5)), '25 ms');
  say('P3, p99', ms(quantile(times, 0.99)), '60 ms');
});

// P1: the page waits for the import of JSON.
if (json) await measure('P1 of JSON', async () => {
  const server = await serve(json);
  const page = await openPage();
  let opened = 0;
  // The import has ended when the server says so for the first time; it is asked each 20 ms beside the page.
  const ask = async () => (await fetch(new URL('/api/v1/traces', server.address), { headers: { authorization: `Bearer ${server.token}` } })).json();
  const watch = setInterval(() => ask().then(({ traces }) => {
    if (traces[0]?.state === 'open' && opened === 0) opened = Date.now();
  }, () => undefined), 20);
  open.add(async () => clearInterval(watch));
  await page.goto(testAddress(server.address));
  const data = await firstData(page);
  clearInterval(watch);
  say(`P1, ${size(json)} of JSON: from the end of the import to the first frame with data`, ms(Math.max(0, data - opened)), '1 s');
});

/** Uses a trace for a while: zooms, pans, scrolls, selects, searches. Returns the bytes of the heap after a collection. */
async function heapAfter(file, forMs) {
  const server = await serve(file);
  const page = await openPage();
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  await page.goto(testAddress(server.address));
  await firstData(page);
  await openAll(page);
  const end = Date.now() + forMs;
  for (let step = 0; Date.now() < end; step += 1) {
    await page.evaluate(async (n) => {
      const view = window.tb.view();
      const whole = Number(view.bounds.to - view.bounds.from);
      const at = (n * 0.618) % 1;
      const span = Math.max(1000, whole / 2 ** (n % 24));
      view.setWindow({ from: view.bounds.from + BigInt(Math.floor(at * Math.max(0, whole - span))), part: 0, span });
      view.scrollTo(view.totalHeight.value * ((n * 0.37) % 1));
      await window.tb.idle();
      for (let i = 0; i < 20; i += 1) {
        view.pan(span / 20);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      await window.tb.idle();
    }, step);
    if (step % 10 === 0) {
      await page.mouse.click(700, 300 + (step % 7) * 40);
      await idle(page);
      await page.keyboard.press('Escape');
    }
  }
  await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics');
  return metrics.find((m) => m.name === 'JSHeapUsedSize').value;
}

if (minutes > 0) {
  let large;
  await measure('P8', async () => {
    large = await heapAfter(trace, minutes * 60_000);
    say(`P8: heap after ${minutes} minutes of use, ${size(trace)}`, mb(large), '200 MB');
  });
  if (small) await measure('P8 of a small trace', async () => {
    const little = await heapAfter(small, minutes * 60_000);
    say(`P8: the same, ${mb(statSync(small).size)}; the difference`, `${mb(little)}; ${large === undefined ? 'not known' : mb(large - little)}`, '200 MB; 20 MB');
  });
}
await browser.close();
printTable();
process.exit(failures > 0 ? 1 : 0);
