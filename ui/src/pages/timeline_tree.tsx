/** The names of the rows: a tree grid of as many rows as are seen. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { nameEnds, shown } from '../lib/text';
import { countText, spanText } from '../lib/units';
import type { NodeBound, TreeNode } from '../api/timeline';
import type { Certainty } from '../lib/certainty';
import { layoutRows } from '../timeline/layout';
import { onWheel } from '../timeline/pointer';
import type { Row } from '../timeline/rows';
import { lineHeights } from '../timeline/rows';
import type { TimelineView } from '../timeline/view';
import { Icon, type IconName } from '../widgets/icon';
import { Bound } from '../widgets/parts';
import { openRowMenu } from './timeline_menu';

/** Returns the look of a bound, and its text. Until each event has a bound of its own it is the largest of its file and machine. */
export function boundLook(bound: NodeBound): { certainty: Certainty; text: string; title: string } {
  if (bound.kind === 'exact') return { certainty: 'certain', text: 'exact', title: 'No conversion of clocks adds an error.' };
  if (bound.kind === 'at_most') {
    const text = `±${spanText(BigInt(bound.ns ?? '0'))}`;
    return { certainty: 'uncertain', text, title: `At most ${text}: the largest bound of the clocks of this file and machine.` };
  }
  if (bound.kind === 'none') return { certainty: 'guessed', text: 'no bound', title: 'Placed by a guess: nothing measured limits the error.' };
  return { certainty: 'none', text: '', title: '' };
}

const sameBound = (a: NodeBound, b: NodeBound): boolean => a.kind === b.kind && a.ns === b.ns;

function iconOf(node: TreeNode): IconName | null {
  if (node.type === 'machine') return /phone|android|pixel/i.test(node.title) ? 'phone' : /watch|wear/i.test(node.title) ? 'watch' : /gpu|rank|node|server|cuda/i.test(node.title) ? 'chip' : 'machine';
  if (node.type === 'file') return 'file';
  if (node.type === 'process') return 'process';
  return null;
}

/** Returns the id that stands behind a title, in its own style: "main" and "4112". */
export function titleParts(title: string): { name: string; id: string } {
  const match = /^(.*?)(?: \((?:pid|tid|utid)? ?(\d+)\)| (\d{3,}))(:.*)?$/.exec(title);
  const id = match?.[2] ?? match?.[3];
  if (!match || id === undefined || !match[1]) return { name: title, id: '' };
  return { name: `${match[1]}${match[4] ?? ''}`, id };
}

const trackWords: Readonly<Record<string, string>> = {
  slice: 'slices', async: 'async', counter: 'counter', stacked: 'counter', sched: 'scheduling', thread_state: 'states', state: 'states', log: 'logs', ftrace: 'kernel events', sample: 'samples', snapshot: 'snapshots', dump: 'memory dumps',
};

/** Returns what a row holds, for the line below its title. */
function subtitle(row: Row): string {
  const words = row.layers.filter((l) => l.mode !== 'summary' && l.node.kind !== null).map((l) => {
    const { kind } = l.node;
    if (kind === 'slice' || kind === 'async') return kind === 'async' ? `async, ${l.node.lines} ${l.node.lines === 1 ? 'lane' : 'lanes'}` : `${l.node.lines} deep`;
    return `${trackWords[kind ?? ''] ?? kind}${l.mode === 'delta' || l.mode === 'rate' ? `, ${l.mode}` : ''}`;
  });
  const unit = row.node.unit ? ` · ${row.node.unit}` : '';
  return `${words.join(', ')}${unit}`;
}

function RowView({ view, row, y, clipTop, clipBottom, isSticky, isPinned, index }: {
  view: TimelineView; row: Row; y: number; clipTop: number; clipBottom: number; isSticky: boolean; isPinned: boolean; index: number;
}): JSX.Element {
  const { node } = row;
  const { name, id } = titleParts(shown(node.title));
  const parent = row.parent?.node ?? (node.parent === null ? undefined : view.tree.nodes.get(node.parent));
  const [head, tail] = node.type === 'process' || node.type === 'file' || node.type === 'machine' ? nameEnds(name) : [name, ''];
  const hasBound = node.bound.kind !== 'unknown' && (!parent || !sameBound(parent.bound, node.bound) || node.type === 'machine');
  const look = boundLook(node.bound);
  const isTall = row.height >= 34;
  const icon = iconOf(node);
  const isFocused = view.focusedRow.value === row.key;
  const top = Math.max(y, clipTop);
  const bottom = Math.min(y + row.height, clipBottom);
  const isTiny = row.height < 16;
  const isThin = row.height < 10; // no room for a name: it is in the title, and where the pointer is
  // A low row that is cut by those that stick is seen in part, as any that scrolls; the name of a high one stays in sight.
  const isCut = !isTall && (top > y || bottom < y + row.height);
  const style = { ...(isCut ? { top: `${y}px`, height: `${row.height}px`, clipPath: `inset(${top - y}px 0 ${y + row.height - bottom}px 0)` } : { top: `${top}px`, height: `${bottom - top}px` }), paddingLeft: `${8 + row.depth * 12}px`, ['--mc' as string]: row.machine >= 0 ? `var(--machine-${(row.machine % 8) + 1})` : 'transparent' };
  const sub = isTall ? subtitle(row) : '';
  return (
    <div role="row" id={`row-${index}`} aria-level={row.depth + 1} aria-expanded={row.canOpen ? row.isOpen : undefined} aria-selected={isFocused}
      class={`row-t ${node.type}${isTall ? ' tall' : ''}${isTiny ? ' tiny' : ''}${isFocused ? ' sel' : ''}${isSticky ? ' stuck' : ''}${isPinned ? ' pinned' : ''}`}
      style={style} data-key={row.key} data-testid={isSticky || isPinned ? undefined : 'row'}
      onClick={() => (view.focusedRow.value = row.key)}
      onDblClick={() => row.canOpen && view.toggle(row.key)}
      onContextMenu={(e) => {
        e.preventDefault();
        openRowMenu(view, row, e.clientX, e.clientY);
      }}>
      {row.canOpen && !isPinned ? (
        <span class="tw" aria-hidden="true" onClick={() => (isSticky ? view.scrollTo(row.top) : view.toggle(row.key))}>
          <Icon name={row.isOpen ? 'chevron-down' : 'chevron-right'} small />
        </span>
      ) : (
        <span class="tw" aria-hidden="true">{isPinned && <Icon name="pin" small />}</span>
      )}
      {icon && !isTiny && <Icon name={icon} small />}
      <span class={tail === '' ? 'cut title' : 'cut title ends'} role="rowheader" title={shown(node.detail === '' ? node.title : `${node.title}\n${node.detail}`)}>
        {isThin ? null : <>{isPinned && parent ? <span class="t3">{titleParts(shown(parent.title)).name} · </span> : null}
        {tail === '' ? name : <><span class="head cut">{head}</span><span class="tail">{tail}</span></>}
        {id !== '' && <span class="id"> {id}</span>}
        {sub !== '' && <span class="sub cut">{sub}</span>}</>}
      </span>
      <span class="acts" role="gridcell">
        {row.deeper > 0 && (
          <button type="button" class="deeper" title="Show all lines of this track" tabIndex={-1} onClick={() => view.setStyle(row.key, { maxLines: 100_000 })}>{countText(row.deeper)} deeper</button>
        )}
        {node.hidden > 0 && !isTiny && <span class="id" title={`${node.hidden} empty rows are hidden`}>+{countText(node.hidden)}</span>}
        {hasBound && look.certainty !== 'none' && <span title={look.title} class="b"><Bound certainty={look.certainty} text={look.text} quiet={isTiny} /></span>}
        {!isTiny && (
          <button type="button" class={`act-t${isPinned || view.pins.value.includes(row.key) ? ' on' : ''}`} tabIndex={-1} aria-label={view.pins.value.includes(row.key) ? `Unpin ${name}` : `Pin ${name}`} aria-pressed={view.pins.value.includes(row.key)}
            onClick={(e) => {
              e.stopPropagation();
              view.togglePin(row.key);
            }}>
            <Icon name="pin" small />
          </button>
        )}
        {!isTiny && !isPinned && (
          <button type="button" class="act-t" tabIndex={-1} aria-label={`More about ${name}`} aria-haspopup="menu"
            onClick={(e) => {
              e.stopPropagation();
              const box = e.currentTarget.getBoundingClientRect();
              openRowMenu(view, row, box.left, box.bottom + 2);
            }}>
            <Icon name="more" small />
          </button>
        )}
      </span>
      {(node.type === 'track' || node.type === 'thread') && row.height >= 18 && bottom === y + row.height && !isPinned && <Edge view={view} row={row} />}
    </div>
  );
}

/** The lower edge of a track: dragging limits its lines. */
function Edge({ view, row }: { view: TimelineView; row: Row }): JSX.Element | null {
  const layer = row.layers.at(-1);
  if (!layer || layer.lineHeight === 0 || layer.node.lines < 2) return null;
  const onDown = (event: PointerEvent): void => {
    event.stopPropagation();
    const target = event.currentTarget as HTMLElement;
    target.setPointerCapture(event.pointerId);
    const start = event.clientY;
    const lines = layer.lines;
    const move = (e: PointerEvent): void => {
      const next = Math.max(1, Math.min(layer.node.lines, Math.round(lines + (e.clientY - start) / layer.lineHeight)));
      view.setStyle(row.key, { maxLines: next });
    };
    const stop = (): void => {
      target.removeEventListener('pointermove', move);
      target.removeEventListener('pointerup', stop);
    };
    target.addEventListener('pointermove', move);
    target.addEventListener('pointerup', stop);
  };
  return <i class="edge" aria-hidden="true" title="Drag to limit the lines of this track" onPointerDown={onDown} />;
}

/** Keys of the tree: up and down move, right and left open and close. */
function onTreeKey(event: KeyboardEvent, view: TimelineView): void {
  const rows = view.rows.value;
  const at = rows.findIndex((r) => r.key === view.focusedRow.value);
  const row = rows[at];
  const moveTo = (next: Row | undefined): void => {
    if (!next) return;
    view.focusedRow.value = next.key;
    const height = view.size.value.height - view.pinHeight.value;
    if (next.top < view.scroll.value + 66) view.scrollTo(next.top - 66);
    else if (next.top + next.height > view.scroll.value + height) view.scrollTo(next.top + next.height - height);
  };
  const act: Record<string, (() => void) | undefined> = {
    ArrowDown: () => moveTo(rows[at + 1] ?? rows[0]),
    ArrowUp: () => moveTo(rows[Math.max(0, at - 1)]),
    Home: () => moveTo(rows[0]),
    End: () => moveTo(rows.at(-1)),
    ArrowRight: () => (row?.canOpen && !row.isOpen ? view.toggle(row.key, true) : moveTo(rows[at + 1])),
    ArrowLeft: () => (row?.isOpen ? view.toggle(row.key, false) : row?.parent ? moveTo(row.parent) : undefined),
    Enter: row ? () => view.toggle(row.key) : undefined,
  };
  const run = event.ctrlKey || event.metaKey || event.altKey ? undefined : act[event.key];
  if (!run) return;
  event.preventDefault();
  event.stopPropagation();
  run();
}

/** Sets the height of lines of a row to the next one. */
export function nextLineHeight(view: TimelineView, row: Row): void {
  const now = view.styles.value.get(row.key)?.lineHeight ?? view.lineHeight.value;
  const at = lineHeights.findIndex((h) => h === now);
  view.setStyle(row.key, { lineHeight: lineHeights[(at + 1) % lineHeights.length] ?? 18 });
}

export function TimelineTree({ view }: { view: TimelineView }): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const wheel = (event: WheelEvent): void => onWheel(event, { x: view.size.value.width / 2, y: event.clientY - element.getBoundingClientRect().top }, view);
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [view]);
  const items: JSX.Element[] = [];
  let index = 0;
  let active = '';
  layoutRows(view, (row, y, clipTop, clipBottom, isSticky, isPinned) => {
    const key = `${isPinned ? 'p' : isSticky ? 's' : 'r'}${row.key}`;
    if (row.key === view.focusedRow.value && !isPinned) active = `row-${index}`;
    items.push(<RowView key={key} view={view} row={row} y={y} clipTop={clipTop} clipBottom={clipBottom} isSticky={isSticky} isPinned={isPinned} index={index} />);
    index += 1;
  });
  const { height } = view.size.value;
  const stick = view.sticky.value.reduce((sum, r) => sum + r.height, view.pinHeight.value);
  return (
    <div class="names" role="treegrid" aria-label="Tracks" aria-rowcount={view.rows.value.length} aria-activedescendant={active === '' ? undefined : active} tabIndex={0} ref={root} data-testid="tree"
      onKeyDown={(e) => onTreeKey(e, view)}
      onFocus={() => {
        if (view.focusedRow.value === null) view.focusedRow.value = view.rows.value[0]?.key ?? null;
      }}>
      {items}
      {view.sticky.value.length > 0 && <div class="stick" style={{ top: `${stick - 6}px` }} />}
      {items.length === 0 && height > 0 && <p class="t2 note">No track has an event.</p>}
    </div>
  );
}
