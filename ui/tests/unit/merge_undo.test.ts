// @vitest-environment happy-dom
/** Check merge_undo: random actions on the merge page, all undone: the manifest is byte-equal, and redone it is as it was. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockNames, manifestText, parseManifest, patternFor, withAttribute, withMachine, withMachineInside, withOwnEntry, withPattern, withPlacing, withSkew, withWhole, type Placing } from '../../src/lib/manifest';
import { withGroup, withKinds } from '../../src/lib/manifest_content';
import { draft, edit, step } from '../../src/state/merge';

const names = ['app.json', 'phone.pftrace', 'watch.pftrace'] as const;
const first = '{"perfetto_manifest":{"version":1,  "files":[{"path":"app.json","note":[1, 2]}]},\t"more":1e3}\n';

const file = fc.constantFrom(...names);
const placing: fc.Arbitrary<Placing> = fc.oneof(
  fc.constant<Placing>({ kind: 'automatic' }),
  fc.record({ kind: fc.constant('offset' as const), file, clock: fc.constantFrom('', ...clockNames), offset: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }) }),
  fc.record({
    kind: fc.constant('offset' as const), file, clock: fc.constantFrom('', ...clockNames), own: fc.constantFrom(...clockNames), offset: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), drift: fc.integer({ min: -1000, max: 1000 }), at: fc.bigInt({ min: 0n, max: 10n ** 15n }),
  }),
  fc.record({ kind: fc.constant('points' as const), file, clock: fc.constantFrom('', ...clockNames), points: fc.array(fc.record({ own: fc.bigInt({ min: 0n, max: 10n ** 15n }), other: fc.bigInt({ min: 0n, max: 10n ** 15n }) }), { minLength: 1, maxLength: 4 }) }),
  fc.record({ kind: fc.constant('start' as const), time: fc.constantFrom('2026-11-20T12:03:04Z', 'soon') }),
);
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('placing' as const), file, placing }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('machine' as const), file, name: fc.constantFrom('', 'phone', 'w"\u202E') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pattern' as const), file }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('own' as const), file }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('whole' as const), model: fc.constantFrom('' as const, 'step' as const), align: fc.constantFrom('' as const, 'off' as const), timeline: fc.constantFrom(null, { file: 'watch.pftrace', clock: 'REALTIME' }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('inside' as const), file, id: fc.nat({ max: 3 }), name: fc.constantFrom('', 'guest', 'host') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('skew' as const), name: fc.constantFrom('watch', 'phone'), skew: fc.constantFrom(0n, 20_000_000n, -1n) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('attribute' as const), key: fc.constantFrom('run', '__proto__'), value: fc.constantFrom(null, '7', 'x') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kinds' as const), file, kinds: fc.constantFrom(null, [], ['flows']) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('group' as const), file, group: fc.constantFrom('', 'tsc') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('text' as const), text: fc.string() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'undo' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'redo' as const }) },
);

const text = (): string => draft.value?.versions[draft.value.at] ?? '';

function run(next: typeof action extends fc.Arbitrary<infer T> ? T : never): void {
  if (next.kind === 'undo') return step(-1);
  if (next.kind === 'redo') return step(1);
  if (next.kind === 'text') return edit(next.text);
  const manifest = parseManifest(text());
  if (typeof manifest === 'string') return; // the form is not shown
  if (next.kind === 'pattern') return edit(manifestText(withPattern(manifest, next.file, patternFor(next.file))));
  if (next.kind === 'inside') return edit(manifestText(withMachineInside(manifest, next.file, next.id, next.name)));
  if (next.kind === 'skew') return edit(manifestText(withSkew(manifest, next.name, next.skew)));
  if (next.kind === 'attribute') return edit(manifestText(withAttribute(manifest, next.key, next.value)));
  if (next.kind === 'kinds') return edit(manifestText(withKinds(manifest, next.file, next.kinds)));
  if (next.kind === 'group') return edit(manifestText(withGroup(manifest, next.file, next.group)));
  if (next.kind === 'own') return edit(manifestText(withOwnEntry(manifest, next.file)));
  if (next.kind === 'whole') return edit(manifestText(withWhole(manifest, next)));
  edit(manifestText(next.kind === 'machine' ? withMachine(manifest, next.file, next.name) : withPlacing(manifest, next.file, next.placing)));
}

test('merge_undo: 100 random actions, all undone: the manifest is byte-equal', () => {
  fc.assert(fc.property(fc.array(action, { minLength: 100, maxLength: 100 }), (actions) => {
    draft.value = { trace: '1', inputs: [], names: [...names], facts: new Map(), versions: [first], at: 0, hasManifest: true };
    for (const next of actions) run(next);
    const last = text();
    const steps = draft.value?.at ?? 0;
    for (let i = 0; i < steps; i += 1) step(-1);
    expect(text()).toBe(first);
    expect(draft.value?.at).toBe(0);
    for (let i = 0; i < steps; i += 1) step(1);
    expect(text()).toBe(last);
  }), { numRuns: 30 });
});

test('undo goes back 200 steps', () => {
  draft.value = { trace: '1', inputs: [], names: [...names], facts: new Map(), versions: [first], at: 0, hasManifest: true };
  for (let i = 1; i <= 250; i += 1) edit(String(i));
  for (let i = 0; i < 200; i += 1) step(-1);
  expect(text()).toBe('50');
  step(-1);
  expect(text()).toBe('50');
});
