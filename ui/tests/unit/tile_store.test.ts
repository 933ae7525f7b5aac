/** What is asked for, kept and forgotten of tiles; names; rows of the tree. */
import { expect, test, vi } from 'vitest';
import type { TreeNode } from '../../src/api/timeline';
import { argTree, filterArgs, keyParts, linkOf } from '../../src/lib/arg_tree';
import { buildRows, heightOf, rowAt, stickyRows, type RowOptions } from '../../src/timeline/rows';
import { TextStore } from '../../src/timeline/texts';
import { TileStore, type TileRequest } from '../../src/timeline/tile_store';
import { Tree } from '../../src/timeline/tree';
import { sliceFrame } from '../mock/tiles.mjs';

function storeOf(limit?: number): { store: TileStore; sent: TileRequest[]; cancelled: number[]; answer: (request: TileRequest) => void } {
  const sent: TileRequest[] = [];
  const cancelled: number[] = [];
  const store = new TileStore((r) => sent.push({ ...r, tiles: [...r.tiles] }) > 0, (id) => cancelled.push(id), () => undefined, limit);
  const answer = (r: TileRequest): void => {
    for (const [track, first, tiles] of r.tiles) {
      const bytes = sliceFrame({ id: r.id, track, generation: r.generation, level: r.level, first, tiles }, [{ start: 1, end: 300, row: 1, name: 1, count: 1, busy: 299, line: 0, flags: 0, colour: 1 }]);
      store.take(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
    }
    store.done(r.id, false, []);
  };
  return { store, sent, cancelled, answer };
}

test('only what is missing is asked for, once, the most urgent first', () => {
  const { store, sent, answer } = storeOf();
  store.begin(5);
  store.want(1, 'value', 5, -2, 4, 50);
  store.want(2, 'value', 5, 0, 2, 10);
  store.flush();
  expect(sent.map((r) => r.tiles)).toEqual([[[2, 0, 2], [1, -2, 4]]]);
  store.want(1, 'value', 5, -2, 4, 0);
  store.flush();
  expect(sent.length).toBe(1);
  answer(sent[0] as TileRequest);
  expect(store.chunks(1, 'value', 5).map((c) => [c.first, c.tiles])).toEqual([[-2, 4]]);
  store.begin(5);
  store.want(1, 'value', 5, -4, 8, 0);
  store.flush();
  expect(sent[1]?.tiles).toEqual([[1, -4, 2], [1, 2, 2]]);
  answer(sent[1] as TileRequest);
  expect(store.chunks(1, 'value', 5).map((c) => c.first)).toEqual([-4, -2, 2]);
  expect(store.isBusy).toBe(false);
});

test('a request has at most 64 tiles of one level and mode, and six are under way', () => {
  const { store, sent } = storeOf();
  store.begin(3);
  for (let node = 0; node < 200; node += 1) store.want(node, node % 2 ? 'value' : 'summary', 3, 0, 5, node);
  store.flush();
  expect(sent.length).toBe(6);
  for (const r of sent) {
    expect(r.tiles.reduce((sum, [, , n]) => sum + n, 0)).toBeLessThanOrEqual(64);
    expect(new Set(r.tiles.map(([node]) => node % 2)).size).toBe(1);
  }
});

test('another level raises the generation and cancels what was asked for', () => {
  const { store, sent, cancelled, answer } = storeOf();
  store.begin(3);
  store.want(1, 'value', 3, 0, 1, 0);
  store.flush();
  store.begin(4);
  store.want(1, 'value', 4, 0, 1, 0);
  store.flush();
  expect(cancelled).toEqual([sent[0]?.id]);
  expect((sent[1]?.generation ?? 0) > (sent[0]?.generation ?? 0)).toBe(true);
  answer(sent[0] as TileRequest); // too late: nobody waits for it
  expect(store.chunks(1, 'value', 3)).toEqual([]);
});

test('what the server refuses is not asked for again, what it cancelled is', () => {
  const { store, sent } = storeOf();
  store.begin(3);
  store.want(1, 'value', 3, 0, 1, 0);
  store.want(2, 'value', 3, 0, 1, 0);
  store.flush();
  store.done(sent[0]?.id ?? 0, false, [1, 2]);
  store.begin(3);
  store.want(1, 'value', 3, 0, 1, 0);
  store.want(3, 'value', 3, 0, 1, 0);
  store.flush();
  expect(sent[1]?.tiles).toEqual([[3, 0, 1]]);
  expect(store.counters.failed).toBe(2);
  store.done(sent[1]?.id ?? 0, true, []);
  store.begin(3);
  store.want(3, 'value', 3, 0, 1, 0);
  store.flush();
  expect(sent[2]?.tiles).toEqual([[3, 0, 1]]);
});

test('a refused tile does not keep its neighbours away, and is not asked for with them', () => {
  const { store, sent } = storeOf();
  store.begin(3);
  store.want(1, 'value', 3, 2, 1, 0);
  store.flush();
  store.done(sent[0]?.id ?? 0, false, [1]);
  for (const first of [0, 2]) {
    store.begin(3);
    store.want(1, 'value', 3, first, 4, 0);
    store.flush();
  }
  expect(sent.slice(1).map((r) => r.tiles)).toEqual([[[1, 0, 2], [1, 3, 1]], [[1, 4, 2]]]);
});

test('answers go to the store that asked, and not to a mode that was forgotten', () => {
  const [one, other] = [storeOf(), storeOf()];
  for (const { store } of [one, other]) {
    store.begin(3);
    store.want(1, 'hits', 3, 0, 1, 0);
    store.flush();
  }
  const [mine, theirs] = [one.sent[0]?.id ?? 0, other.sent[0]?.id ?? 0];
  expect(mine).not.toBe(theirs);
  expect([one.store.isWaitingFor(mine), one.store.isWaitingFor(theirs)]).toEqual([true, false]);
  one.store.forgetMode('hits');
  expect(one.cancelled).toEqual([mine]);
  one.answer(one.sent[0] as TileRequest);
  expect(one.store.chunks(1, 'hits', 3)).toEqual([]);
});

test('pages of a tree that was cleared meanwhile are dropped', async () => {
  const node = (id: number): TreeNode => ({ node: id, key: `n${id}`, parent: null, children: 0, hidden: 0, events: '0' }) as unknown as TreeNode;
  const answers: (() => void)[] = [];
  let next = 0;
  const tree = new Tree(() => new Promise((resolve) => {
    const id = next++;
    answers.push(() => resolve({ total: 1, hidden: 0, nodes: [node(id)] }));
  }));
  const first = tree.start();
  tree.clear();
  const second = tree.start();
  for (const answer of answers) answer();
  expect(await Promise.all([first, second])).toEqual([false, true]);
  expect([...tree.nodes.keys()]).toEqual([1]);
});

test('pages of a tree after the first are asked for at once and added in their order', async () => {
  const node = (id: number): TreeNode => ({ node: id, key: `n${id}`, parent: null, children: 0, hidden: 0, events: '0' }) as unknown as TreeNode;
  const waiting = new Map<number, () => void>();
  const tree = new Tree((_parent, _depth, offset) => new Promise((resolve) => {
    waiting.set(offset, () => resolve({ total: 5, hidden: 0, nodes: [node(offset), node(offset + 1)].slice(0, 5 - offset) }));
  }));
  const started = tree.start();
  waiting.get(0)?.();
  await vi.waitFor(() => expect([...waiting.keys()]).toEqual([0, 2, 4]));
  for (const answer of [...waiting.values()].reverse()) answer();
  expect(await started).toBe(true);
  expect([...tree.nodes.keys()]).toEqual([0, 1, 2, 3, 4]);
});

test('malformed frames are dropped and counted; chunks beyond the limit go, the longest unused first', () => {
  const { store, sent, answer } = storeOf(400);
  store.take(new ArrayBuffer(8));
  expect(store.counters.dropped).toBe(1);
  store.begin(3);
  for (let node = 0; node < 10; node += 1) store.want(node, 'value', 3, 0, 1, node);
  store.flush();
  answer(sent[0] as TileRequest);
  const kept = store.chunks(9, 'value', 3)[0];
  if (kept) kept.used = 99;
  store.trim();
  expect(store.counters.bytes).toBeLessThanOrEqual(400);
  expect(store.chunks(9, 'value', 3).length).toBe(1);
  expect(store.chunks(0, 'value', 3).length).toBe(0);
  store.forgetMode('value');
  expect(store.counters).toMatchObject({ bytes: 0, chunks: 0 });
});

test('names are asked for in one batch, once, and shown with symbols for what is invisible', async () => {
  vi.stubGlobal('window', { setTimeout: (run: () => void) => setTimeout(run, 0) });
  const load = vi.fn(async (ids: number[], threads: number[]) => ({ texts: ids.map((i) => (i === 9 ? null : `name\u202E${i}`)), threads: threads.map((t) => `thread ${t}`), cut: [5] }));
  const texts = new TextStore(load, () => undefined);
  expect([texts.text(4), texts.text(5), texts.text(9), texts.thread(4)]).toEqual([null, null, null, null]);
  await vi.waitFor(() => expect(texts.isBusy).toBe(false));
  expect([texts.text(4), texts.text(5), texts.text(9), texts.thread(4)]).toEqual(['name⟨U+202E⟩4', 'name⟨U+202E⟩5…', '', 'thread 4']);
  expect(load).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
});

let next = 1;
const node = (part: Partial<TreeNode>): TreeNode => ({
  node: next, key: `k${next++}`, parent: null, level: 0, type: 'track', kind: null, title: 't', detail: '', children: 0, hidden: 0, empty: false, machine_id: 0, trace_id: 0, upid: null, utid: null, ucpu: null, tracks: [],
  track_type: null, unit: null, lines: 0, modes: ['summary'], events: '0', first_ts: null, last_ts: null, bound: { kind: 'exact' }, linked: [], ...part,
});

/** A machine with processes of one thread each, whose states and slices share the row of the thread. */
async function treeOf(processes: number): Promise<Tree> {
  next = 1;
  const all: TreeNode[] = [node({ type: 'machine', title: 'm', children: processes, hidden: 2 })];
  for (let i = 0; i < processes; i += 1) {
    const process = node({ type: 'process', parent: 1, level: 1, children: 1, events: String(i * 10) });
    const thread = node({ type: 'thread', parent: process.node, level: 2, children: 3 });
    all.push(process, thread);
    for (const [kind, lines] of [['thread_state', 1], ['slice', 40], ['async', 2]] as const) all.push(node({ parent: thread.node, level: 3, kind, lines, modes: ['value', 'summary'], tracks: [all.length] }));
  }
  const tree = new Tree(async (parent, depth, offset) => {
    const list = all.filter((n) => (parent === null ? n.level < depth : n.parent === parent));
    return { total: list.length, hidden: 3, nodes: list.slice(offset, offset + 1000) };
  });
  await tree.start();
  return tree;
}

const shown = (open: ReadonlySet<string>, part: Partial<RowOptions> = {}): RowOptions => ({ open, hidden: new Set(), styles: new Map(), lineHeight: 18, byCategory: false, kept: null, busiestFirst: false, ...part });

test('the first view opens machines, then the busiest processes, and stays below 200 rows', async () => {
  const tree = await treeOf(300);
  const open = tree.firstOpen(320);
  const rows = buildRows(tree, shown(open));
  expect(rows.length).toBeLessThanOrEqual(320);
  const processes = rows.filter((r) => r.node.type === 'process');
  expect(processes.at(-1)?.isOpen).toBe(true);
  expect(processes[0]?.isOpen).toBe(false);
  expect(tree.hiddenCount()).toBe(5);
});

test('every_track: each track is in one row; the row of a thread has its states and its slices', async () => {
  const tree = await treeOf(5);
  const rows = buildRows(tree, shown(new Set([...tree.nodes.values()].map((n) => n.key))));
  const tracks = rows.flatMap((r) => r.layers.flatMap((l) => l.node.tracks));
  expect(tracks.length).toBe(15);
  expect(new Set(tracks).size).toBe(15);
  const thread = rows.find((r) => r.node.type === 'thread');
  expect(thread?.layers.map((l) => [l.node.kind, l.lines])).toEqual([['thread_state', 1], ['slice', 24]]);
  expect(thread?.deeper).toBe(16);
  expect(rows.every((r, i) => i === 0 || r.top === (rows[i - 1]?.top ?? 0) + (rows[i - 1]?.height ?? 0))).toBe(true);
});

test('a closed node shows a summary; hidden rows and a filter leave rows out; the busiest can be first', async () => {
  const tree = await treeOf(4);
  const open = new Set(['k1']);
  const rows = buildRows(tree, shown(open));
  expect(rows.map((r) => r.node.type)).toEqual(['machine', 'process', 'process', 'process', 'process']);
  expect(rows[1]?.layers.map((l) => l.mode)).toEqual(['summary']);
  expect(buildRows(tree, shown(open, { hidden: new Set([rows[1]?.key ?? '']) })).length).toBe(4);
  expect(buildRows(tree, shown(open, { kept: new Set([1, 2]) })).length).toBe(2);
  expect(buildRows(tree, shown(open, { busiestFirst: true })).slice(1).map((r) => r.node.events)).toEqual(['30', '20', '10', '0']);
  const dense = buildRows(tree, shown(new Set([...tree.nodes.values()].map((n) => n.key)), { lineHeight: 2 }));
  expect(dense.filter((r) => r.node.type === 'track').every((r) => r.height <= 8)).toBe(true);
});

test('TEF 9.4: a group of more than 30 lanes begins with two; at most 100 are drawn, and the rest is counted', async () => {
  const linesOf = async (lanes: number, maxLines?: number): Promise<[number, number]> => {
    next = 1;
    const all = [node({ type: 'machine', children: 1 }), node({ parent: 1, level: 1, kind: 'async', lines: lanes, modes: ['value'] })];
    const tree = new Tree(async () => ({ total: 2, hidden: 0, nodes: all }));
    await tree.start();
    const styles = new Map(maxLines === undefined ? [] : [['k2', { maxLines }]]);
    const row = buildRows(tree, shown(new Set(['k1']), { styles })).find((r) => r.node.kind === 'async');
    return [row?.layers[0]?.lines ?? 0, row?.deeper ?? 0];
  };
  expect(await linesOf(20)).toEqual([20, 0]);
  expect(await linesOf(30)).toEqual([24, 6]);
  expect(await linesOf(31)).toEqual([2, 29]);
  expect(await linesOf(31, 31)).toEqual([31, 0]);
  expect(await linesOf(250, 250)).toEqual([100, 150]);
});

test('rows are marked as guessed for a file, and for a machine only if it is not divided by files', async () => {
  const rowsOf = async (isDivided: boolean): Promise<boolean[]> => {
    next = 1;
    const none = { bound: { kind: 'none' } } as const;
    const all = [node({ type: 'machine', trace_id: null, children: 2, ...none }), node({ type: 'group', parent: 1, level: 1, trace_id: null, ...none }), node({ type: isDivided ? 'file' : 'process', parent: 1, level: 1, ...none })];
    const tree = new Tree(async () => ({ total: all.length, hidden: 0, nodes: all }));
    await tree.start();
    return buildRows(tree, shown(new Set(['k1']))).map((r) => r.isGuessed);
  };
  expect(await rowsOf(true)).toEqual([false, false, true]);
  expect(await rowsOf(false)).toEqual([true, true, true]);
});

test('parents of the first visible row stick, at most three', async () => {
  const tree = await treeOf(30);
  const rows = buildRows(tree, shown(new Set([...tree.nodes.values()].map((n) => n.key))));
  expect(stickyRows(rows, 0)).toEqual([]);
  const sticky = stickyRows(rows, (rows[10]?.top ?? 0) + 5);
  expect(sticky.length).toBeGreaterThanOrEqual(1);
  expect(sticky.length).toBeLessThanOrEqual(3);
  expect(sticky[0]?.node.type).toBe('machine');
  expect(rowAt(rows, (rows[7]?.top ?? 0) + 1)).toBe(7);
  // At no place a part of the own row of one that sticks is seen below them.
  let most = 0;
  for (let scroll = 1; scroll < heightOf(rows) - 100; scroll += 1) {
    let place = scroll;
    for (const row of stickyRows(rows, scroll)) {
      expect(row.top).toBeLessThan(place);
      place += row.height;
    }
    most = Math.max(most, stickyRows(rows, scroll).length);
  }
  expect(most).toBeGreaterThan(1);
  expect(heightOf(rows)).toBeGreaterThan(1000);
});

test('args become a tree, which can be filtered; only addresses of the web are links', () => {
  expect(keyParts('args.a.b[2].c')).toEqual(['args', 'a', 'b', '[2]', 'c']);
  const tree = argTree([{ key: 'args.a', type: 'int', value: 1 }, { key: 'args.list[0].x', type: 'string', value: 'needle' }, { key: 'args.list[1].x', type: 'string', value: 'y' }, { key: 'args.__proto__', type: 'string', value: 'z' }]);
  expect(tree.map((n) => n.name)).toEqual(['a', 'list', '__proto__']);
  expect(filterArgs(tree, 'need').map((n) => [n.name, n.children.map((c) => c.name)])).toEqual([['list', ['[0]']]]);
  expect([linkOf('https://example.com/x'), linkOf('javascript:alert(1)'), linkOf('data:text/html,x'), linkOf('see https://x')]).toEqual(['https://example.com/x', null, null, null]);
});
