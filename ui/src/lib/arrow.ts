/** Arrow streams of results as rows of cells. */
import { tableFromIPC, Type } from '@uwdata/flechette';
import type { Cell, CellType, Column } from './cells';

export interface Page {
  columns: Column[];
  rows: Cell[][];
}

function typeOf(typeId: number, meaning: string): CellType {
  if (meaning === 'mixed') return 'mixed';
  switch (typeId) {
    case Type.Int:
    case Type.Bool:
    case Type.Timestamp:
    case Type.Duration:
      return 'int';
    case Type.Float:
    case Type.Decimal:
      return 'double';
    case Type.Binary:
    case Type.LargeBinary:
      return 'blob';
    case Type.Null:
      return 'null';
    case Type.Union:
      return 'mixed';
    default:
      return 'text';
  }
}

function cellOf(value: unknown, type: CellType): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return type === 'int' && Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === 'bigint' || typeof value === 'string' || value instanceof Uint8Array) return value;
  return String(value);
}

/** Decodes one stream. Throws an Error if the bytes are malformed. */
export function decodePage(bytes: Uint8Array): Page {
  const table = tableFromIPC(bytes, { useBigInt: true });
  const columns: Column[] = table.schema.fields.map((field) => {
    const meaning = field.metadata?.get('tracebraid.type') ?? '';
    const data = 'dictionary' in field.type ? field.type.dictionary : field.type;
    return { name: field.name, type: typeOf(data.typeId, meaning), meaning };
  });
  const rows: Cell[][] = Array.from({ length: table.numRows }, () => new Array<Cell>(columns.length).fill(null));
  columns.forEach((column, c) => {
    const values = table.getChildAt(c);
    for (let r = 0; r < table.numRows; r += 1) {
      const row = rows[r];
      if (row) row[c] = cellOf(values.at(r), column.type);
    }
  });
  return { columns, rows };
}
