/** Which rows are seen where: pinned ones, parents that stick, and the others below them. In CSS px. */
import { rowAt, type Row } from './rows';
import type { TimelineView } from './view';

/** Takes one row: its top, the part that may be drawn, and what it is. */
export type PlaceRow = (row: Row, y: number, clipTop: number, clipBottom: number, isSticky: boolean, isPinned: boolean) => void;

/** Calls `place` for each row that is seen, from the top. */
export function layoutRows(view: TimelineView, place: PlaceRow): void {
  const { height } = view.size.value;
  const pinHeight = view.pinHeight.value;
  for (const row of view.pinnedRows.value) {
    const y = row.top - view.pinScroll.value;
    if (y < pinHeight && y + row.height > 0) place(row, y, 0, pinHeight, false, true);
  }
  let top = pinHeight;
  for (const row of view.sticky.value) {
    place(row, top, top, top + row.height, true, false);
    top += row.height;
  }
  const rows = view.rows.value;
  const scroll = view.scroll.value;
  for (let i = rowAt(rows, scroll); i < rows.length; i += 1) {
    const row = rows[i];
    if (!row) break;
    const y = row.top - scroll + pinHeight;
    if (y >= height) break;
    if (y + row.height > top) place(row, y, top, height, false, false);
  }
}
