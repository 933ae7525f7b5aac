/** What the timeline shows and how: grouping, order, filter, heights, colours, times. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { flowCategories, groupings, type Grouping } from '../api/timeline';
import { axisFormats, type AxisFormat } from '../lib/axis';
import { machineClocks } from '../api/clocks';
import { shortened, shown } from '../lib/text';
import { countText } from '../lib/units';
import { showClock } from '../state/axis_clock';
import { panel } from '../state/panel';
import { change, settings } from '../state/settings';
import { choose, filterByHits } from '../state/timeline';
import { hideFlows } from '../timeline/flows';
import { setFilter } from '../timeline/filter_nodes';
import { lineHeights } from '../timeline/rows';
import type { TimelineView } from '../timeline/view';
import type { ColourMode } from '../timeline/view_types';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';

export const optionsOpen = signal(false);

const groupingWords: Record<Grouping, string> = { machine_file: 'Machine and file', machine: 'Machine', type: 'Type', flat: 'Flat' };
const formatWords: Record<AxisFormat, string> = { seconds: 'Seconds from the start', timecode: 'Hours, minutes, seconds', utc: 'UTC', clock: 'A clock', raw: 'Nanoseconds' };
const colourWords: Record<ColourMode, string> = { name: 'Name', category: 'Category', process: 'Process', machine: 'Machine', file: 'File', duration: 'Duration' };
const heightWords: Record<number, string> = { 2: 'Dense, 2 px', 9: 'Small, 9 px', 18: 'Usual, 18 px', 27: 'Large, 27 px' };

/** Changes the grouping and loads the tree anew. */
function regroup(view: TimelineView, part: { grouping?: Grouping; empty?: boolean }): void {
  if (part.grouping) view.grouping.value = part.grouping;
  if (part.empty !== undefined) view.showsEmpty.value = part.empty;
  void view.start().then(() => {
    if (view.filter.value) setFilter(view, {}); // the nodes have other numbers
    view.scrollTo(view.scroll.value);
  });
}

function Choice<T extends string | number>({ label, value, options, onChoose }: { label: string; value: T; options: readonly [T, string][]; onChoose: (value: T) => void }): JSX.Element {
  return (
    <label class="option">
      <span>{label}</span>
      <select class="select" value={String(value)} onChange={(e) => onChoose(options[e.currentTarget.selectedIndex]?.[0] ?? value)}>
        {options.map(([v, words]) => <option key={String(v)} value={String(v)}>{words}</option>)}
      </select>
    </label>
  );
}

function Check({ label, checked, onChange }: { label: string; checked: boolean; onChange: (checked: boolean) => void }): JSX.Element {
  return <label class="check"><input type="checkbox" checked={checked} onChange={(e) => onChange(e.currentTarget.checked)} />{label}</label>;
}

/** Which clock of a machine the axis shows. */
function ClockChoice({ view }: { view: TimelineView }): JSX.Element | null {
  const { value } = useLoaded(() => machineClocks(view.trace), [view.trace]);
  if (!value || value.length === 0) return null;
  const labels = ['', ...value.map((c) => c.label)];
  return <Choice label="Clock of the axis" value={view.axisClock.value} options={labels.map((l) => [l, l === '' ? 'None' : shown(l)])} onChoose={(label) => showClock(view, label)} />;
}

/** Which categories of flows are drawn; nothing to choose where all have one. */
function FlowCategories({ view }: { view: TimelineView }): JSX.Element | null {
  const { value } = useLoaded(() => flowCategories(view.trace), [view.trace]);
  if (!value || value.categories.length < 2 || !view.showsFlows.value) return null;
  const hidden = view.own.hiddenFlows.value;
  const set = (name: string, isShown: boolean): void => hideFlows(view, new Set(isShown ? [...hidden].filter((n) => n !== name) : [...hidden, name]));
  return (
    <fieldset class="categories" aria-label="Categories of flows">
      {value.categories.map(({ name, flows }) => (
        <Check key={name} label={`${name === '' ? 'without a category' : shortened(name, 40)} (${countText(BigInt(flows))})`} checked={!hidden.has(name)} onChange={(c) => set(name, c)} />
      ))}
      {value.total > value.categories.length && <p class="t3 small">and {countText(value.total - value.categories.length)} more, always drawn</p>}
    </fieldset>
  );
}

export function TimelineOptions({ view }: { view: TimelineView }): JSX.Element {
  const root = useRef<HTMLSpanElement>(null);
  const isOpen = optionsOpen.value;
  useEffect(() => {
    if (!isOpen) return undefined;
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) optionsOpen.value = false;
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [isOpen]);
  const hasUtc = view.utcOffset.value !== null;
  return (
    <span class="menu-root" ref={root} onKeyDown={(e) => {
      if (e.key !== 'Escape' || !isOpen) return;
      e.stopPropagation();
      optionsOpen.value = false;
      root.current?.querySelector('button')?.focus();
    }}>
      <button type="button" class="btn ghost" aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => (optionsOpen.value = !isOpen)}>
        <Icon name="eye" />View<Icon name="chevron-down" />
      </button>
      {isOpen && (
        <div class="float options" role="dialog" aria-label="View">
          <label class="field soft"><Icon name="filter" small /><input value={view.filter.value?.text ?? ''} placeholder="Filter the tracks" aria-label="Filter the tracks" autofocus
            onInput={(e) => setFilter(view, { text: e.currentTarget.value })} /></label>
          <Check label="Only tracks with an event in view" checked={view.filter.value?.inView === true} onChange={(c) => setFilter(view, { inView: c })} />
          <Check label="Only tracks with a hit of the search" checked={view.filter.value?.withHits === true} onChange={(c) => void filterByHits(view, c)} />
          <Choice label="Group by" value={view.grouping.value} options={groupings.map((g) => [g, groupingWords[g]])} onChoose={(grouping) => regroup(view, { grouping })} />
          <Choice label="Lines" value={view.lineHeight.value} options={lineHeights.map((h) => [h as number, heightWords[h] ?? `${h} px`])} onChoose={(lineHeight) => choose(view, { lineHeight })} />
          <Choice label="Colours by" value={view.colourMode.value} options={(Object.keys(colourWords) as ColourMode[]).map((c) => [c, colourWords[c]])} onChoose={(colours) => choose(view, { colours })} />
          <Choice label="Palette" value={settings.value.palette} options={[['usual', 'Usual'], ['blind', 'For colour blindness']]} onChoose={(palette) => change({ palette })} />
          <Choice label="Times" value={view.format.value} options={axisFormats.filter((f) => (f !== 'utc' || hasUtc) && (f !== 'clock' || view.clock.value !== null)).map((f) => [f, formatWords[f]])} onChoose={(axis) => choose(view, { axis })} />
          <ClockChoice view={view} />
          <Choice label="Drawn by" value={settings.value.renderer} options={[['auto', 'Chosen for this machine'], ['GL', 'The GPU (WebGL2)'], ['raster', 'The processor']]} onChoose={(renderer) => change({ renderer })} />
          <Check label="Busiest tracks first" checked={view.busiestFirst.value} onChange={(c) => (view.busiestFirst.value = c)} />
          <Check label="Flows" checked={view.showsFlows.value} onChange={(c) => (view.showsFlows.value = c)} />
          <FlowCategories view={view} />
          <Check label="Global instants across the tracks" checked={view.own.showsMarks.value} onChange={(c) => (view.own.showsMarks.value = c)} />
          <Check label="Sync points of clocks" checked={view.own.showsSync.value} onChange={(c) => (view.own.showsSync.value = c)} />
          <Check label="Empty processes and threads" checked={view.showsEmpty.value} onChange={(empty) => regroup(view, { empty })} />
          <div class="option-ways">
            <button type="button" class="btn" onClick={() => {
              optionsOpen.value = false;
              panel.value = 'share';
            }}><Icon name="link" />Share or save</button>
            <button type="button" class="btn" onClick={() => {
              optionsOpen.value = false;
              panel.value = 'legend';
            }}>What the looks mean</button>
          </div>
        </div>
      )}
    </span>
  );
}
