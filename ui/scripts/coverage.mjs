/**
 * Prints which lines of ui/src no test executes. Reads what scripts/ui coverage left in a folder: coverage-final.json of
 * the unit tests, which also lists the statements of files that no unit test loads, dist/ with source maps, and
 * browser-*.json of tests/e2e/coverage.mjs. A line counts if a statement begins on it.
 *
 *   node scripts/coverage.mjs FOLDER [--lines WORD]     exit status 1 below 85 % of the lines
 *                                                       --lines: the lines missed in files whose name has the word
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode } from '@jridgewell/sourcemap-codec';

const least = 85;
const root = fileURLToPath(new URL('..', import.meta.url));
const [folder, option, word] = process.argv.slice(2);

/** Returns a function that says whether a byte is in an executed run. */
function executedIn(ends) {
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] <= offset) low = middle + 1;
      else high = middle;
    }
    return low % 2 === 1;
  };
}

/** Source file -> line from 1 -> [column, is executed] of each place that the bundle holds. */
const places = new Map();
for (const run of readdirSync(folder).filter((name) => /^browser-.*\.json$/.test(name))) {
  for (const [name, ends] of Object.entries(JSON.parse(readFileSync(join(folder, run), 'utf8')))) {
    const script = join(folder, 'dist/assets', name);
    const starts = [0];
    for (const line of readFileSync(script, 'utf8').split('\n')) starts.push(starts.at(-1) + line.length + 1);
    const map = JSON.parse(readFileSync(`${script}.map`, 'utf8'));
    const files = map.sources.map((source) => {
      const file = relative(root, join(script, '..', source).replace(/^.*\/ui\/src\//, `${root}src/`));
      if (!places.has(file)) places.set(file, new Map());
      return places.get(file);
    });
    const isExecuted = executedIn(ends);
    decode(map.mappings).forEach((segments, generated) => {
      for (const [at, source, line, column] of segments) {
        if (source === undefined) continue;
        const lines = files[source];
        if (!lines.has(line + 1)) lines.set(line + 1, []);
        lines.get(line + 1).push([column, isExecuted(starts[generated] + at)]);
      }
    });
  }
}

/** Whether a browser executed the statement that begins at a place. */
function isShown(file, { line, column }) {
  const found = places.get(file)?.get(line) ?? [];
  const exact = found.filter(([at]) => at === column);
  const nearest = Math.min(...found.map(([at]) => at).filter((at) => at >= column));
  return (exact.length > 0 ? exact : found.filter(([at]) => at === nearest)).some(([, executed]) => executed);
}

const rows = [];
let [all, hit, byUnit] = [0, 0, 0];
for (const [path, { statementMap, s }] of Object.entries(JSON.parse(readFileSync(join(folder, 'coverage-final.json'), 'utf8')))) {
  const file = relative(root, path);
  const lines = new Map();
  for (const [id, { start }] of Object.entries(statementMap)) {
    const [unit, any] = lines.get(start.line) ?? [false, false];
    lines.set(start.line, [unit || s[id] > 0, any || s[id] > 0 || isShown(file, start)]);
  }
  const missed = [...lines].filter(([, [, any]]) => !any).map(([line]) => line).sort((a, b) => a - b);
  rows.push([file, lines.size, missed]);
  all += lines.size;
  hit += lines.size - missed.length;
  byUnit += [...lines.values()].filter(([unit]) => unit).length;
}
rows.sort((a, b) => b[2].length - a[2].length);
for (const [file, count, missed] of rows) {
  if (missed.length === 0 || (option === '--lines' && !file.includes(word))) continue;
  console.log(`${(100 - (100 * missed.length) / Math.max(1, count)).toFixed(1).padStart(6)} %  ${String(missed.length).padStart(4)} of ${String(count).padStart(4)} lines missed  ${file}`);
  if (option === '--lines') console.log(`          ${missed.join(' ')}`);
}
const percent = (100 * hit) / all;
console.log(`${percent.toFixed(1).padStart(6)} %  ${all - hit} of ${all} lines missed  ui/src (unit tests alone: ${((100 * byUnit) / all).toFixed(1)} %)`);
if (percent < least) console.log(`coverage: less than ${least} %`);
process.exitCode = percent < least ? 1 : 0;
