/** What a value of a result refers to: a row of a table, from what the engine says of its column, or from the column's name. */
import type { Column } from './cells';

/** A table, and the column that identifies its rows. */
export interface Reference {
  table: string;
  key: string;
}

const byName: Readonly<Record<string, Reference>> = {
  utid: { table: 'thread', key: 'utid' },
  upid: { table: 'process', key: 'upid' },
  track_id: { table: 'track', key: 'id' },
  arg_set_id: { table: 'args', key: 'arg_set_id' },
  machine_id: { table: 'machine', key: 'id' },
  slice_id: { table: 'slice', key: 'id' },
  slice_out: { table: 'slice', key: 'id' },
  slice_in: { table: 'slice', key: 'id' },
};

/** Returns what the integers of a column are: `time_ns`, `duration_ns`, `row:TABLE`, or what the engine says. */
export function meaningOf(column: Pick<Column, 'name' | 'type' | 'meaning'>): string {
  if (column.meaning !== '' && column.meaning !== 'mixed') return column.meaning;
  if (column.type !== 'int') return column.meaning;
  if (/^(ts|ts_end|\w+_ts)$/.test(column.name)) return 'time_ns';
  if (/^(dur|\w+_dur)$/.test(column.name)) return 'duration_ns';
  return column.meaning;
}

/** Returns the table whose rows the values of a column name, null if the column names none. */
export function referenceOf(column: Pick<Column, 'name' | 'meaning'>): Reference | null {
  const table = /^row:(\w+)$/.exec(column.meaning)?.[1];
  if (table !== undefined) return { table, key: 'id' };
  return Object.hasOwn(byName, column.name) ? (byName[column.name] ?? null) : null;
}

/** Returns the statement that selects the rows that a value names. */
export function referenceSql({ table, key }: Reference, value: bigint): string {
  return `SELECT * FROM ${table} WHERE ${key} = ${value}`;
}
