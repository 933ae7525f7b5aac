/** The form of one file: its machine and how it is placed. Each control writes a field of the manifest. */
import type { JSX } from 'preact';
import type { InsideMachine } from '../api/clocks';
import { asPoints, machineOf, machinesInside, patternFor, patternOf, placingOf, withMachine, withMachineInside, withOwnEntry, withPattern, withPlacing, type Manifest, type OffsetPlacing, type Placing } from '../lib/manifest';
import { blames, type Broken, type Control } from '../lib/rules';
import { exactOffset } from '../lib/offsets';
import type { Mobility, Suggestion } from '../lib/preview';
import type { Report } from '../lib/report_types';
import { shown } from '../lib/text';
import { ContentForm } from './merge_content';
import { BrokenRule, RuleNote, useRule } from './merge_rule';
import { OffsetFields, PointsFields, TextInput, usualClock } from './merge_relation';

interface Props {
  manifest: Manifest;
  /** Path of the file in the manifest. */
  path: string;
  names: readonly string[];
  machines: readonly string[];
  report: Report;
  /** Machine ids inside of a file with several. */
  inside: readonly InsideMachine[];
  /** Kinds of content that the program knows. */
  kinds: readonly string[];
  suggestions: readonly Suggestion[];
  /** A suggestion is pointed at that moves the file by so many ns; null: none is. */
  onPoint: (by: bigint | null) => void;
  /** What keeps the file from being moved as a whole. */
  mobility: Mobility;
  /** How one of its clocks is related where it is now; null if none can be. */
  related: OffsetPlacing | null;
  onPlacing: (placing: Placing) => void;
  onChange: (manifest: Manifest) => void;
}

/** Controls that are shown with a choice of the placing only; without it, the choice has the message. */
const shownWith: Partial<Record<Control, readonly Placing['kind'][]>> = { offset: ['offset'], drift: ['offset'], at: ['offset'], points: ['points'], start: ['start'], clock: ['offset', 'points'], file: ['offset', 'points'], otherMachine: ['offset', 'points'], ownMachine: ['offset', 'points'] };

/** Returns the broken rule as the controls of one file show it; null if another one breaks it. */
function ofFile(broken: Broken | null, path: string, placing: Placing, hasDrift: boolean, hasInside: boolean): Broken | null {
  if (broken === null || !blames(broken, path)) return null;
  const { control } = broken;
  if (control === 'inside') return hasInside ? broken : { ...broken, control: 'machine' };
  const isShown = shownWith[control]?.includes(placing.kind) !== false && (hasDrift || (control !== 'drift' && control !== 'at'));
  return isShown ? broken : { ...broken, control: 'placing' };
}

/** Whether a pattern speaks for this file and its likes. */
export function AllLike({ manifest, path, onChange }: { manifest: Manifest; path: string; onChange: (manifest: Manifest) => void }): JSX.Element {
  const pattern = patternOf(manifest, path);
  return (
    <label class="placing all-like" title={pattern === null ? `One entry, ${patternFor(path)}, for all files that fit and have none of their own` : 'Unmark to give this file an entry of its own'}>
      <input type="checkbox" checked={pattern !== null} onChange={(e) => onChange(e.currentTarget.checked ? withPattern(manifest, path, patternFor(path)) : withOwnEntry(manifest, path))} />
      <span class="cut">{pattern === null ? 'all files like this' : <>as <code>{shown(pattern)}</code></>}</span>
    </label>
  );
}

/** The machine of each machine id inside of a file. */
function MachinesInside({ manifest, path, inside, onChange }: Pick<Props, 'manifest' | 'path' | 'inside' | 'onChange'>): JSX.Element {
  const named = machinesInside(manifest, path);
  const ids = [...new Set([...inside.map((m) => m.id), ...named.keys()])].sort((a, b) => a - b);
  return (
    <div class="form-row inside-machines"><span>Inside</span>
      <table class="t points" {...useRule('inside')}>
        <thead><tr><th scope="col" class="num">Machine id</th><th scope="col">Machine</th></tr></thead>
        <tbody>
          {ids.map((id) => (
            <tr key={id}><td class="num">{id}</td>
              <td><label class="field"><span class="sr">Machine of id {id}</span><TextInput value={named.get(id) ?? ''} list="merge-machines" placeholder={shown(inside.find((m) => m.id === id)?.name ?? '')} onChange={(name) => onChange(withMachineInside(manifest, path, id, name))} /></label></td></tr>
          ))}
        </tbody>
      </table><RuleNote of={['inside']} /></div>
  );
}

const StartInput = (props: { value: string; onChange: (time: string) => void }): JSX.Element => <TextInput {...props} rule={useRule('start')} />;

function Suggestions({ suggestions, onPoint, onPlacing }: Pick<Props, 'suggestions' | 'onPoint' | 'onPlacing'>): JSX.Element {
  return (
    <div class="form-row suggestions"><span>Suggestions</span>
      <ul>
        {suggestions.map((s) => (
          <li key={`${s.text} ${s.detail}`} onMouseEnter={() => onPoint(s.by)} onMouseLeave={() => onPoint(null)} onFocusCapture={() => onPoint(s.by)} onBlurCapture={() => onPoint(null)}>
            <span class="what">{s.text}<span class="num t2">{s.placing?.kind === 'offset' && exactOffset(s.placing.offset)}</span></span>
            <span class="t2 evidence" title={shown(s.detail)}>{shown(s.detail)}</span>
            {s.placing ? <button type="button" class="btn" aria-label={`Apply: ${s.text}, ${shown(s.detail)}`} onClick={() => s.placing && onPlacing(s.placing)}>Apply</button> : <span class="t3">refused</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function FileForm({ broken, ...props }: Props & { broken: Broken | null }): JSX.Element {
  const placing = placingOf(props.manifest, props.path);
  const hasDrift = placing.kind === 'offset' && placing.drift !== undefined;
  const hasInside = props.inside.length > 1 || machinesInside(props.manifest, props.path).size > 0;
  return <BrokenRule.Provider value={ofFile(broken, props.path, placing, hasDrift, hasInside)}><Fields {...props} hasInside={hasInside} /></BrokenRule.Provider>;
}

function Fields({ hasInside, manifest, path, names, machines, report, inside, kinds, suggestions, onPoint, mobility, related, onPlacing, onChange }: Props & { hasInside: boolean }): JSX.Element {
  const placing = placingOf(manifest, path);
  const other = names.find((n) => n !== path);
  const set = (next: Placing): void => onChange(withPlacing(manifest, path, next));
  const offset = (): OffsetPlacing => (mobility === 'clocks' && related ? related : { kind: 'offset', file: other ?? '', clock: usualClock(report, other ?? ''), offset: 0n });
  const choices: { kind: Placing['kind']; text: string; hint: string; make: () => Placing; isPossible: boolean }[] = [
    { kind: 'automatic', text: 'Automatically', hint: 'by the clocks inside the files', make: () => ({ kind: 'automatic' }), isPossible: true },
    { kind: 'offset', text: mobility === 'clocks' ? 'Relate a clock by an offset' : 'By an offset', hint: mobility === 'clocks' ? 'because its clock snapshots hold it together' : 'for a file whose clock nothing relates', make: offset, isPossible: other !== undefined },
    { kind: 'points', text: 'By pairs of readings', hint: 'of two or more moments', make: () => asPoints(placing.kind === 'offset' ? placing : offset()), isPossible: other !== undefined },
    { kind: 'start', text: 'Begins at a wall-clock time', hint: 'of its machine', make: () => ({ kind: 'start', time: new Date(0).toISOString().replace('.000', '') }), isPossible: true },
  ];
  return (
    <div class="file-form">
      <label class="form-row"><span>Machine</span>
        <span class="field"><TextInput value={machineOf(manifest, path)} rule={useRule('machine')} list="merge-machines" placeholder="as the file says" onChange={(name) => onChange(withMachine(manifest, path, name))} /></span>
        <datalist id="merge-machines">{machines.map((m) => <option key={m} value={m} />)}</datalist><RuleNote of={['machine']} /></label>
      {hasInside && <MachinesInside manifest={manifest} path={path} inside={inside} onChange={onChange} />}
      <fieldset class="form-row"><legend>Placed</legend>
        <div class="placings" {...useRule('placing')} role="group">
          {choices.map((c) => (
            <label key={c.kind} class="placing"><input type="radio" name="placing" checked={placing.kind === c.kind} disabled={!c.isPossible} onChange={() => set(c.make())} /><span>{c.text} <span class="t3">{c.hint}</span></span></label>
          ))}
          {placing.kind === 'offset' && <OffsetFields key={path} placing={placing} path={path} isWhole={mobility !== 'clocks'} names={names} report={report} onPlacing={set} />}
          {placing.kind === 'points' && <PointsFields key={path} placing={placing} path={path} isWhole={mobility !== 'clocks'} names={names} report={report} onPlacing={set} />}
          {placing.kind === 'start' && (
            <label class="field start-field"><span class="sr">Time of the first event</span><StartInput value={placing.time} onChange={(time) => set({ kind: 'start', time })} /></label>
          )}
          <RuleNote of={['placing', 'start']} />
          {placing.kind === 'other' && <p class="help">The manifest says what breaks a rule. Change it in the text; a choice above replaces it.</p>}
        </div>
      </fieldset>
      <ContentForm manifest={manifest} path={path} kinds={kinds} onChange={onChange} />
      {suggestions.length > 0 && <Suggestions suggestions={suggestions} onPoint={onPoint} onPlacing={onPlacing} />}
    </div>
  );
}
