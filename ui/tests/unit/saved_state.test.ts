// @vitest-environment happy-dom
/** State documents: what is written is read again, and what is malformed is named. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupings } from '../../src/api/timeline';
import { axisFormats } from '../../src/lib/axis';
import { linkOf, otherInputs, parseState, readState, stateOfLink, type SavedState } from '../../src/state/saved_state';
import { restoreTabs, savedTabs } from '../../src/state/sql_tabs';
import { activeTab, addTab } from '../../src/state/sql';
import { colourModes } from '../../src/timeline/view_types';

const time = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }).map(String);
const names = fc.array(fc.string(), { maxLength: 6 });
const event = fc.record({ kind: fc.constantFrom('slice', 'counter'), row: fc.nat(1e9), track: fc.string(), line: fc.nat(1e9), ts: time, name: fc.string() });
const style = fc.record({ lineHeight: fc.constantFrom(2, 9, 18), maxLines: fc.integer({ min: 1, max: 100_000 }), mode: fc.constantFrom('value', 'rate'), isLog: fc.boolean(), isShared: fc.boolean() }, { requiredKeys: [] });
const saved: fc.Arbitrary<SavedState> = fc.record({
  tracebraid_state: fc.constant<1>(1),
  inputs: fc.array(fc.record({ name: fc.string(), size: fc.nat(), digest: fc.stringMatching(/^[0-9a-f]{32}$/) }), { maxLength: 4 }),
  manifest: fc.option(fc.string()),
  view: fc.record({
    from: time, to: time, part: fc.double({ min: 0, max: 0.999, noNaN: true }), span: fc.double({ min: 8, max: 1e18, noNaN: true }), scroll: fc.nat(1e9),
    area: fc.option(fc.record({ from: time, to: time, rows: fc.option(names) })),
  }),
  grouping: fc.constantFrom(...groupings),
  expanded: names, pins: names, hidden: names,
  filters: fc.option(fc.record({ text: fc.string(), in_view: fc.boolean() })),
  notes: fc.array(fc.record({ ts: time, digit: fc.integer({ min: 0, max: 9 }), pinned: fc.boolean() }), { maxLength: 5 }),
  selection: fc.option(event),
  formats: fc.record({
    times: fc.constantFrom(...axisFormats), clock: fc.string(), colours: fc.constantFrom(...colourModes), line_height: fc.constantFrom(2, 9, 18, 27), names_width: fc.integer({ min: 120, max: 600 }),
    busiest_first: fc.boolean(), empty: fc.boolean(), flows: fc.boolean(), marks: fc.boolean(), sync_points: fc.boolean(), hidden_flows: names,
  }),
  queries: fc.array(fc.record({ title: fc.string(), text: fc.string() }), { maxLength: 4 }),
  tracks: fc.dictionary(fc.string().filter((key) => key !== '__proto__'), style, { maxKeys: 5, noNullPrototype: true }),
  compare: fc.option(event),
});
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('a state is read as it was written', () => {
  fc.assert(fc.property(saved, (state) => {
    expect(readState(JSON.stringify(state))).toEqual({ state: plain(state), problem: null });
  }));
});

test('a link has the state of its view, or there is none', async () => {
  await fc.assert(fc.asyncProperty(saved, async (state) => {
    const link = await linkOf(state);
    if (link === null) return;
    expect(link).toMatch(/^s=[\w-]+$/);
    expect((await stateOfLink(`#${link}`)).state).toEqual(plain(state));
  }), { numRuns: 50 });
  const [large] = fc.sample(saved, 1);
  const noise = Array.from({ length: 3000 }, (_, i) => Math.sin(i).toString(36));
  expect(await linkOf({ ...(large as SavedState), pins: noise })).toBeNull();
});

test('a link that grows beyond 4 MiB is damaged', async () => {
  const huge = new Blob([new Uint8Array(64 << 20)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(huge).arrayBuffer());
  const text = btoa(Array.from(bytes.subarray(0, 6000), (b) => String.fromCharCode(b)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  expect((await stateOfLink(`#s=${text}`)).problem).toBe('the link is damaged');
});

test('a member of the wrong type is named, whichever it is', () => {
  const wrong = fc.constantFrom<unknown>(17.5, 'x', true, [], [null], { a: 1 }, -1);
  fc.assert(fc.property(saved, fc.nat(), wrong, (state, at, value) => {
    const document = plain(state) as Record<string, unknown>;
    const keys = Object.keys(document).filter((k) => k !== 'tracebraid_state');
    const key = keys[at % keys.length] as string;
    const { state: read, problem } = parseState({ ...document, [key]: value });
    // An empty list is a list, and null or a text may be allowed; all else is refused with the member's name.
    if (read === null) expect(problem).toContain(key);
    else expect(parseState(plain(read)).state).toEqual(read);
  }));
});

test.each([
  ['no JSON', 'the file is not JSON'], ['[]', 'the state is not an object'], ['{}', 'the file is not a state of tracebraid'],
  ['{"tracebraid_state":2}', 'the state has version 2, and this viewer knows version 1 only'], ['{"tracebraid_state":1}', 'view is not an object'],
])('%s: %s', (text, problem) => {
  expect(readState(text)).toEqual({ state: null, problem });
});

test('inputs are compared by content', () => {
  const a = { name: 'a', size: 1, digest: 'x' };
  expect(otherInputs([a], [{ ...a, name: 'renamed' }])).toEqual({ missing: [], added: [] });
  expect(otherInputs([a], [{ ...a, size: 2 }])).toEqual({ missing: ['a'], added: ['a'] });
});

test('saved tabs replace the tab of an untouched page, and stand beside others', () => {
  restoreTabs([{ title: 'one', text: 'SELECT 1' }]);
  expect(savedTabs()).toEqual([{ title: 'one', text: 'SELECT 1' }]);
  addTab('SELECT 2', 'two');
  restoreTabs([{ title: 'again', text: 'SELECT 2' }, { title: 'three', text: 'SELECT 3' }]);
  expect(savedTabs().map((t) => t.title)).toEqual(['one', 'two', 'three']);
  expect(activeTab.value.title).toBe('two');
});
