/** Statements that select what the timeline shows, opened on the SQL page. */
import type { TreeNode } from '../api/timeline';
import { sqlLiteral } from '../lib/cells';
import { rangeOf } from '../lib/time_window';
import { go } from '../state/route';
import { addTab } from '../state/sql';
import type { TimelineView } from '../timeline/view';
import type { Spot } from '../timeline/view_types';

const tables: Readonly<Record<string, string>> = {
  slice: 'slice', async: 'slice', counter: 'counter', stacked: 'counter', sched: 'sched_slice', thread_state: 'thread_state', state: 'slice', log: 'logs', ftrace: 'ftrace_event', sample: 'cpu_profile_stack_sample',
};

/** Returns the statement for the events of a track in the window, or for one event. */
export function eventsSql(node: Pick<TreeNode, 'kind' | 'tracks' | 'utid' | 'ucpu'>, window: { from: bigint; to: bigint }, row: number | null): string {
  const table = tables[node.kind ?? ''] ?? 'slice';
  if (row !== null) return `SELECT *\nFROM ${table}\nWHERE id = ${row};`;
  const where = [`ts < ${window.to}`, table === 'counter' || table === 'logs' || table === 'ftrace_event' ? `ts >= ${window.from}` : `ts + max(dur, 0) >= ${window.from}`];
  if (table === 'sched_slice' && node.ucpu !== null) where.push(`ucpu = ${node.ucpu}`);
  else if (node.kind === 'thread_state' && node.utid !== null) where.push(`utid = ${node.utid}`);
  else if (node.tracks.length > 0 && (table === 'slice' || table === 'counter')) where.push(`track_id IN (${node.tracks.join(', ')})`);
  return `SELECT *\nFROM ${table}\nWHERE ${where.join('\n  AND ')}\nORDER BY ts;`;
}

/** Returns the statement for slices of one name. */
export const nameSql = (name: string): string => `SELECT ts, dur, track_id, id, name\nFROM slice\nWHERE name = ${sqlLiteral(name)}\nORDER BY dur DESC;`;

/** Shows the statement for a track, or for one of its events, on the SQL page. */
export function openInSql(view: TimelineView, node: TreeNode, spot?: Pick<Spot, 'eventRow' | 'count'>): void {
  showSql(view.trace, eventsSql(node, rangeOf(view.window.value), spot && spot.count === 1 ? spot.eventRow : null));
}

export function showSql(trace: string, sql: string): void {
  addTab(sql, 'from the timeline');
  go('sql', trace);
}
