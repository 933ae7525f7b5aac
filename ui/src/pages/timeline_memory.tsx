/** The panel of memory dumps: processes and what they use, and the tables behind each cell; several dumps are compared. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { small } from '../api/queries';
import { exactTime } from '../lib/axis';
import { columnTitle, dumpOf, dumpsSql, mostDumps, overviewOf, overviewSql, processesSql, regionMeasures, snapshotOfSql, type Column, type Dump, type Overview, type RegionMeasure } from '../lib/memory_dumps';
import { shortened, shown } from '../lib/text';
import { countText } from '../lib/units';
import { currentView } from '../state/timeline';
import type { TimelineView } from '../timeline/view';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';
import { AllocatorTable, CellHeads, HeapTables, MeasureCells, RegionTable } from './timeline_memory_tables';

/** Dumps that are compared at once. */
const mostCompared = 100;

/** The cell whose table is shown instead of the overview. */
interface Place {
  upid: number | null;
  process: string;
  column: Column;
}

/** Returns the dumps of the selected event or area, which are shown until others are chosen. */
function useSelected(view: TimelineView, dumps: readonly Dump[]): readonly number[] {
  const event = view.selection.value;
  const area = view.area.value;
  const isDump = event?.kind === 'dump';
  const { value } = useLoaded(() => (isDump ? small(view.trace, snapshotOfSql(event.row)) : null), [isDump ? event.row : -1]);
  return useMemo(() => {
    if (isDump) return value ? value.rows.map(([snapshot]) => Number(snapshot)) : [];
    const within = area ? dumps.filter((d) => d.ts >= area.range.from && d.ts <= area.range.to) : [];
    return (within.length > 0 ? within : dumps.slice(-1)).slice(0, mostCompared).map((d) => d.snapshot);
  }, [isDump, value, area, dumps]);
}

function DumpList({ view, dumps, total, chosen, onChange }: { view: TimelineView; dumps: readonly Dump[]; total: number; chosen: readonly number[]; onChange: (chosen: number[]) => void }): JSX.Element {
  const toggle = (snapshot: number, isOn: boolean): void => onChange(dumps.filter((d) => (d.snapshot === snapshot ? isOn : chosen.includes(d.snapshot))).map((d) => d.snapshot));
  return (
    <fieldset class="dumps" aria-label="Memory dumps">
      {dumps.map((d) => {
        const isOn = chosen.includes(d.snapshot);
        const title = `${exactTime(d.ts, view.format.value, view.origin.value)}`;
        return (
          <label key={d.snapshot} class="check"><input type="checkbox" checked={isOn} disabled={isOn ? chosen.length === 1 : chosen.length >= mostCompared} onChange={(e) => toggle(d.snapshot, e.currentTarget.checked)} />
            <i class={`dump-level ${/^(background|light|detailed)$/.test(d.level) ? d.level : 'light'}`} aria-hidden="true" /><span class="mono">{title}</span> <span class="t3">{shortened(d.level, 20)}</span></label>
        );
      })}
      {total > dumps.length && <p class="t3">and {countText(total - dumps.length)} more</p>}
    </fieldset>
  );
}

function OverviewTable({ overview, dumps, measure, onMeasure, onOpen }: { overview: Overview; dumps: number; measure: RegionMeasure; onMeasure: (measure: RegionMeasure) => void; onOpen: (place: Place) => void }): JSX.Element {
  const { columns, rows } = overview;
  const unitOf = (c: Column): string => (c.group === 'total' && c.name.startsWith('is_') ? '' : 'bytes');
  return (
    <>
      {columns.some((c) => c.group === 'region') && (
        <p class="memory-bar"><label>Regions by <select class="select" aria-label="Regions by" value={measure} onChange={(e) => onMeasure(e.currentTarget.value as RegionMeasure)}>
          {regionMeasures.map(([name, title]) => <option key={name} value={name}>{title}</option>)}
        </select></label></p>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label="Memory of processes">
        <table class="t memory" aria-label="Memory of processes">
          <CellHeads first="Process" heads={columns.map((c) => ({ title: columnTitle(c), group: c.group }))} dumps={dumps} />
          <tbody>
            {rows.map((row) => (
              <tr key={String(row.upid)}>
                <th scope="row"><span class="cut" title={shortened(row.title, 300)}>{shortened(row.title, 60)}</span></th>
                {columns.map((c, i) => {
                  const values = row.cells[i] ?? null;
                  return <MeasureCells key={`${c.group}/${c.name}`} values={values} unit={unitOf(c)} dumps={dumps} open={c.group === 'total' || !values ? null : { label: `${columnTitle(c)} of ${row.title}`, run: () => onOpen({ upid: row.upid, process: row.title, column: c }) }} />;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Behind({ view, dumps, place, onBack }: { view: TimelineView; dumps: readonly number[]; place: Place; onBack: () => void }): JSX.Element {
  const { upid, column } = place;
  return (
    <>
      <p class="memory-bar"><button type="button" class="btn ghost" onClick={onBack}><Icon name="arrow-left" small />All processes</button>
        <span class="cut t2">{shortened(place.process, 60)} › {column.group === 'region' ? 'Memory regions' : shown(columnTitle(column))}</span></p>
      {column.group === 'region' ? <RegionTable trace={view.trace} dumps={dumps} upid={upid} top={column.name} />
        : column.group === 'heap' && upid !== null ? <HeapTables trace={view.trace} dumps={dumps} upid={upid} allocator={column.name} />
          : <AllocatorTable trace={view.trace} dumps={dumps} upid={upid} path={column.name} />}
    </>
  );
}

function Panel({ view }: { view: TimelineView }): JSX.Element {
  const list = useLoaded(() => small(view.trace, dumpsSql), [view.trace]);
  const dumps = useMemo(() => list.value?.rows.map(dumpOf) ?? [], [list.value]);
  const selected = useSelected(view, dumps);
  const [other, setOther] = useState<{ to: readonly number[]; chosen: number[] } | null>(null);
  const [place, setPlace] = useState<Place | null>(null);
  const [measure, setMeasure] = useState<RegionMeasure>('pss');
  // What the user checked holds until another dump or area is selected.
  const chosen = other?.to === selected ? other.chosen : selected;
  const key = chosen.join();
  useEffect(() => setPlace(null), [view.selection.value?.row, view.area.value]);
  const loaded = useLoaded(() => (chosen.length === 0 ? null : Promise.all([small(view.trace, overviewSql(chosen, measure)), small(view.trace, processesSql(chosen))]).then(([cells, processes]) => ({ dumps: chosen, overview: overviewOf(chosen, cells.rows, processes.rows) }))), [key, measure]);
  const error = list.error || loaded.error;
  const total = list.value?.rows.length === mostDumps ? Number(list.value.rows[0]?.[4] ?? mostDumps) : dumps.length;
  return (
    <div class="memory-panel" data-testid="memory">
      <DumpList view={view} dumps={dumps} total={total} chosen={chosen} onChange={(next) => setOther({ to: selected, chosen: next })} />
      <div class="memory-main">
        {error !== '' && <p class="help bad note" role="alert">{shown(error)}</p>}
        {place ? <Behind view={view} dumps={chosen} place={place} onBack={() => setPlace(null)} />
          : loaded.value && <OverviewTable overview={loaded.value.overview} dumps={loaded.value.dumps.length} measure={measure} onMeasure={setMeasure} onOpen={setPlace} />}
      </div>
    </div>
  );
}

export function MemoryPanel(): JSX.Element | null {
  const view = currentView.value;
  return view && <Panel view={view} />;
}
