/** Cells: exact texts, formats of times, copies, Arrow, pages. */
import { columnFromArray, float64, int64, tableFromColumns, tableToIPC, utf8 } from '@uwdata/flechette';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { viewParameters } from '../../src/api/queries';
import { decodePage } from '../../src/lib/arrow';
import { plainText, realText, shownCell, sqlLiteral, toMarkdown, toSql, toTsv, type Cell, type Column } from '../../src/lib/cells';
import { filtered } from '../../src/lib/filter';
import { jsonPage } from '../../src/lib/json_page';
import { PageCache, pageRows } from '../../src/lib/page_cache';

const column = (name: string, type: Column['type'] = 'int', meaning = ''): Column => ({ name, type, meaning });
const raw = { times: 'raw', utcOffsetNs: null } as const;

test('integers are exact, reals read back, NULL is not empty', () => {
  expect(plainText(9_223_372_036_854_775_807n)).toBe('9223372036854775807');
  expect([realText(1), realText(0.1), realText(1e21), realText(-0), realText(NaN), realText(-Infinity)]).toEqual(['1.0', '0.1', '1e+21', '-0.0', 'NaN', '-Inf']);
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => Object.is(Number(realText(x)), x)));
  expect(shownCell(null, column('a', 'text'), raw)).toBe('NULL');
  expect(shownCell('', column('a', 'text'), raw)).toBe('');
  expect(shownCell(new Uint8Array([0, 255]), column('a', 'blob'), raw)).toBe("x'00ff'");
  expect(shownCell(new Uint8Array(100), column('a', 'blob'), raw)).toContain('(100 B)');
});

test('times and lengths follow the format, other integers do not', () => {
  const seconds = { times: 'seconds', utcOffsetNs: 0n } as const;
  const utc = { times: 'utc', utcOffsetNs: 1_795_176_184_242_999_999n + 1n } as const;
  expect(shownCell(147_757_169_866n, column('ts', 'int', 'time_ns'), seconds)).toBe('147.757169866 s');
  expect(shownCell(147_757_169_866n, column('ts', 'int', 'time_ns'), utc)).toBe('2026-11-20 12:05:32.000169866 UTC');
  expect(shownCell(1_500_000n, column('dur', 'int', 'duration_ns'), utc)).toBe('1.5 ms');
  expect(shownCell(1_500_000n, column('id'), utc)).toBe('1500000');
  expect(shownCell(5n, column('ts', 'int', 'time_ns'), { times: 'utc', utcOffsetNs: null })).toBe('0.000000005 s');
});

const columns = [column('name', 'text'), column('n|o')];
const rows: Cell[][] = [['a\tb\nc', 1n], [null, -2n], ["it's | \\", 3n]];

test('copies', () => {
  expect(toTsv(columns, rows)).toBe("name\tn|o\na b c\t1\n\t-2\nit's | \\\t3");
  expect(toMarkdown(columns, rows)).toBe("| name | n\\|o |\n| --- | --: |\n| a\tb c | 1 |\n| NULL | -2 |\n| it's \\| \\\\ | 3 |");
  expect(toSql(columns, rows)).toBe(`WITH result("name", "n|o") AS (VALUES\n  ('a\tb\nc', 1),\n  (NULL, -2),\n  ('it''s | \\', 3))\nSELECT * FROM result`);
  expect(toSql(columns, [])).toContain('WHERE 0');
  expect([sqlLiteral(new Uint8Array([1])), sqlLiteral(Infinity), sqlLiteral(NaN), sqlLiteral(2)]).toEqual(["x'01'", '9e999', 'NULL', '2.0']);
});

test('Arrow streams give cells with types and meanings', () => {
  const table = tableFromColumns([
    ['ts', columnFromArray([2n ** 62n, null, -1n], int64())], ['value', columnFromArray([1, 2.5, null], float64())], ['name', columnFromArray(['x', null, 'ü'], utf8())],
  ]);
  const field = table.schema.fields[0];
  if (field) field.metadata = new Map([['tracebraid.type', 'time_ns']]);
  const page = decodePage(tableToIPC(table, { format: 'stream' }) as Uint8Array);
  expect(page.columns).toEqual([column('ts', 'int', 'time_ns'), column('value', 'double'), column('name', 'text')]);
  expect(page.rows).toEqual([[2n ** 62n, 1, 'x'], [null, 2.5, null], [-1n, null, 'ü']]);
});

test('pages as JSON give the same cells', () => {
  const page = jsonPage({ columns: [{ name: 'a', type: 'int' }, { name: 'b', type: 'double' }, { name: 'c', type: 'mixed' }], rows: [['9223372036854775807', 2, '7'], [null, 2.5, 7]] });
  expect(page.columns[0]).toEqual(column('a'));
  expect(page.rows).toEqual([[9_223_372_036_854_775_807n, 2, '7'], [null, 2.5, 7n]]);
});

test('integers beyond 2^53 of columns without a type are integers, unless texts stand beside them', () => {
  const page = (values: unknown[]) => jsonPage({ columns: [{ name: 'a', type: 'mixed' }], rows: values.map((v) => [v]) });
  expect(page(['1767323045678000000', null, 7]).rows).toEqual([[1_767_323_045_678_000_000n], [null], [7n]]);
  expect(page(['1767323045678000000']).columns[0]?.type).toBe('int');
  expect(page(['1767323045678000000', 'x']).rows[0]).toEqual(['1767323045678000000']);
  for (const text of ['9007199254740991', '99999999999999999999', '0176732304567800000', '9223372036854775808']) expect(page([text]).rows).toEqual([[text]]);
});

test('malformed Arrow bytes are an Error', () => {
  fc.assert(fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
    try {
      decodePage(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
  }), { numRuns: 500 });
});

test('pages are asked for once, failed ones again, partial ones after growth', async () => {
  let size = 300;
  const load = vi.fn(async (offset: number, limit: number) => Array.from({ length: Math.max(0, Math.min(limit, size - offset)) }, (_, i): Cell[] => [BigInt(offset + i)]));
  const cache = new PageCache(load, 4);
  expect((await cache.rows(250, 260)).map((r) => r[0])).toEqual(Array.from({ length: 10 }, (_, i) => BigInt(250 + i)));
  await cache.rows(0, 300);
  expect(load).toHaveBeenCalledTimes(2);
  expect(await cache.rows(300, 310)).toEqual([]);
  size = 1000;
  cache.forgetPartial();
  expect((await cache.rows(299, 302)).map((r) => r[0])).toEqual([299n, 300n, 301n]);
  for (let page = 0; page < 6; page += 1) await cache.rows(page * pageRows, page * pageRows + 1);
  const before = load.mock.calls.length;
  await cache.rows(0, 1);
  expect(load.mock.calls.length).toBe(before + 1);
  const failing = new PageCache(vi.fn().mockRejectedValueOnce(new Error('x')).mockResolvedValue([[1n]]));
  await expect(failing.rows(0, 1)).rejects.toThrow('x');
  expect(await failing.rows(0, 1)).toEqual([[1n]]);
});

test('order and filter as parameters', () => {
  const types = ['text', 'int'] as const;
  expect(viewParameters({ column: 1, descending: true }, [], types).toString()).toBe('sort=-1');
  const filter = [{ column: 0, operator: 'contains', value: '1' }, { column: 1, operator: '>=', value: '5' }, { column: 1, operator: '=', value: '9223372036854775807' }, { column: 1, operator: 'null', value: 'x' }] as const;
  expect(JSON.parse(viewParameters(null, filter, types).get('filter') ?? '')).toEqual([[0, 'contains', '1'], [1, '>=', 5], [1, '=', '9223372036854775807'], [1, 'null', null]]);
});

test('filters of lists put starts of words first', () => {
  expect(filtered(['thread_track', 'track', 'a_track', 'backtrack'], 'track', (t) => t)).toEqual(['track', 'thread_track', 'a_track', 'backtrack']);
  expect(filtered(['a', 'b'], ' ', (t) => t)).toEqual(['a', 'b']);
  expect(filtered(['a'], 'z', (t) => t)).toEqual([]);
});
