/**
 * Measures the grid of the SQL page with a large result: P13 and the memory of docs/spec/viewer.md 12. Prints number,
 * limit and machine.
 *
 *   node bench/grid.mjs --tracebraid PROGRAM [--rows N] [--trace FILE --sql QUERY]
 *
 * Without a trace the rows are those of a recursive statement over the examples. Frames are compared with an empty
 * loop of the same run, because a browser without a GPU on a busy machine has fewer of them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { newPage, startBrowser, idle } from '../tests/e2e/browser.mjs';
import { examples, startServer } from '../tests/e2e/server.mjs';
import { openSql, write } from '../tests/e2e/sql.mjs';

const argument = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const tracebraid = argument('--tracebraid');
const count = Number(argument('--rows', '10000000'));
const trace = argument('--trace');
const sql = argument('--sql', `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${count}) SELECT x AS row, x * 1000 AS ts, x % 977 AS dur, 'row ' || x AS name FROM n`);

const rows = [];
const say = (name, value, limit = '') => rows.push([name, value, limit]);
const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Milliseconds until the command line prints the first row of the same statement, and until it ends. */
function commandLine(files) {
  const start = process.hrtime.bigint();
  // `head` ends the program behind the first line.
  execFileSync('bash', ['-c', '"$0" query "${@:2}" "$1" --format ndjson 2>/dev/null | head -n 1 >/dev/null', tracebraid, sql, ...files]);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** Frames of `seconds` of a loop that runs `each` in every frame; and the longest frame. */
const loop = (page, seconds, each) => page.evaluate(([s, source]) => new Promise((resolve) => {
  const table = document.querySelector('regular-table');
  const step = new Function('table', 'n', source); // the page of a benchmark only: it runs in the isolated world of the driver
  const times = [];
  const start = performance.now();
  const frame = (now) => {
    times.push(now);
    step(table, times.length);
    if (now - start < s * 1000) requestAnimationFrame(frame);
    else resolve({ frames: times.length, longest: Math.max(...times.slice(1).map((t, i) => t - times[i])) });
  };
  requestAnimationFrame(frame);
}), [seconds, each]);

const browser = await startBrowser();
const server = await startServer({ tracebraid, files: trace ? [trace] : examples });
const page = await newPage(browser, { width: 1440, height: 900 });
const client = await page.context().newCDPSession(page);
await client.send('Performance.enable');
async function heap() {
  await client.send('HeapProfiler.collectGarbage');
  const { metrics } = await client.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map((m) => [m.name, m.value]));
}
const serverMemory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

await openSql(page, server);
await write(page, sql);
await page.keyboard.press('Escape');
// The page measures itself, from the click until the frame with the first rows: the driver takes a while to find and press a button.
await page.evaluate(() => {
  addEventListener('click', () => (window.clickedAt = performance.now()), { capture: true, once: true });
  const observer = new MutationObserver(() => {
    if (!document.querySelector('regular-table td')) return;
    observer.disconnect();
    requestAnimationFrame(() => (window.firstRows = performance.now() - window.clickedAt));
  });
  observer.observe(document.body, { subtree: true, childList: true });
});
const begin = Date.now();
await page.getByRole('button', { name: 'Run all' }).click();
await page.waitForFunction(() => window.firstRows !== undefined);
say('first rows of the result in the grid', ms(await page.evaluate(() => window.firstRows)), 'command line + 50 ms');
await page.getByTestId('running').waitFor({ state: 'detached', timeout: 600_000 });
say(`all ${count.toLocaleString('en')} rows kept by the server`, ms(Date.now() - begin));
say('first row on the command line, with opening the files', ms(commandLine(trace ? [trace] : examples)));
await idle(page);

const before = await heap();
/** Jumps to a place and waits until its rows are drawn. */
const jump = (share) => page.evaluate((s) => new Promise((resolve, reject) => {
  const table = document.querySelector('regular-table');
  const first = () => table.querySelector('tbody th')?.textContent;
  const was = first();
  const start = performance.now();
  table.scrollTop = s * (table.scrollHeight - table.clientHeight);
  const check = () => {
    if (first() !== was) resolve(performance.now() - start);
    else if (performance.now() - start > 60_000) reject(new Error('no rows after 60 s'));
    else setTimeout(check, 1);
  };
  check();
}), share);
let state = 12345;
const random = () => ((state = (state * 1103515245 + 12345) % 2147483648) / 2147483648);
const jumps = [];
for (let i = 0; i < 100; i += 1) jumps.push(await jump(random()));
say('jump to any place, p50', ms(quantile(jumps, 0.5)), '100 ms');
say('jump to any place, p95', ms(quantile(jumps, 0.95)), '100 ms');

const empty = await loop(page, 3, '');
const busyBefore = (await client.send('Performance.getMetrics')).metrics;
const wheel = await loop(page, 5, 'table.scrollTop += (n % 600 < 300 ? 1 : -1) * 3 * (Math.min(1e7, table.scrollHeight) / Math.max(1, Number(table.querySelector("table").getAttribute("aria-rowcount"))));');
say('frames while scrolling by 3 rows a frame / of an empty loop', `${((100 * (wheel.frames / 5)) / (empty.frames / 3)).toFixed(0)} %`, '50 %');
const busy = async (name) => (1000 * ((await client.send('Performance.getMetrics')).metrics.find((m) => m.name === name).value - busyBefore.find((m) => m.name === name).value)) / wheel.frames;
say('script, style, layout of a frame', `${ms(await busy('ScriptDuration'))}, ${ms(await busy('RecalcStyleDuration'))}, ${ms(await busy('LayoutDuration'))}`);
say('longest frame while scrolling / of an empty loop', `${ms(wheel.longest)} / ${ms(empty.longest)}`);

for (let i = 0; i < 300; i += 1) await jump(random());
const after = await heap();
say('JS heap before and after 400 jumps', `${mb(before.JSHeapUsedSize)}, ${mb(after.JSHeapUsedSize)}`, '200 MB, difference 20 MB');
say('elements of the page after it', String(after.Nodes), '');
say('DOM elements in the document', String(await page.evaluate(() => document.querySelectorAll('*').length)), '2,500');
say('resident memory of the server', mb(serverMemory()));
await browser.close();
await server.stop();

console.log(`Machine: ${cpus()[0]?.model}, ${cpus().length} cores, ${(totalmem() / 1e9).toFixed(0)} GB; chromium without a GPU; ${tracebraid}\n`);
console.log('| Grid of 10 M rows | number | limit |\n|---|---:|---:|'.replace('10 M', count.toLocaleString('en')));
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
