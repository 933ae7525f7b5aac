/** The menu of a result's columns: show, hide, move, pin. */
import type { JSX } from 'preact';
import type { Column } from '../lib/cells';
import { moved, pinToggled, toggled, type ColumnOrder } from '../lib/column_order';
import { shown } from '../lib/text';
import { Icon } from '../widgets/icon';

/** Px that the menu takes at most; nearer to the right edge it opens to the left. */
const menuWidth = 260;

/** Returns the menu. Hidden columns stand at the end. */
export function Columns(props: { columns: readonly Column[]; order: ColumnOrder; onChange: (order: ColumnOrder) => void }): JSX.Element {
  const { columns, order, onChange } = props;
  const hidden = columns.map((_, c) => c).filter((c) => !order.visible.includes(c));
  const row = (c: number, at: number): JSX.Element => {
    const name = shown(columns[c]?.name ?? '');
    const isShown = at >= 0;
    const isPinned = isShown && at < order.pinned;
    return (
      <li key={c}>
        <label class="cut"><input type="checkbox" checked={isShown} onChange={() => onChange(toggled(order, c))} /><span class="cut">{name}</span><span class="t3">{columns[c]?.type}</span></label>
        {isShown && (
          <>
            <button type="button" class={isPinned ? 'act on pinned' : 'act on'} aria-pressed={isPinned} aria-label={`Pin ${name}`} title="Keep at the left" onClick={() => onChange(pinToggled(order, c))}><Icon name="pin" small /></button>
            <button type="button" class="act on" aria-label={`Move ${name} up`} title="Move to the left" disabled={at === 0} onClick={() => onChange(moved(order, at, at - 1))}><Icon name="arrow-up" small /></button>
            <button type="button" class="act on" aria-label={`Move ${name} down`} title="Move to the right" disabled={at === order.visible.length - 1} onClick={() => onChange(moved(order, at, at + 1))}><Icon name="arrow-down" small /></button>
          </>
        )}
      </li>
    );
  };
  return (
    <details class="columns" onToggle={(e) => {
      const { left } = e.currentTarget.getBoundingClientRect();
      e.currentTarget.classList.toggle('to-left', left + menuWidth > window.innerWidth);
    }}>
      <summary class="btn ghost">Columns{hidden.length > 0 && <span class="t3">{hidden.length} hidden</span>}<Icon name="chevron-down" /></summary>
      <ul class="float">
        {order.visible.map((c, at) => row(c, at))}
        {hidden.map((c) => row(c, -1))}
      </ul>
    </details>
  );
}
