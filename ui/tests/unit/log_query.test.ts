/** Statements of the panel of logs: what they keep, and that no text of a filter leaves its literal. */
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyLine, countSql, lineOf, linesSql, priorityLetter, type LogFilter } from '../../src/lib/log_query';

const range = { from: 10n, to: 20n };

function database(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE TABLE logs(id INTEGER, ts INTEGER, utid INTEGER, prio INTEGER, log_source TEXT, tag TEXT, msg TEXT, arg_set_id INTEGER);
    CREATE TABLE thread(utid INTEGER, tid INTEGER, name TEXT, machine_id INTEGER); CREATE TABLE cpu(ucpu INTEGER, machine_id INTEGER);
    CREATE TABLE args(arg_set_id INTEGER, key TEXT, display_value TEXT); CREATE TABLE ftrace_event(id INTEGER, ts INTEGER, name TEXT, cpu INTEGER, utid INTEGER, arg_set_id INTEGER, ucpu INTEGER);
    INSERT INTO thread VALUES (1, 100, 'main', 0), (2, 200, NULL, 1); INSERT INTO cpu VALUES (0, 0), (4, 1);
    INSERT INTO logs VALUES (0, 9, 1, 4, 'main', 'a', 'before', NULL), (1, 10, 1, 4, 'main', 'net', 'Start', NULL), (2, 15, 2, 6, 'system', 'Net2', '50% of a_b', NULL), (3, 20, NULL, 3, 'main', 'z', 'c:\\d', NULL), (4, 21, 1, 7, 'main', 'a', 'behind', NULL);
    INSERT INTO ftrace_event VALUES (0, 12, 'sched_waking', 0, 1, 5, 0), (1, 13, 'irq', 0, 2, NULL, 4); INSERT INTO args VALUES (5, 'pid', '7'), (5, 'cpu', '1');`);
  return db;
}

const rowsOf = (sql: string): unknown[][] => database().prepare(sql).all().map((r) => Object.values(r));
const idsOf = (filter: Partial<LogFilter>): unknown[] => rowsOf(linesSql('log', { ...anyLine, ...filter }, range, 0, 100)).map((r) => r[0]);

test('lines are those of the range, both ends included, with the filter', () => {
  expect(idsOf({})).toEqual([1, 2, 3]);
  expect(idsOf({ text: 'start' })).toEqual([1]);
  expect(idsOf({ text: '%' })).toEqual([2]);
  expect(idsOf({ text: 'a_b' })).toEqual([2]);
  expect(idsOf({ text: '\\' })).toEqual([3]);
  expect(idsOf({ tag: 'net' })).toEqual([1, 2]);
  expect(idsOf({ priority: 4 })).toEqual([1, 2]);
  expect(idsOf({ origin: 'system' })).toEqual([2]);
  expect(idsOf({ machine: { id: 0, hasOthers: true } })).toEqual([1, 3]);
  expect(idsOf({ machine: { id: 1, hasOthers: false } })).toEqual([2]);
  expect(rowsOf(countSql('log', { ...anyLine, priority: 4 }, range))).toEqual([[2]]);
});

test('pages follow each other', () => {
  expect([0, 1, 2, 3].map((offset) => rowsOf(linesSql('log', anyLine, range, offset, 1)).map((r) => r[0]))).toEqual([[1], [2], [3], []]);
});

test('kernel events have their CPU, args and thread', () => {
  const rows = rowsOf(linesSql('ftrace', anyLine, range, 0, 10)).map(lineOf);
  expect(rows).toEqual([
    { id: 0, ts: 12n, level: 0, tag: 'sched_waking', message: 'pid=7 cpu=1', thread: 'main 100' }, { id: 1, ts: 13n, level: 0, tag: 'irq', message: '', thread: '200' },
  ]);
  expect(rowsOf(linesSql('ftrace', { ...anyLine, text: 'SCHED' }, range, 0, 10))).toHaveLength(1);
  expect(rowsOf(countSql('ftrace', { ...anyLine, machine: { id: 1, hasOthers: true } }, range))).toEqual([[1]]);
});

test('no text of a filter changes the statement', () => {
  const db = database();
  fc.assert(fc.property(fc.string(), fc.string(), (text, tag) => {
    if (text.includes('\u0000') || tag.includes('\u0000')) return;
    const [row] = db.prepare(countSql('log', { ...anyLine, text, tag }, range)).all();
    const expected = [['net', 'Start'], ['Net2', '50% of a_b'], ['z', 'c:\\d']].filter(([t, m]) => (t ?? '').toLowerCase().includes(lower(tag)) && (m ?? '').toLowerCase().includes(lower(text))).length;
    expect(Object.values(row ?? {})).toEqual([expected]);
  }));
});

/** Returns a text in lower case as LIKE compares it: of ASCII letters only. */
const lower = (text: string): string => text.replace(/[A-Z]/g, (c) => c.toLowerCase());

test('priorities have the letters of logcat', () => {
  expect([2, 3, 4, 5, 6, 7, 9].map(priorityLetter)).toEqual(['V', 'D', 'I', 'W', 'E', 'F', '9']);
});
