/** Statements of a text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offsetOf, splitStatements, statementAt } from '../../src/lib/sql_split';

const texts = (sql: string): string[] => splitStatements(sql).map(({ from, to }) => sql.slice(from, to));

test('semicolons end statements, except in quotes and comments', () => {
  expect(texts('SELECT 1; SELECT 2')).toEqual(['SELECT 1', 'SELECT 2']);
  expect(texts("SELECT ';' ; SELECT \"a;b\", `c;d`, [e;f]")).toEqual(["SELECT ';'", 'SELECT "a;b", `c;d`, [e;f]']);
  expect(texts("SELECT 'it''s; fine'")).toEqual(["SELECT 'it''s; fine'"]);
  expect(texts('-- a; b\nSELECT 1 /* ; */ + 2; -- end')).toEqual(['SELECT 1 /* ; */ + 2']);
  expect(texts(' ;; ; \n')).toEqual([]);
  expect(texts("SELECT 'open")).toEqual(["SELECT 'open"]);
});

test('the body of a trigger is one statement', () => {
  const trigger = 'CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; DELETE FROM b; END';
  expect(texts(`${trigger}; SELECT 1`)).toEqual([trigger, 'SELECT 1']);
  expect(texts('BEGIN; COMMIT')).toEqual(['BEGIN', 'COMMIT']);
  expect(texts('CREATE PERFETTO FUNCTION f(a INT) RETURNS INT AS SELECT CASE WHEN $a THEN 1 END; SELECT f(1)')).toHaveLength(2);
});

test('the statement at the cursor', () => {
  const sql = 'SELECT 1;\n\nSELECT 2;\n-- tail\n';
  const at = (offset: number): string | undefined => {
    const s = statementAt(sql, offset);
    return s && sql.slice(s.from, s.to);
  };
  expect([at(0), at(9), at(10), at(11), at(sql.length)]).toEqual(['SELECT 1', 'SELECT 1', 'SELECT 1', 'SELECT 2', 'SELECT 2']);
  expect(statementAt('', 0)).toBeUndefined();
});

test('statements are in order, do not overlap, and begin with a token', () => {
  const piece = fc.constantFrom('SELECT 1', ';', ' ', '\n', "'a;b'", '--x\n', '/*;*/', '"q"', '[;]', 'BEGIN', 'END', "'");
  fc.assert(fc.property(fc.array(piece, { maxLength: 30 }).map((p) => p.join('')), (sql) => {
    let last = 0;
    for (const { from, to } of splitStatements(sql)) {
      expect(from).toBeGreaterThanOrEqual(last);
      expect(to).toBeGreaterThan(from);
      expect(sql.slice(from, to)).toMatch(/^[^\s;]/);
      last = to;
    }
  }));
});

test('offsets of lines and columns count characters and stay on the line', () => {
  expect(offsetOf('ab\ncd', 2, 2)).toBe(4);
  expect(offsetOf('ab\ncd', 1, 9)).toBe(2);
  expect(offsetOf('ab\ncd', 9, 1)).toBe(5);
  expect(offsetOf('🧵x\n', 1, 2)).toBe(2);
});
