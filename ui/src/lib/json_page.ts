/** Pages of results as JSON, which a server without the Arrow encoder sends. */
import type { Page } from './arrow';
import type { Cell, CellType } from './cells';

export interface JsonRows {
  columns: { name: string; type: CellType; meaning?: string }[];
  rows: unknown[][];
}

function cellOf(value: unknown, type: CellType): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return type !== 'double' && Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return type === 'int' && /^-?\d+$/.test(text) ? BigInt(text) : text; // integers of 2^53 and more are texts
}

function typeOf(cell: Cell): CellType {
  if (cell === null) return 'null';
  if (typeof cell === 'bigint') return 'int';
  if (typeof cell === 'number') return 'double';
  return typeof cell === 'string' ? 'text' : 'blob';
}

/** Returns the type of all values of a column, `mixed` if they have several, `null` without any value. */
export function commonType(types: Iterable<CellType>): CellType {
  let common: CellType = 'null';
  for (const type of types) {
    if (type === 'null' || type === common) continue;
    if (common !== 'null') return 'mixed';
    common = type;
  }
  return common;
}

const exactLimit = 2n ** 53n;

/** Returns true for the text of an integer that JSON cannot have as a number. */
function isLargeInteger(cell: Cell): boolean {
  if (typeof cell !== 'string' || !/^-?[1-9]\d{15,18}$/.test(cell)) return false;
  const value = BigInt(cell);
  return (value >= exactLimit || value <= -exactLimit) && BigInt.asIntN(64, value) === value;
}

/** Makes integers of such texts in a column that has nothing else but integers. */
function restoreIntegers(rows: Cell[][], c: number): void {
  if (!rows.every((row) => row[c] === null || typeof row[c] === 'bigint' || isLargeInteger(row[c] ?? null))) return;
  for (const row of rows) if (typeof row[c] === 'string') row[c] = BigInt(row[c]);
}

/** Returns the page of a document. A column that may hold any type has the type of its values on this page. */
export function jsonPage(document: JsonRows): Page {
  const declared = document.columns.map((c) => ({ name: c.name, type: c.type, meaning: c.meaning ?? '' }));
  const rows = document.rows.map((row) => declared.map((c, i) => cellOf(row[i], c.type)));
  declared.forEach((c, i) => c.type === 'mixed' && restoreIntegers(rows, i));
  const columns = declared.map((c, i) => (c.type === 'mixed' ? { ...c, type: commonType(rows.map((row) => typeOf(row[i] ?? null))) } : c));
  return { columns, rows };
}
