/** Rules of the viewer's sources that the compiler does not check (docs/spec/viewer.md 2.1 and 11.4). */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(new URL('.', import.meta.url)), '../src');
const problems = [];

/** What no source may contain: text becomes an element's text, never markup or code. */
const forbidden = [
  [/\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML)\b/, 'makes markup from text'],
  [/\beval\s*\(|\bnew Function\b|\bFunction\s*\(/, 'makes code from text'],
  [/\bdocument\.write\b/, 'makes markup from text'],
  [/set(Timeout|Interval)\(\s*['"`]/, 'makes code from text'],
  [/:\s*any\b|\bas any\b|<any>/, 'has the type any'],
  [/@ts-(ignore|nocheck)/, 'turns the compiler off'],
];

/** Folders, and the folders whose files they must not import. */
const layers = { lib: ['pages', 'widgets', 'state', 'api'], api: ['pages', 'widgets', 'state'], state: ['pages', 'widgets'], widgets: ['pages'], timeline: ['pages'] };

const files = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name));

for (const path of files(root).filter((p) => /\.tsx?$/.test(p))) {
  const name = relative(root, path);
  const folder = name.split('/')[0];
  const lines = readFileSync(path, 'utf8').split('\n');
  if (!lines[0].startsWith('/**')) problems.push(`${name}:1: no comment says what the file holds`);
  if (lines.length > 330 && name !== 'api/types.ts') problems.push(`${name}: ${lines.length} lines are more than one reads in a sitting`);
  lines.forEach((line, i) => {
    const report = (text) => problems.push(`${name}:${i + 1}: ${text}`);
    const code = line.replace(/^\s*(\*|\/\/|\/\*\*).*$/, '');
    for (const [pattern, text] of forbidden) if (pattern.test(code)) report(text);
    if (folder !== 'api' && /\bfetch\s*\(|\bnew WebSocket\b|\bnew EventSource\b|\bXMLHttpRequest\b|\bsendBeacon\b/.test(code)) report('only api/ talks to the server');
    const from = /from '(\.\.?\/[^']*)'|import\('(\.\.?\/[^']*)'\)/.exec(code);
    if (!from) return;
    const target = relative(root, join(path, '..', from[1] ?? from[2])).split('/')[0];
    if (layers[folder]?.includes(target) && !/^\s*import type/.test(code)) report(`${folder}/ must not import ${target}/`);
  });
}

for (const path of files(join(root, 'styles')).filter((p) => p.endsWith('.css') && !p.endsWith('tokens.css'))) {
  readFileSync(path, 'utf8').split('\n').forEach((line, i) => {
    if (/#[0-9a-f]{3,8}\b(?![^;]*url)/i.test(line) && !/#app/.test(line) && !/background: #fff/.test(line)) problems.push(`${relative(root, path)}:${i + 1}: a colour that is no token`);
  });
}

for (const problem of problems) console.error(problem);
console.log(`lint: ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
