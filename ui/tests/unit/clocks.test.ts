/** The clock graph: folding, columns, paths, looks of edges; offsets and bounds of an edge's readings. */
import { expect, test } from 'vitest';
import { fitOf, isOutside, signed, ticks, unitOf } from '../../src/lib/clock_fit';
import { certaintyOfEdge, edgeText, layoutOf, litBy, nodeHeight, nodeWidth, pathOf } from '../../src/lib/clock_layout';
import type { Clock, ClockGraph, Edge, Reading } from '../../src/lib/clock_types';

const clock = (id: number, name: string, machine: string, next: number | null, more: Partial<Clock> = {}): Clock => ({
  id, name, label: `${name} of ${machine}`, machine, file: '', isPrivate: false, sequence: null, readings: 14, segments: 1, next, nextKind: 'measured', ...more,
});
const edge = (id: number, from: number, to: number, more: Partial<Edge> = {}): Edge => ({
  id, from, to, kind: 'measured', source: 'snapshot', observations: 14, bound: 1000n, file: 'a', byteOffset: 2n, isUsed: true, ...more,
});

/** A phone with a timeline and five writers' clocks, a watch that leads to it over both wall clocks, and a file without a path. */
function graph(): ClockGraph {
  const clocks = [
    clock(0, 'BOOTTIME', 'phone', null), clock(1, 'REALTIME', 'phone', 0), clock(2, 'REALTIME', 'watch', 1, { nextKind: 'rendezvous' }), clock(3, 'BOOTTIME', 'watch', 2),
    ...[4, 5, 6, 7, 8].map((id) => clock(id, '64', 'phone', 0, { sequence: id, file: 'dir/p.pftrace', isPrivate: true })),
    clock(9, 'PRIVATE', 'phone', null, { isPrivate: true, file: 'x.json', nextKind: '' }),
  ];
  const edges = [
    edge(0, 0, 1), edge(1, 1, 2, { kind: 'rendezvous', source: 'wall_clock', bound: 10_000_000n }), edge(2, 3, 2), edge(3, 0, 3, { isUsed: false }),
    ...[4, 5, 6, 7, 8].map((id) => edge(id, 0, id, { bound: BigInt(id) * 100n })),
  ];
  return { clocks, edges, placed: [], contradictions: [], allClocks: clocks.length, allEdges: edges.length, usedEdges: 8, allContradictions: 0 };
}

test('columns are hops to the timeline, lanes are machines, and alike clocks are one node', () => {
  const layout = layoutOf(graph());
  expect(layout.nodes.map((n) => [n.title, n.hop])).toEqual([
    ['BOOTTIME of phone', 0], ['REALTIME of phone', 1], ['REALTIME of watch', 2], ['BOOTTIME of watch', 3], ['64 of 5 sequences', 1], ['x.json', null],
  ]);
  expect(layout.lanes.map((l) => l.machine)).toEqual(['phone', 'watch']);
  expect(layout.columns.map((c) => c.text)).toEqual(['timeline', '1 hop', '2 hops', '3 hops', 'not related']);
  const x = new Map(layout.nodes.map((n) => [n.hop, n.x]));
  expect([0, 1, 2, 3, null].map((h) => x.get(h) ?? -1)).toEqual([...[0, 1, 2, 3, null].map((h) => x.get(h) ?? -1)].sort((a, b) => b - a));
  for (const a of layout.nodes) for (const b of layout.nodes) if (a !== b) expect(Math.abs(a.x - b.x) >= nodeWidth || Math.abs(a.y - b.y) >= nodeHeight).toBe(true);
  for (const node of layout.nodes) {
    const lane = layout.lanes.find((l) => l.machine === node.machine);
    expect(lane && node.y >= lane.y && node.y + nodeHeight <= lane.y + lane.height).toBe(true);
  }
  expect(layout.hidden).toBe(0);
});

test('edges of a folded node are one line with the largest bound, and the path of a clock is lit', () => {
  const g = graph();
  const layout = layoutOf(g);
  const folded = layout.links.find((l) => l.edges.length === 5);
  expect(folded?.text).toBe('±800 ns');
  expect(layout.links.filter((l) => !l.isUsed).map((l) => l.label)).toEqual([null]);
  const path = pathOf(g, 3);
  expect(path.map((c) => c.label)).toEqual(['BOOTTIME of watch', 'REALTIME of watch', 'REALTIME of phone', 'BOOTTIME of phone']);
  expect(litBy(layout, path).links.size).toBe(3);
  expect(pathOf(g, null)).toEqual([]);
});

test('clocks whose next ones form a circle do not stop the page', () => {
  const g = graph();
  g.clocks = [clock(0, 'A', 'm', 1), clock(1, 'B', 'm', 0)];
  expect(layoutOf(g).nodes.map((n) => n.hop)).toEqual([null, null]);
  expect(pathOf(g, 0).length).toBeLessThanOrEqual(3);
});

test('beyond 500 nodes those that nothing leads through are counted', () => {
  const g = graph();
  g.clocks = [clock(0, 'T', 'm', null), ...Array.from({ length: 900 }, (_, i) => clock(i + 1, `c${i}`, 'm', 0))];
  g.allClocks = 901;
  const layout = layoutOf(g);
  expect([layout.nodes.length, layout.hidden]).toEqual([500, 401]);
  expect(layout.nodes.some((n) => n.hop === 0)).toBe(true);
});

test('looks of edges', () => {
  expect([edge(0, 0, 1), edge(0, 0, 1, { kind: 'manifest', bound: 0n }), edge(0, 0, 1, { kind: 'rendezvous' }), edge(0, 0, 1, { kind: 'guessed', bound: null })].map((e) => [certaintyOfEdge(e, false), edgeText(e)])).toEqual([
    ['certain', '±1 µs'], ['stated', 'stated'], ['uncertain', '±1 µs'], ['guessed', 'guessed'],
  ]);
  expect(certaintyOfEdge(edge(0, 0, 1), true)).toBe('uncertain');
});

const reading = (from: bigint, to: bigint, mapped = to): Reading => ({ from, to, bound: 1000n, mapped, ts: from });

test('the drift is removed exactly, and an observation outside of its bound is found', () => {
  const day = 86_400_000_000_000n;
  const start = 1_795_176_332_000_000_000n;
  const observations = [0n, 1n, 2n, 3n].map((i) => reading(i * day, start + i * (day - 4_000_000n) + (i === 2n ? 5000n : 0n), start + i * (day - 4_000_000n)));
  const fit = fitOf({ model: 'linear', total: 4, observations, curve: observations }, true);
  expect(fit.points.map((p) => Math.round(p.y))).toEqual([0, 0, 5000, 0]);
  expect(fit.points.map((p) => p.isOutside)).toEqual([false, false, true, false]);
  expect((fit.drift / 1000).toFixed(4)).toBe('-0.0463'); // ppm
  expect(fit.band[1]).toEqual({ x: 86_400_000_000_000, low: -1000, high: 1000 });
  expect(fitOf({ model: 'step', total: 0, observations: [], curve: [] }, true).points).toEqual([]);
  expect(isOutside({ ...reading(0n, 5n), mapped: null })).toBe(false);
  expect(fitOf({ model: 'step', total: 2, observations: [reading(5n, 5n), reading(3n, 9n)], curve: [] }, true).points[1]?.jump).toEqual({ kind: 'set back', by: 6 });
});

test('changes of the offset that are no drift are steps or suspends', () => {
  const s = 1_000_000_000n;
  const jumps = (names: readonly [string, string], ...pairs: [bigint, bigint][]): (string | null)[] => {
    const observations = pairs.map(([from, to]) => reading(from, to));
    return fitOf({ model: 'linear', total: pairs.length, observations, curve: [] }, true, names).points.map((p) => p.jump && `${p.jump.kind} ${p.jump.by}`);
  };
  // 400 ppm are a drift; 600 ppm are not, unless the bounds of both observations, 1 us each, contain the change.
  expect(jumps(['BOOTTIME', 'REALTIME'], [0n, 0n], [s, s + 400_000n], [2n * s, 2n * s + 1_000_000n], [2n * s + 1000n, 2n * s + 1_002_900n])).toEqual([null, null, 'step 600000', null]);
  // MONOTONIC stops while the machine sleeps, so that the other clock goes ahead of it; the opposite is a step.
  expect(jumps(['MONOTONIC', 'BOOTTIME'], [0n, 0n], [s, 9n * s], [10n * s, 17n * s])).toEqual([null, `suspend ${8n * s}`, `step ${-s}`]);
  expect(jumps(['BOOTTIME', 'MONOTONIC'], [0n, 0n], [9n * s, s], [10n * s, 10n * s])).toEqual([null, `suspend ${-8n * s}`, `step ${8n * s}`]);
  expect(jumps(['MONOTONIC', 'MONOTONIC_RAW'], [0n, 0n], [s, 9n * s])).toEqual([null, `step ${8n * s}`]);
  expect(jumps(['BOOTTIME', 'REALTIME'], [0n, 9n * s], [s, 4n * s])).toEqual([null, `set back ${-6n * s}`]);
});

test('axes', () => {
  expect(ticks(-3.2, 19, 4)).toEqual([0, 10]);
  expect(ticks(0, 1.3, 5).map((v) => v.toFixed(1))).toEqual(['0.0', '0.5', '1.0']);
  expect(ticks(2, 2, 5)).toEqual([2]);
  expect([unitOf(12), unitOf(18_400), unitOf(-2e9)].map((u) => u.name)).toEqual(['ns', 'µs', 's']);
  expect([signed(3, 0), signed(-0.5, 1), signed(-0.04, 1)]).toEqual(['+3', '−0.5', '0']);
});
