/** Each data vector of traces with a timeline is opened in the browser once. Needs the real server. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStart } from './browser.mjs';
import { loadAll, missingEvents, trackRows } from './timeline.mjs';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Traces that one page opens, one after another. */
const batch = 40;

/** Pages that open traces side by side, each of its own server: one waits for its frames while the other works. */
const pagesAtOnce = 2;

/** Writes the vectors' inputs, and returns the paths of an area below the folder. */
export function inputsOf(folder, area) {
  execFileSync('python3', [join(repository, 'tests/vectors_test.py'), '--materialise', folder], { stdio: 'ignore' });
  return readdirSync(join(folder, area)).sort().flatMap((name) => {
    const trace = readdirSync(join(folder, area, name)).find((file) => file.startsWith('trace.'));
    return trace ? [`${area}/${name}/${trace}`] : [];
  });
}

/** Opens a file below the server's root; returns its trace, or null if the server refuses the file. */
export const openFile = (page, path) => page.evaluate(async (file) => {
  const ask = async (method, where, body) => (await fetch(`/api/v1${where}`, { method, headers: { 'content-type': 'application/json' }, ...(body ? { body: JSON.stringify(body) } : {}) })).json();
  const { roots } = await ask('GET', '/files');
  const { trace, job } = await ask('POST', '/traces', { inputs: [{ name: file, root: roots[0].name, path: file }] });
  for (;;) {
    const { state } = await ask('GET', `/jobs/${job}`);
    if (state === 'done') return trace;
    if (state !== 'queued' && state !== 'running') return null;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}, path);

/** Closes a trace after all that the page asked of it is answered: a request for a closed trace is an error in the console. */
export const closeTrace = (page, trace) => page.evaluate(async (id) => {
  location.hash = '#/start';
  await window.tb.idle();
  await fetch(`/api/v1/traces/${id}`, { method: 'DELETE', headers: { 'content-type': 'application/json' } });
}, trace);

/** Shows the timeline of a trace, with all rows; returns what is wrong with it. */
async function problemsOf(page, trace) {
  await page.evaluate((id) => (location.hash = `#/t/${id}/timeline`), trace);
  await page.waitForFunction((id) => window.tb.view()?.trace === id && window.tb.view().phase.value !== 'loading', trace);
  await loadAll(page);
  const rows = await trackRows(page);
  const problems = [];
  if (rows.twice.length > 0) problems.push(`tracks in two rows: ${rows.twice}`);
  if (rows.missing.length > 0) problems.push(`tracks without a row: ${rows.missing}`);
  const failed = await page.evaluate(() => {
    const view = window.tb.view();
    return { phase: view.phase.value, error: view.error.value, store: view.store.counters, fired: window.__fired === undefined, elements: document.querySelectorAll('#app script, #app iframe, #app img, #app object, #app embed, #app base').length };
  });
  if (failed.phase !== 'ready') problems.push(`not shown: ${failed.error}`);
  if (failed.store.failed + failed.store.dropped > 0) problems.push(`tiles: ${JSON.stringify(failed.store)}`);
  if (!failed.fired || failed.elements > 0) problems.push('a name is not text');
  const count = await page.evaluate(async (id) => {
    const answer = await fetch(`/api/v1/traces/${id}/queries`, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json' }, body: JSON.stringify({ sql: 'SELECT count(*) FROM track' }) });
    return Number((await answer.json()).sets[0].rows[0][0]);
  }, trace);
  if (rows.shown.length !== count || new Set(rows.shown).size !== count) problems.push(`${rows.shown.length} rows of track in the tree, ${count} in the table`);
  const missing = await missingEvents(page);
  if (missing.length > 0) problems.push(`events that are on no track, or on several: ${JSON.stringify(missing)}`);
  return problems;
}

/** Opens all vectors of an area, in one server for each of the pages that work side by side. */
async function openArea({ serve, page: open, options, skip }, area) {
  if (!options.tracebraid) skip('the mock server reads no traces');
  const folder = mkdtempSync(join(tmpdir(), 'tracebraid-vectors-'));
  try {
    const paths = inputsOf(folder, area);
    assert.ok(paths.length > 100, `${paths.length} inputs`);
    const problems = [];
    let opened = 0;
    const rest = [...paths];
    const openBatches = async (server) => {
      const part = rest.splice(0, batch);
      if (part.length === 0) return;
      const page = await open();
      await openStart(page, server);
      for (const path of part) {
        const before = page.problems.length;
        const trace = await openFile(page, path);
        if (trace === null) continue;
        opened += 1;
        problems.push(...(await problemsOf(page, trace)).map((text) => `${path}: ${text}`), ...page.problems.slice(before).map((text) => `${path}: ${text}`));
        await closeTrace(page, trace);
      }
      await page.context().close();
      await openBatches(server);
    };
    await Promise.all(Array.from({ length: pagesAtOnce }, async () => openBatches(await serve({ files: [], args: ['--root', folder] }))));
    assert.deepEqual(problems.sort(), []);
    assert.ok(opened > 0.8 * paths.length, `${opened} of ${paths.length} are opened`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const tests = {
  'every_track: each vector of the Trace Event Format is shown without an error': (context) => openArea(context, 'trace-event-format'),
  'every_track: each vector of Perfetto traces is shown without an error': (context) => openArea(context, 'perfetto-proto'),
};
