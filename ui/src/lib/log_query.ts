/** Statements for the lines of logs, and kernel events, in a range of time. */
import { sqlLiteral } from './cells';
import type { TimeRange } from './time_window';

export type LogSource = 'log' | 'ftrace';

/** What the lines must have; empty texts, priority 0 and no machine keep all. */
export interface LogFilter {
  /** Part of the message, or of the name of a kernel event. */
  text: string;
  /** Part of the tag. */
  tag: string;
  /** The least priority: 2 verbose to 7 fatal. */
  priority: number;
  /** Where the log was read from. */
  origin: string;
  /** Row of machine; `hasOthers` is true if lines without a thread are of it, too. */
  machine: { id: number; hasOthers: boolean } | null;
}

export const anyLine: LogFilter = { text: '', tag: '', priority: 0, origin: '', machine: null };

/** Returns a condition that a column has a text anywhere, without regard to the case of ASCII letters. */
export const hasText = (column: string, text: string): string => `${column} LIKE ${sqlLiteral(`%${text.replace(/[\\%_]/g, '\\$&')}%`)} ESCAPE '\\'`;

function conditions(source: LogSource, filter: LogFilter, range: TimeRange): string {
  const all = [`ts >= ${range.from}`, `ts <= ${range.to}`];
  if (source === 'ftrace') {
    if (filter.text !== '') all.push(hasText('name', filter.text));
    if (filter.machine) all.push(`ucpu IN (SELECT ucpu FROM cpu WHERE machine_id = ${filter.machine.id})`);
    return all.join(' AND ');
  }
  if (filter.text !== '') all.push(hasText('msg', filter.text));
  if (filter.tag !== '') all.push(hasText('tag', filter.tag));
  if (filter.priority > 0) all.push(`prio >= ${filter.priority}`);
  if (filter.origin !== '') all.push(`log_source = ${sqlLiteral(filter.origin)}`);
  if (filter.machine) all.push(`(utid IN (SELECT utid FROM thread WHERE machine_id = ${filter.machine.id})${filter.machine.hasOthers ? ' OR utid IS NULL' : ''})`);
  return all.join(' AND ');
}

const tableOf = (source: LogSource): string => (source === 'log' ? 'logs' : 'ftrace_event');

export const countSql = (source: LogSource, filter: LogFilter, range: TimeRange): string => `SELECT count(*) FROM ${tableOf(source)} WHERE ${conditions(source, filter, range)}`;

/** Returns the statement for lines in order of time: id, ts as a text, priority or CPU, tag or name, message or args, thread. */
export function linesSql(source: LogSource, filter: LogFilter, range: TimeRange, offset: number, limit: number): string {
  const where = `WHERE ${conditions(source, filter, range)} ORDER BY ts, id LIMIT ${limit} OFFSET ${offset}`;
  const thread = "coalesce(t.name || ' ', '') || coalesce(t.tid, '')";
  return source === 'log'
    ? `SELECT l.id, CAST(l.ts AS TEXT), l.prio, l.tag, l.msg, ${thread} FROM (SELECT * FROM logs ${where}) l LEFT JOIN thread t ON t.utid = l.utid ORDER BY l.ts, l.id`
    : `SELECT l.id, CAST(l.ts AS TEXT), l.cpu, l.name, (SELECT group_concat(a.key || '=' || a.display_value, ' ') FROM args a WHERE a.arg_set_id = l.arg_set_id), ${thread} FROM (SELECT * FROM ftrace_event ${where}) l LEFT JOIN thread t ON t.utid = l.utid ORDER BY l.ts, l.id`;
}

export const originsSql = 'SELECT DISTINCT log_source FROM logs WHERE log_source IS NOT NULL ORDER BY log_source LIMIT 50';

/** Names of priorities and the letters that logcat prints for them, from 2 on. */
export const priorities = [['V', 'verbose'], ['D', 'debug'], ['I', 'info'], ['W', 'warning'], ['E', 'error'], ['F', 'fatal']] as const;
export const priorityLetter = (priority: number): string => priorities[priority - 2]?.[0] ?? String(priority);

export interface LogLine {
  id: number;
  ts: bigint;
  /** The priority, or the number of the CPU. */
  level: number;
  tag: string;
  message: string;
  thread: string;
}

/** Returns a line from a row of linesSql(). */
export function lineOf(row: readonly unknown[]): LogLine {
  const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
  return { id: Number(row[0]), ts: BigInt(text(row[1]) || '0'), level: Number(row[2] ?? 0), tag: text(row[3]), message: text(row[4]), thread: text(row[5]) };
}
