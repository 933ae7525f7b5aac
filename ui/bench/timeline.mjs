/**
 * Measures the timeline in the browser: P6, P7 and the counts of docs/spec/viewer.md 12. Prints number, limit and machine.
 *
 *   node bench/timeline.mjs [--tracebraid PROGRAM --trace FILE] [--seconds N]
 *
 * Without a program the mock server serves a made-up trace. Frames are compared with an empty loop of the same run,
 * because a browser without a GPU on a busy machine has fewer of them.
 */
import { cpus, totalmem } from 'node:os';
import { newPage, startBrowser, idle } from '../tests/e2e/browser.mjs';
import { startServer } from '../tests/e2e/server.mjs';
import { openAll, openTimeline, state } from '../tests/e2e/timeline.mjs';

const argument = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const tracebraid = argument('--tracebraid');
const trace = argument('--trace');
const seconds = Number(argument('--seconds', '10'));

const rows = [];
const say = (name, value, limit = '') => rows.push([name, value, limit]);
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/**
 * Runs a loop of frames; `kind` says what each frame does. Returns frames, script times of drawing (p95), the longest
 * frame, and long tasks.
 */
const loop = (page, s, kind) => page.evaluate(([length, what]) => new Promise((resolve) => {
  const view = window.tb.view();
  const times = [];
  const scripts = [];
  let long = 0;
  const observer = new PerformanceObserver((list) => (long = Math.max(long, ...list.getEntries().map((e) => e.duration))));
  observer.observe({ entryTypes: ['longtask'] });
  const counters = window.tb.surface().counters;
  let frames = counters.frames;
  const start = performance.now();
  const frame = (now) => {
    times.push(now);
    if (counters.frames !== frames) scripts.push(counters.time);
    frames = counters.frames;
    const n = times.length;
    if (what === 'pan') {
      view.pan(view.window.value.span * 0.004 * (n % 400 < 200 ? 1 : -1));
      if (n % 100 < 50) view.zoom(n % 200 < 100 ? 0.99 : 1 / 0.99);
    } else if (what === 'scroll') view.scrollTo((view.totalHeight.value * (now - start)) / (length * 1000));
    if (now - start < length * 1000) requestAnimationFrame(frame);
    else {
      observer.disconnect();
      scripts.sort((a, b) => a - b);
      resolve({ frames: times.length, long, p50: scripts[Math.floor(scripts.length * 0.5)] ?? 0, p95: scripts[Math.floor(scripts.length * 0.95)] ?? 0, drawn: scripts.length });
    }
  };
  requestAnimationFrame(frame);
}), [s, kind]);

const browser = await startBrowser();

/** Measures one scene: the same steps with another world, height of lines and limits. */
async function measure(name, { world, lineHeight, share, limits, kind = 'pan', height = 800 }) {
  const server = await startServer({ tracebraid, ...(trace ? { files: [trace] } : {}), world });
  const page = await newPage(browser, { width: 1280, height });
  await openTimeline(page, server);
  await openAll(page);
  await page.evaluate(([h, part]) => {
    const view = window.tb.view();
    view.lineHeight.value = h;
    view.fitTrace();
    view.zoom(part, 0.4);
  }, [lineHeight, share]);
  await idle(page);
  const empty = await loop(page, 3, 'nothing');
  const busy = await loop(page, seconds, kind);
  const { counters, rows: count } = await state(page);
  const perSecond = ((100 * (busy.frames / seconds)) / (empty.frames / 3)).toFixed(0);
  say(`${name}: frames of an empty loop`, `${perSecond} %`, limits.frames);
  say(`${name}: script time of a frame, p50 and p95`, `${ms(busy.p50)}, ${ms(busy.p95)}`, limits.script);
  say(`${name}: longest task`, busy.long === 0 ? 'none above 50 ms' : ms(busy.long), limits.long ?? '50 ms');
  say(`${name}: rows, items at the end, draw calls`, `${count}, ${counters.items}, ${counters.maxDrawCalls}`, '16 draw calls');
  say(`${name}: elements of the page`, String(await page.evaluate(() => document.querySelectorAll('*').length)), '2,500');
  await page.context().close();
  await server.stop();
}

await measure('P6, 40 tracks', { world: {}, lineHeight: 18, share: 0.4, limits: { frames: '90 %', script: 'p95 8 ms' } });
await measure('P6, 1,000 tracks', { world: { threads: 1000 }, lineHeight: 2, share: 0.9, height: 1440, limits: { frames: '50 %', script: 'p95 25 ms' } });
await measure('P7, scrolling', { world: { threads: 2400 }, lineHeight: 18, share: 0.9, kind: 'scroll', limits: { frames: '50 %', script: 'p95 25 ms', long: '100 ms' } });
await browser.close();

console.log(`Machine: ${cpus()[0]?.model}, ${cpus().length} cores, ${(totalmem() / 1e9).toFixed(0)} GB; chromium without a GPU; ${tracebraid ?? 'the mock server'}\n`);
console.log('| Timeline | number | limit |\n|---|---:|---:|');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
