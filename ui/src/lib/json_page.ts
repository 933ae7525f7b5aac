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

/** Returns the page of a document. */
export function jsonPage(document: JsonRows): Page {
  const columns = document.columns.map((c) => ({ name: c.name, type: c.type, meaning: c.meaning ?? '' }));
  const rows = document.rows.map((row) => columns.map((c, i) => cellOf(row[i], c.type)));
  return { columns, rows };
}
