/** The grid of a result: a real table that shows a window of rows, which stay on the server. */
import 'regular-table';
import type { RegularTableElement } from 'regular-table';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { GridController, type GridProps } from './grid_controller';

/** Returns the grid. Click selects a row, Shift extends; arrows move; Enter or a double click shows a cell in full; headers sort, and move when they are dragged. */
export function Grid(props: GridProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const controller = useRef<GridController | null>(null);
  // Effects of the layout run before the browser paints: without rows a frame would be lost.
  useLayoutEffect(() => {
    const table = document.createElement('regular-table') as RegularTableElement;
    table.setAttribute('aria-label', 'Rows of the result');
    table.setAttribute('role', 'group');
    host.current?.append(table);
    const made = new GridController(table, props);
    controller.current = made;
    const observer = new ResizeObserver(() => void made.draw());
    if (host.current) observer.observe(host.current);
    return () => {
      observer.disconnect();
      table.remove();
      controller.current = null;
    };
  }, []);
  useLayoutEffect(() => controller.current?.update(props));
  return <div class="grid-host" ref={host} data-testid="grid" />;
}
