/**
 * Tests of the viewer in a browser. Prints a line a test; the last one is 'N passed, N failed, N skipped'.
 *
 *   node tests/e2e/run.mjs                        against the mock server
 *   node tests/e2e/run.mjs --tracebraid PROGRAM   against the real one
 *   ... --only WORD    tests whose name contains the word      ... --quick   without those that take long
 *   ... --update       writes the reference pictures anew      ... --shots FOLDER   writes screenshots for the docs;
 *                                                                             with --every, of each theme and size
 *   ... --repeat       runs a test that failed once more, because another program on the machine may have taken the
 *                      time that the page needed; the lines of a test that needs this say so
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumPath, keepEvidence, newPage, startBrowser } from './browser.mjs';
import { collector } from './coverage.mjs';
import { startServer } from './server.mjs';
import * as access from './access.mjs';
import * as clocks from './clocks.mjs';
import * as displayRules from './display_rules.mjs';
import * as interaction from './interaction.mjs';
import * as keyboard from './keyboard.mjs';
import * as memoryDumps from './memory_dumps.mjs';
import * as merge from './merge.mjs';
import * as pages from './pages.mjs';
import * as pictures from './pictures.mjs';
import * as ranks from './ranks.mjs';
import * as screenshots from './screenshots.mjs';
import * as sql from './sql.mjs';
import * as state from './state.mjs';
import * as story from './story.mjs';
import * as timeline from './timeline.mjs';
import * as traceEventRules from './trace_event_rules.mjs';
import * as trackKinds from './track_kinds.mjs';
import * as trackValues from './track_values.mjs';
import * as vectors from './vectors.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const argument = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const options = {
  tracebraid: argument('--tracebraid'), only: argument('--only') ?? '', shots: argument('--shots'),
  isEvery: process.argv.includes('--every'),
  isQuick: process.argv.includes('--quick'), isUpdate: process.argv.includes('--update'), evidence: argument('--evidence') ?? join(here, '../../coverage/e2e'),
};

/** Thrown by a test that cannot run here; the reason is counted and printed. */
export class Skipped extends Error {}

if (!chromiumPath()) {
  console.log('skipped: tests of the viewer in a browser, because there is no chromium (scripts/install-deps chromium)\n0 passed, 0 failed, 1 skipped');
  process.exit(0);
}
const measured = argument('--coverage');
if (measured) Object.assign(options, { isMeasured: true, dist: join(measured, 'dist') });
if (!options.tracebraid && !existsSync(join(options.dist ?? join(here, '../../dist'), 'index.html'))) {
  console.log('the viewer is not built: scripts/ui npm run build\n0 passed, 1 failed, 0 skipped');
  process.exit(1);
}

const all = Object.entries({ ...pages.tests, ...clocks.tests, ...merge.tests, ...story.tests, ...sql.tests, ...timeline.tests, ...interaction.tests, ...trackKinds.tests, ...trackValues.tests, ...displayRules.tests, ...traceEventRules.tests, ...memoryDumps.tests, ...ranks.tests, ...state.tests, ...access.tests, ...keyboard.tests, ...vectors.tests, ...pictures.tests });
const chosen = options.shots ? Object.entries(screenshots.screenshots).filter(([name]) => name.includes(options.only)) : all.filter(([name]) => name.includes(options.only));
if (options.shots) mkdirSync(options.shots, { recursive: true });
const browser = await startBrowser();
const coverage = measured ? collector(options.dist, Boolean(options.tracebraid)) : undefined;
let passed = 0;
const failed = [];
let skipped = 0;
let repeated = 0;
/** Runs a test and returns whether it failed. */
async function run(name, test, isLast) {
  const opened = [];
  const servers = [];
  const context = {
    options,
    /** Starts a server that ends with the test. */
    serve: async (settings = {}) => {
      const server = await startServer({ ...options, ...settings });
      servers.push(server);
      return server;
    },
    /** Opens a page that must stay without problems. */
    page: async (settings = {}) => {
      const page = await newPage(browser, settings);
      opened.push(page);
      await coverage?.start(page);
      return page;
    },
    skip: (reason) => {
      throw new Skipped(reason);
    },
  };
  const start = Date.now();
  let isFailed = false;
  try {
    await test(context);
    for (const page of opened) {
      const violations = await page.evaluate(() => window.__violations).catch(() => []);
      const problems = [...page.problems, ...violations.map((v) => `violation: ${v}`)];
      if (problems.length > 0) throw new Error(problems.join('\n'));
    }
    passed += 1;
    console.log(`${name}: passed, ${((Date.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    if (error instanceof Skipped) {
      skipped += 1;
      console.log(`${name}: skipped, because ${error.message}`);
    } else {
      isFailed = true;
      const reason = error.stack.split('\n', 3).join('\n');
      if (isLast) failed.push(`${name}: ${reason}`);
      console.log(`${name}: ${isLast ? 'FAILED' : 'failed, and is run once more'}\n${error.stack}`);
      for (const [i, page] of opened.entries()) await keepEvidence(page, `${name}_${i}`, options.evidence);
      for (const server of servers) if (server.log) console.log(server.log().slice(-2000));
    }
  }
  for (const page of opened) {
    await coverage?.stop(page);
    await page.context().close();
  }
  coverage?.write(measured, options.tracebraid ? 'browser-real.json' : 'browser-mock.json');
  for (const server of servers) await server.stop();
  return isFailed;
}
for (const [name, test] of chosen) {
  const isRepeated = process.argv.includes('--repeat');
  if (!(await run(name, test, !isRepeated)) || !isRepeated) continue;
  repeated += 1;
  await run(name, test, true);
}
await browser.close();
if (repeated > 0) console.log(`${repeated} ${repeated === 1 ? 'test was' : 'tests were'} run once more`);
// Said again where a reader of a long log looks first.
for (const each of failed) console.log(`FAILED ${each}`);
console.log(`${passed} passed, ${failed.length} failed, ${skipped} skipped`);
process.exit(failed.length > 0 ? 1 : 0);
