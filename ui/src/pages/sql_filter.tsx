/** Conditions on the rows of a result, which the server checks. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { needsValue, operators, type Condition, type Operator } from '../api/queries';
import { isNumeric, type Column } from '../lib/cells';
import { shortened, shown } from '../lib/text';
import { Icon } from '../widgets/icon';

const words: Record<Operator, string> = {
  contains: 'contains', '=': '=', '!=': '≠', '<': '<', '<=': '≤', '>': '>', '>=': '≥', null: 'is NULL', notnull: 'is not NULL',
};

/** Returns the operator that a column's type suggests. */
const firstOperator = (column: Column | undefined): Operator => (column && isNumeric(column) ? '>=' : 'contains');

/** Returns the conditions as chips, and a form for one more, which works while the user types. */
export function RowFilter(props: { columns: readonly Column[]; conditions: readonly Condition[]; onChange: (conditions: Condition[]) => void }): JSX.Element {
  const { columns } = props;
  const [column, setColumn] = useState(0);
  const [operator, setOperator] = useState<Operator>(firstOperator(columns[0]));
  const [value, setValue] = useState('');
  const [fixed, setFixed] = useState<Condition[]>([]);
  const timer = useRef(0);
  const draft = (): Condition[] => (needsValue(operator) && value === '' ? [] : [{ column, operator, value }]);
  useEffect(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const all = [...fixed, ...(needsValue(operator) ? draft() : [])];
      if (JSON.stringify(all) !== JSON.stringify(props.conditions)) props.onChange(all);
    }, 200);
    return () => window.clearTimeout(timer.current);
  }, [column, operator, value, fixed]);
  const keep = (event: Event): void => {
    event.preventDefault();
    setFixed([...fixed, ...draft()]);
    setValue('');
    if (!needsValue(operator)) setOperator(firstOperator(columns[column]));
  };
  return (
    <form class="row-filter" onSubmit={keep}>
      <Icon name="filter" small />
      {fixed.map((c, i) => (
        <span class="chip" key={i}>
          {shown(columns[c.column]?.name ?? '')} {words[c.operator]} {needsValue(c.operator) && shortened(c.value, 30)}
          <button type="button" class="act on" aria-label="Remove this condition" onClick={() => setFixed(fixed.filter((_, n) => n !== i))}><Icon name="close" small /></button>
        </span>
      ))}
      <select class="select" aria-label="Column to filter" value={String(column)}
        onChange={(e) => {
          const next = Number(e.currentTarget.value);
          setColumn(next);
          setOperator(firstOperator(columns[next]));
        }}>
        {columns.map((c, i) => <option key={i} value={String(i)}>{shown(c.name)}</option>)}
      </select>
      <select class="select" aria-label="Condition" value={operator} onChange={(e) => setOperator(e.currentTarget.value as Operator)}>
        {operators.map((o) => <option key={o} value={o}>{words[o]}</option>)}
      </select>
      {needsValue(operator) && (
        <label class="field soft"><input aria-label="Value to filter by" placeholder="value" value={value} onInput={(e) => setValue(e.currentTarget.value)} /></label>
      )}
      {(value !== '' || !needsValue(operator)) && <button type="submit" class="btn ghost" title="Keeps this condition and begins another">And</button>}
    </form>
  );
}
