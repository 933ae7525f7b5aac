/** Which tracks have lines across others, and between which heights those of a process are. */
import { expect, test } from 'vitest';
import type { TreeNode } from '../../src/api/timeline';
import { markTracks, processSpans } from '../../src/timeline/global_marks';
import type { Row } from '../../src/timeline/rows';

const node = (part: Partial<TreeNode>): TreeNode => ({ type: 'track', track_type: null, events: '1', upid: null, ...part }) as TreeNode;
const row = (depth: number, top: number, part: Partial<TreeNode> = {}): Row => ({ depth, top, height: 20, node: node(part) }) as Row;

test('instants of the trace and of processes are lines, those of empty or other tracks are not', () => {
  const found = markTracks([
    node({ track_type: 'legacy_chrome_global_instants', upid: 7 }), node({ track_type: 'chrome_process_instant', upid: 3 }), node({ track_type: 'chrome_process_instant', events: '0' }),
    node({ track_type: 'thread_execution' }), node({ track_type: 'toString' }), node({}),
  ]);
  expect(found.map((f) => f.process)).toEqual([null, 3]);
});

test('a process reaches from its own row to the last one below it, wherever it is shown', () => {
  const rows = [row(0, 0, { type: 'machine' }), row(1, 20, { type: 'process', upid: 3 }), row(2, 40), row(3, 60), row(1, 80, { type: 'process', upid: 4 }), row(1, 100, { type: 'process', upid: 3 })];
  expect(processSpans(rows, 3)).toEqual([{ top: 20, bottom: 80 }, { top: 100, bottom: 120 }]);
  expect(processSpans(rows, 4)).toEqual([{ top: 80, bottom: 100 }]);
  expect(processSpans(rows, 9)).toEqual([]);
});
