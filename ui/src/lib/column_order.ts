/** Which columns of a result are shown, in which order, and how many stay at the left. */

export interface ColumnOrder {
  /** Indexes of the shown columns; the first `pinned` stay while the others scroll. */
  visible: readonly number[];
  pinned: number;
}

/** Returns the order of a new result: all columns as the query gives them. */
export const allColumns = (count: number): ColumnOrder => ({ visible: Array.from({ length: count }, (_, c) => c), pinned: 0 });

/** Hides a column, or shows it behind the others. The last column stays. */
export function toggled({ visible, pinned }: ColumnOrder, column: number): ColumnOrder {
  const at = visible.indexOf(column);
  if (at < 0) return { visible: [...visible, column], pinned };
  if (visible.length === 1) return { visible, pinned };
  return { visible: visible.filter((c) => c !== column), pinned: at < pinned ? pinned - 1 : pinned };
}

/** Moves the column at a position to another. A column that crosses the border of the pinned ones changes its side. */
export function moved({ visible, pinned }: ColumnOrder, from: number, to: number): ColumnOrder {
  const column = visible[from];
  if (column === undefined || to < 0 || to >= visible.length) return { visible, pinned };
  const rest = visible.filter((_, at) => at !== from);
  const delta = (to < pinned ? 1 : 0) - (from < pinned ? 1 : 0);
  return { visible: [...rest.slice(0, to), column, ...rest.slice(to)], pinned: pinned + delta };
}

/** Pins a column behind the pinned ones, or releases it to be the first of the others. One column always scrolls. */
export function pinToggled({ visible, pinned }: ColumnOrder, column: number): ColumnOrder {
  const at = visible.indexOf(column);
  const isPinned = at >= 0 && at < pinned;
  const rest = visible.filter((c) => c !== column);
  const next = isPinned ? pinned - 1 : pinned + 1;
  if (at < 0 || next >= visible.length) return { visible, pinned };
  const place = isPinned ? next : pinned;
  return { visible: [...rest.slice(0, place), column, ...rest.slice(place)], pinned: next };
}
