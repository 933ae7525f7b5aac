/** The menus of rows and events, and what they do. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { shown } from '../lib/text';
import { copy } from '../state/notices';
import { setFilter } from '../timeline/filter_nodes';
import { axisChoice, lineHeights, type Row } from '../timeline/rows';
import type { TimelineView } from '../timeline/view';
import type { Spot } from '../timeline/view_types';
import { openLog } from './timeline_log';
import { openInSql } from './timeline_sql';
import { titleParts } from './timeline_tree';

interface Item {
  label: string;
  hint?: string;
  isChecked?: boolean;
  run(): void;
}

interface Menu {
  title: string;
  x: number;
  y: number;
  items: Item[];
}

export const menu = signal<Menu | null>(null);

const close = (): void => {
  menu.value = null;
};

/** Axes of a counter. */
const axes = [
  { label: 'Axis of its own', isLog: false, isShared: false },
  { label: 'Axis of its own, logarithmic', isLog: true, isShared: false },
  { label: 'Axis shared by unit', isLog: false, isShared: true },
  { label: 'Axis shared by unit, logarithmic', isLog: true, isShared: true },
] as const;

function rowItems(view: TimelineView, row: Row): Item[] {
  const isPinned = view.pins.value.includes(row.key);
  const line = view.styles.value.get(row.key)?.lineHeight ?? view.lineHeight.value;
  const modes = row.node.modes.filter((m) => m === 'value' || m === 'delta' || m === 'rate');
  const mode = row.layers[0]?.mode;
  const { isLog, isShared } = axisChoice(row.node, view.styles.value.get(row.key));
  return [
    ...(row.canOpen ? [{ label: row.isOpen ? 'Close' : 'Open', hint: 'Space', run: () => view.toggle(row.key) }, { label: row.isOpen ? 'Close all below' : 'Open all below', hint: 'Shift Space', run: () => view.toggle(row.key, !row.isOpen, true) }] : []),
    { label: isPinned ? 'Unpin' : 'Pin', hint: 'P', run: () => view.togglePin(row.key) },
    { label: 'Only rows named like it', run: () => setFilter(view, { text: titleParts(shown(row.node.title)).name }) },
    { label: 'Hide', hint: 'H', run: () => view.hide(row.key) },
    ...(modes.length > 1 ? modes.map((m) => ({ label: { value: 'Value', delta: 'Change from the value before', rate: 'Change per second' }[m] ?? m, isChecked: mode === m, run: () => view.setStyle(row.key, { mode: m }) })) : []),
    ...(row.node.kind === 'counter' ? axes.map((a) => ({ label: a.label, isChecked: a.isLog === isLog && a.isShared === isShared, run: () => view.setStyle(row.key, { isLog: a.isLog, isShared: a.isShared }) })) : []),
    ...(row.node.type === 'track' || row.node.type === 'thread' ? lineHeights.map((h) => ({ label: `Lines of ${h} px`, isChecked: h === line, run: () => view.setStyle(row.key, { lineHeight: h }) })) : []),
    ...(row.deeper > 0 ? [{ label: 'Show all lines', run: () => view.setStyle(row.key, { maxLines: 100_000 }) }] : []),
    ...(row.node.first_ts !== null && row.node.last_ts !== null ? [{ label: 'Show its whole time', run: () => view.show({ from: BigInt(row.node.first_ts ?? '0'), to: BigInt(row.node.last_ts ?? '0') }) }] : []),
    ...row.node.linked.map((n) => ({ label: `Go to ${shown(view.tree.nodes.get(n)?.title ?? 'the same process')} in the other file`, run: () => void view.loadPath(n).then(() => (view.focusedRow.value = view.revealNode(n)?.key ?? null)) })),
    ...(row.node.kind === 'log' || row.node.kind === 'ftrace' ? [{ label: 'Lines in view', run: () => openLog(view, row.node.kind === 'log' ? 'log' : 'ftrace', row.node.machine_id) }] : []),
    { label: 'Copy name', run: () => void copy(row.node.title, 'the name') },
    ...(row.node.tracks.length > 0 ? [{ label: 'SQL for its events', run: () => openInSql(view, row.node) }] : []),
  ];
}

export function openRowMenu(view: TimelineView, row: Row, x: number, y: number): void {
  menu.value = { title: row.node.title, x, y, items: rowItems(view, row) };
}

/** Opens the menu of an event, followed by that of its row. */
export function openEventMenu(view: TimelineView, spot: Spot | null, rowKey: string | null, x: number, y: number): void {
  const row = rowKey === null ? undefined : view.rowsByKey.value.get(rowKey);
  const own: Item[] = spot && spot.eventRow >= 0
    ? [
        { label: 'Copy name', run: () => void copy(spot.name, 'the name') },
        { label: 'Zoom to it', hint: 'F', run: () => view.show({ from: view.timeAt(spot.left), to: view.timeAt(spot.right) }) },
        { label: 'Mark its start', run: () => (view.marks.value = [...view.marks.value, { ts: view.timeAt(spot.left), digit: 0, isPinned: true }]) },
        { label: 'SQL for it', run: () => openInSql(view, spot.node, spot) },
      ]
    : [];
  const items = [...own, ...(row ? rowItems(view, row).filter((i) => own.length === 0 || i.label !== 'Copy name') : [])];
  if (items.length > 0) menu.value = { title: spot?.name || row?.node.title || 'Timeline', x, y, items };
}

export function FloatingMenu(): JSX.Element | null {
  const shownMenu = menu.value;
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = root.current;
    if (!shownMenu || !element) return undefined;
    const before = document.activeElement;
    const box = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(shownMenu.x, window.innerWidth - box.width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(shownMenu.y, window.innerHeight - box.height - 4))}px`;
    element.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !element.contains(event.target)) close();
    };
    document.addEventListener('pointerdown', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, [shownMenu]);
  if (!shownMenu) return null;
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      items[(at + step + items.length) % items.length]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      close();
    }
  };
  return (
    <div class="float menu floating" role="menu" aria-label={shown(shownMenu.title).slice(0, 80)} ref={root} onKeyDown={onKeyDown} data-testid="menu">
      {shownMenu.items.map((item) => (
        <button key={item.label} type="button" role={item.isChecked === undefined ? 'menuitem' : 'menuitemradio'} {...(item.isChecked === undefined ? {} : { 'aria-checked': item.isChecked })}
          onClick={() => {
            close();
            item.run();
          }}>
          <span>{item.isChecked === true ? '✓ ' : ''}{item.label}</span>
          {item.hint && <span class="t3">{item.hint}</span>}
        </button>
      ))}
    </div>
  );
}

