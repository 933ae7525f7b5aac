/** Tables of the panel of memory dumps. With several dumps each quantity has the last value, the change, and the largest. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { small } from '../api/queries';
import { allocatorTree, attributesSql, changeOf, nodesSql, ownersSql, regionsSql, regionTree, type MemoryNode, type MemoryTree, type Values } from '../lib/memory_dumps';
import { callsitesSql, entriesSql, heapOf } from '../lib/memory_heaps';
import { shortened, shown } from '../lib/text';
import { bytesText, countText } from '../lib/units';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';

/** Rows of a tree that are shown; what is beyond is counted. */
const mostShown = 1000;

const exact = (value: number): string => (Number.isInteger(value) ? countText(BigInt(value)) : String(value));

/** Returns a value with its unit. */
function valueText(value: number, unit: string): string {
  const size = Math.abs(value);
  const text = unit === 'bytes' ? bytesText(size) : `${exact(size)}${unit === '' ? '' : ` ${shown(unit)}`}`;
  return value < 0 ? `−${text}` : text;
}

const changeText = (value: number, unit: string): string => (value > 0 ? `+${valueText(value, unit)}` : valueText(value, unit));

/** The cells of a quantity. `open` makes the value a button. */
export function MeasureCells({ values, unit, dumps, open = null }: { values: Values | null; unit: string; dumps: number; open?: { label: string; run: () => void } | null }): JSX.Element {
  const { last, change, max } = changeOf(values ?? []);
  const title = last === null ? undefined : `${exact(last)}${unit === '' ? '' : ` ${shown(unit)}`}`;
  const text = last === null ? (open ? 'none' : '') : valueText(last, unit);
  return (
    <>
      <td class={dumps > 1 ? 'num first' : 'num'} title={title}>{open ? <button type="button" class="link" aria-label={`${text}, ${shown(open.label)}`} onClick={open.run}>{text}</button> : text}</td>
      {dumps > 1 && <td class={`num${change !== null && change > 0 ? ' grown' : ''}`} title={change === null ? undefined : exact(change)}>{change === null ? '' : changeText(change, unit)}</td>}
      {dumps > 1 && <td class="num t2" title={max === null ? undefined : exact(max)}>{max === null ? '' : valueText(max, unit)}</td>}
    </>
  );
}

export interface Head {
  title: string;
  group?: string;
}

const groupTitles: Readonly<Record<string, string>> = { total: 'Totals', region: 'Memory regions', allocator: 'Allocators, effective size', heap: 'Heap dumps' };

/** The lines of titles: groups where there are any, quantities, and with several dumps the three values of each. */
export function CellHeads({ first, heads, dumps, last }: { first: string; heads: readonly Head[]; dumps: number; last?: string }): JSX.Element {
  const each = dumps > 1 ? 3 : 1;
  const groups: { group: string; n: number }[] = [];
  for (const { group } of heads) {
    const end = groups.at(-1);
    if (group === undefined) continue;
    if (end?.group === group) end.n += 1;
    else groups.push({ group, n: 1 });
  }
  return (
    <thead>
      {groups.length > 0 && <tr class="groups"><td />{groups.map(({ group, n }) => <th key={group} scope="colgroup" colSpan={n * each}>{groupTitles[group]}</th>)}</tr>}
      <tr><th scope="col" rowSpan={dumps > 1 ? 2 : 1}>{first}</th>{heads.map(({ title, group }) => <th key={`${group}/${title}`} class="num" scope={dumps > 1 ? 'colgroup' : 'col'} colSpan={each} title={shortened(title, 200)}>{shortened(title, 40)}</th>)}{last && <th scope="col" rowSpan={dumps > 1 ? 2 : 1}>{last}</th>}</tr>
      {dumps > 1 && <tr class="parts">{heads.map(({ title, group }) => ['last', 'change', 'max'].map((part) => <th key={`${group}/${title}/${part}`} class={part === 'last' ? 'num first' : 'num'} scope="col">{part}</th>))}</tr>}
    </thead>
  );
}

/** Returns the rows that are open, with their depths. */
function openRows(nodes: readonly MemoryNode[], open: ReadonlySet<string>, depth = 0, rows: { node: MemoryNode; depth: number }[] = []): { node: MemoryNode; depth: number }[] {
  for (const node of nodes) {
    rows.push({ node, depth });
    if (open.has(node.key)) openRows(node.children, open, depth + 1, rows);
  }
  return rows;
}

/** A tree as a table. `first` names its rows, `notes` the column of notes. */
function TreeTable({ tree, first, notes, dumps, opened, chosen, onChoose }: { tree: MemoryTree; first: string; notes?: string; dumps: number; opened: readonly string[]; chosen?: string | null; onChoose?: (key: string) => void }): JSX.Element {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(opened));
  const rows = openRows(tree.nodes, open);
  const toggle = (key: string): void => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={first}>
      <table class="t memory" aria-label={first}>
        <CellHeads first={first} heads={tree.columns} dumps={dumps} {...(notes === undefined ? {} : { last: notes })} />
        <tbody>
          {rows.slice(0, mostShown).map(({ node, depth }) => (
            <tr key={node.key} class={chosen === node.key ? 'sel' : ''}>
              <th scope="row"><span class="memory-name" style={{ paddingLeft: `${depth * 14}px` }}>
                {node.children.length > 0 ? <button type="button" class="act-t" aria-expanded={open.has(node.key)} aria-label={shortened(node.name, 80)} onClick={() => toggle(node.key)}><Icon name={open.has(node.key) ? 'chevron-down' : 'chevron-right'} small /></button> : <i />}
                {onChoose ? <button type="button" class="link" aria-pressed={chosen === node.key} onClick={() => onChoose(node.key)}>{shortened(node.name, 80)}</button> : <span class="cut" title={shortened(node.name, 400)}>{shortened(node.name, 80)}</span>}
              </span></th>
              {tree.columns.map(({ title, unit }, i) => <MeasureCells key={title} values={node.cells[i] ?? null} unit={unit} dumps={dumps} />)}
              {notes !== undefined && <td class="t2" title={shortened(node.note, 2000)}>{shortened(node.note, 120)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostShown && <p class="t3 note">and {countText(rows.length - mostShown)} more rows</p>}
      {tree.isCut && <p class="t3 note">Only the first rows are listed; SQL has all.</p>}
    </div>
  );
}

const failure = (error: string): JSX.Element => (error === '' ? <p class="t3 note" role="status">Loading</p> : <p class="help bad note" role="alert">{shown(error)}</p>);

export function AllocatorTable({ trace, dumps, upid, path }: { trace: string; dumps: readonly number[]; upid: number | null; path: string }): JSX.Element {
  const { value, error } = useLoaded(() => Promise.all([nodesSql, attributesSql, ownersSql].map((sql) => small(trace, sql(dumps, upid, path)))).then(([nodes, attributes, owners]) => allocatorTree(dumps, path, nodes?.rows ?? [], attributes?.rows ?? [], owners?.rows ?? [])), [dumps.join(), upid, path]);
  return value ? <TreeTable tree={value} first="Allocator" notes="Owners and texts" dumps={dumps.length} opened={value.nodes.map((n) => n.key)} /> : failure(error);
}

export function RegionTable({ trace, dumps, upid, top }: { trace: string; dumps: readonly number[]; upid: number | null; top: string }): JSX.Element {
  const { value, error } = useLoaded(() => small(trace, regionsSql(dumps, upid)).then(({ rows }) => regionTree(dumps, rows)), [dumps.join(), upid]);
  return value ? <TreeTable tree={value} first="Class and region" notes="Address and protection" dumps={dumps.length} opened={['Total', `Total/${top}`]} /> : failure(error);
}

export function HeapTables({ trace, dumps, upid, allocator }: { trace: string; dumps: readonly number[]; upid: number; allocator: string }): JSX.Element {
  const { value, error } = useLoaded(() => Promise.all([entriesSql, callsitesSql].map((sql) => small(trace, sql(dumps, upid, allocator)))).then(([entries, callsites]) => heapOf(dumps, entries?.rows ?? [], callsites?.rows ?? [])), [dumps.join(), upid, allocator]);
  const [type, setType] = useState<string | null>(null);
  const stacks = useMemo(() => value?.stacks(type), [value, type]);
  if (!value || !stacks) return failure(error);
  return (
    <div class="memory-heap">
      <TreeTable tree={stacks} first={type === null ? 'Stack' : `Stack of ${shortened(type, 60)}`} dumps={dumps.length} opened={stacks.nodes.map((n) => n.key)} />
      {value.types.nodes.length > 0 && <TreeTable tree={value.types} first="Type" dumps={dumps.length} opened={[]} chosen={type} onChoose={(key) => setType(type === key ? null : key)} />}
    </div>
  );
}
