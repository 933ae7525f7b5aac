/** Cells of SQL results: their types, and their texts on the screen and in copies. */
import { shortened } from './text';
import { secondsText, spanText, utcText } from './units';

/** A value of a result. Integers are exact, blobs are bytes. */
export type Cell = null | bigint | number | string | Uint8Array;

export type CellType = 'int' | 'double' | 'text' | 'blob' | 'null' | 'mixed';

export interface Column {
  name: string;
  type: CellType;
  /** What the engine says of the column: `time_ns`, `duration_ns`, `row:TABLE`, `mixed`, or nothing. */
  meaning: string;
}

/** How times are written: as integers, as seconds, or as wall-clock time. */
export const timeFormats = ['raw', 'seconds', 'utc'] as const;
export type TimeFormat = (typeof timeFormats)[number];

export interface CellStyle {
  times: TimeFormat;
  /** Wall-clock time minus trace time, null if the trace has no wall clock. */
  utcOffsetNs: bigint | null;
}

const hexDigits = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');

/** Returns a real so that it reads back as the same number, and never as an integer. */
export function realText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Inf' : '-Inf';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.eE]/.test(text) ? text : `${text}.0`;
}

/** Returns the exact text of a value, as the command line writes it; NULL is empty. */
export function plainText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return realText(cell);
  if (cell instanceof Uint8Array) return `0x${hexDigits(cell)}`;
  return typeof cell === 'bigint' ? cell.toString() : cell;
}

/** Returns the text of a cell for the grid; `length` limits long texts. */
export function shownCell(cell: Cell, column: Column, style: CellStyle, length = 300): string {
  if (cell === null) return 'NULL';
  if (cell instanceof Uint8Array) {
    const head = hexDigits(cell.subarray(0, 64));
    return cell.length > 64 ? `x'${head}…' (${cell.length} B)` : `x'${head}'`;
  }
  if (typeof cell === 'bigint' && style.times !== 'raw') {
    if (column.meaning === 'duration_ns') return spanText(cell);
    if (column.meaning === 'time_ns')
      return style.times === 'utc' && style.utcOffsetNs !== null
        ? utcText(cell + style.utcOffsetNs, 9)
        : `${secondsText(cell)} s`;
  }
  return shortened(plainText(cell), length);
}

/** Returns true if the column's cells stand at the right. */
export function isNumeric(column: Column): boolean {
  return column.type === 'int' || column.type === 'double';
}

type Rows = readonly (readonly Cell[])[];

/** Returns rows as tab-separated text with a header; tabs and line breaks in cells become blanks. */
export function toTsv(columns: readonly Column[], rows: Rows): string {
  const clean = (text: string): string => text.replace(/[\t\r\n]+/g, ' ');
  const lines = [columns.map((c) => clean(c.name)), ...rows.map((row) => row.map((cell) => clean(plainText(cell))))];
  return lines.map((line) => line.join('\t')).join('\n');
}

/** Returns rows as a table of Markdown; NULL is written as such. */
export function toMarkdown(columns: readonly Column[], rows: Rows): string {
  const clean = (text: string): string => text.replace(/\\/g, '\\\\').replace(/\|/g, '\\|').replace(/\s*\n\s*/g, ' ');
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map((c) => clean(c.name))),
    line(columns.map((c) => (isNumeric(c) ? '--:' : '---'))),
    ...rows.map((row) => line(row.map((cell) => (cell === null ? 'NULL' : clean(plainText(cell)))))),
  ].join('\n');
}

/** Returns a value as a literal of SQL. */
export function sqlLiteral(cell: Cell): string {
  if (cell === null) return 'NULL';
  if (cell instanceof Uint8Array) return `x'${hexDigits(cell)}'`;
  if (typeof cell === 'string') return `'${cell.replace(/'/g, "''")}'`;
  if (typeof cell === 'number' && Number.isNaN(cell)) return 'NULL';
  if (typeof cell === 'number' && !Number.isFinite(cell)) return cell > 0 ? '9e999' : '-9e999';
  return plainText(cell);
}

/** Returns a statement that gives the same rows. */
export function toSql(columns: readonly Column[], rows: Rows): string {
  const names = columns.map((c) => `"${c.name.replace(/"/g, '""')}"`).join(', ');
  if (rows.length === 0) return `WITH result(${names}) AS (SELECT ${columns.map(() => 'NULL').join(', ')} WHERE 0)\nSELECT * FROM result`;
  const values = rows.map((row) => `(${row.map(sqlLiteral).join(', ')})`).join(',\n  ');
  return `WITH result(${names}) AS (VALUES\n  ${values})\nSELECT * FROM result`;
}
