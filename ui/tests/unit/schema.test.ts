/** What completion offers: own tables, and those of modules that the text includes. */
import { afterEach, expect, test, vi } from 'vitest';
import { schema } from '../../src/api/traces';
import { includedModules, namespaceOf } from '../../src/widgets/editor';

afterEach(() => vi.unstubAllGlobals());

const document = {
  relations: [{ name: 'slice', kind: 'table', about: 'Slices.', columns: [{ name: 'ts', type: 'int', about: 'Start.' }] }],
  functions: [{ name: 'extract_arg' }],
  modules: [
    { key: 'slices.with_context', about: 'Slices and threads.', objects: [
      { name: 'thread_slice', kind: 'view', about: 'A slice of a thread.', columns: [{ name: 'utid', type: 'INT', about: 'Thread.' }] },
      { name: 'slice_depth', kind: 'function', about: 'Depth.', arguments: [{ name: 'id', type: 'INT' }, { name: 'x' }], returns: 'INT' },
    ] },
    { key: 'sched.states' },
  ],
};

test('modules give their tables and functions', async () => {
  vi.stubGlobal('fetch', vi.fn(async () => new Response(JSON.stringify(document))));
  const made = await schema('1');
  expect(made.tables.map((t) => [t.name, t.module])).toEqual([['slice', undefined], ['thread_slice', 'slices.with_context']]);
  expect(made.functions[1]).toEqual({ name: 'slice_depth', signature: 'slice_depth(id INT, x) -> INT', description: 'Depth.', module: 'slices.with_context' });
  expect(Object.keys(namespaceOf(made))).toEqual(['slice']);
  expect(Object.keys(namespaceOf(made, ['slices.with_context']))).toEqual(['slice', 'thread_slice']);
  const included = (text: string): string[] => includedModules(text, made);
  expect(included('SELECT 1')).toEqual([]);
  expect(included('include perfetto  module slices.with_context; SELECT 1')).toEqual(['slices.with_context']);
  expect(included('INCLUDE PERFETTO MODULE slices.*;')).toEqual(['slices.with_context']);
  expect(included('INCLUDE PERFETTO MODULE sched.states; INCLUDE PERFETTO MODULE nope;')).toEqual(['sched.states']);
});
