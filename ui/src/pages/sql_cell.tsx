/** A value of a result in full: other readings of times, and the rows that it names. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { small } from '../api/queries';
import { plainText, type Cell, type Column } from '../lib/cells';
import { referenceOf, referenceSql, type Reference } from '../lib/links';
import { shortened, shown, shownLines } from '../lib/text';
import { counted, countText, secondsText, spanText, utcText } from '../lib/units';
import { current } from '../state/app';
import { copy } from '../state/notices';
import { addTab } from '../state/sql';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';
import { Dialog } from '../widgets/parts';

interface Target {
  reference: Reference;
  value: bigint;
}

const rowLimit = 100;

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value));

/** Returns what a value of a referenced row refers to in turn. */
function targetOf(name: string, value: unknown): Target | null {
  const reference = referenceOf({ name, meaning: '' });
  const text = textOf(value);
  return reference && /^\d+$/.test(text) ? { reference, value: BigInt(text) } : null;
}

/** Shows one row by name and value, or the args of a set by key and value. */
function ReferencedRows({ target, onFollow }: { target: Target; onFollow: (target: Target) => void }): JSX.Element {
  const trace = current.value?.trace;
  const sql = referenceSql(target.reference, target.value);
  const { value: found, error } = useLoaded(() => (trace === undefined ? null : small(trace, `${sql} LIMIT ${rowLimit + 1}`)), [trace, sql]);
  if (error !== '') return <p class="help bad" role="alert">{shown(error)}</p>;
  if (!found) return <p class="t3">…</p>;
  if (found.rows.length === 0) return <p class="t2">No row of {target.reference.table} has this {target.reference.key}.</p>;
  const at = (name: string): number => found.columns.indexOf(name);
  const isArgs = target.reference.table === 'args' && at('key') >= 0 && at('display_value') >= 0;
  const pairs: [string, unknown][] = isArgs
    ? found.rows.slice(0, rowLimit).map((row) => [textOf(row[at('key')]), row[at('display_value')]])
    : found.columns.map((name, c): [string, unknown] => [name, found.rows[0]?.[c]]).filter(([, value]) => value !== null);
  const more = isArgs ? Math.max(0, found.rows.length - rowLimit) : found.rows.length - 1;
  return (
    <>
      <dl class="kv referenced">
        {pairs.map(([name, value], i) => {
          const next = isArgs ? null : targetOf(name, value);
          const isSelf = next?.reference.table === target.reference.table && next.value === target.value;
          return (
            <div key={i}>
              <dt>{shown(name)}</dt>
              <dd class="mono">{next && !isSelf ? <button type="button" class="link" onClick={() => onFollow(next)}>{shown(textOf(value))}</button> : shortened(textOf(value), 400)}</dd>
            </div>
          );
        })}
      </dl>
      {more > 0 && <p class="t2">There are more rows; the query shows all.</p>}
    </>
  );
}

/** Shows a value in full. Follows ids to the rows that they name. */
export function CellDialog(props: { cell: Cell; column: Column; utcOffsetNs: bigint | null; onClose: () => void }): JSX.Element {
  const { cell, column } = props;
  const reference = typeof cell === 'bigint' ? referenceOf(column) : null;
  const [trail, setTrail] = useState<Target[]>(reference && typeof cell === 'bigint' ? [{ reference, value: cell }] : []);
  const target = trail[trail.length - 1];
  const text = cell === null ? 'NULL' : plainText(cell);
  const isTime = typeof cell === 'bigint' && (column.meaning.endsWith('_ns') || !reference);
  return (
    <Dialog title={shown(column.name)} onClose={props.onClose} wide testId="cell">
      <pre class={cell === null ? 'cell-full null' : 'cell-full'} tabIndex={0}>{shownLines(text.slice(0, 1_000_000))}</pre>
      {text.length > 1_000_000 && <p class="t2 note">The first 1,000,000 of {countText(text.length)} characters. The copy has all.</p>}
      {isTime && (
        <dl class="kv note">
          <dt>as a length</dt><dd class="mono">{spanText(cell)}</dd>
          <dt>as seconds</dt><dd class="mono">{secondsText(cell)} s</dd>
          {props.utcOffsetNs !== null && column.meaning === 'time_ns' && <><dt>as a date</dt><dd class="mono">{utcText(cell + props.utcOffsetNs, 9)}</dd></>}
        </dl>
      )}
      {target && (
        <section class="target" aria-label="What the value names" data-testid="target">
          <h3>
            {trail.length > 1 && <button type="button" class="btn ghost icon" aria-label="Back" title="Back" onClick={() => setTrail(trail.slice(0, -1))}><Icon name="arrow-left" /></button>}
            {target.reference.table} <span class="mono">{target.value.toString()}</span>
            <span class="grow" />
            <button type="button" class="btn" onClick={() => {
              addTab(`${referenceSql(target.reference, target.value)};\n`, `${target.reference.table} ${target.value}`);
              props.onClose();
            }}><Icon name="sql" />Query</button>
          </h3>
          <ReferencedRows target={target} onFollow={(next) => setTrail([...trail, next])} />
        </section>
      )}
      <p class="actions end">
        <span class="t3 grow">{column.type}{typeof cell === 'string' && `, ${counted(Array.from(cell).length, 'character')}`}{cell instanceof Uint8Array && `, ${counted(cell.length, 'byte')}`}</span>
        <button type="button" class="btn" onClick={() => void copy(cell === null ? '' : text, 'the value')}><Icon name="copy" />Copy</button>
      </p>
    </Dialog>
  );
}
