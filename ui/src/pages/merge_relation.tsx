/** How a file, or one of its clocks, is related to another: by an offset, with drift, or by points. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { clockNames, type OffsetPlacing, type Placing, type Point, type PointsPlacing } from '../lib/manifest';
import { exactOffset, parseOffset } from '../lib/offsets';
import type { Report } from '../lib/report_types';
import { shown } from '../lib/text';
import { Icon } from '../widgets/icon';
import { RuleNote, useRule, type RuleProps } from './merge_rule';

/** Files that the form offers; the text can name any. */
export const mostOffered = 150;

/** Returns the files that the form offers to refer to, with the one that is chosen. */
function offered(names: readonly string[], path: string, chosen: string): string[] {
  const some = names.slice(0, mostOffered).filter((n) => n !== path);
  return some.includes(chosen) ? some : [chosen, ...some];
}

/** Returns the clock of the file to which others are related first: that of its events, if a manifest can name it. */
export function usualClock(report: Report, path: string): string {
  const own = report.placements.filter((p) => p.file === path || p.file.endsWith(`/${path}`));
  return clockNames.find((name) => own.some((p) => p.clock === name)) ?? '';
}

const isKnown = (clock: string): boolean => clock === '' || clockNames.some((name) => name === clock);
/** Returns the clocks that the form offers, with one that only the text names. */
const clocksWith = (chosen: string): readonly string[] => (isKnown(chosen) ? clockNames : [chosen, ...clockNames]);

interface Props<T> {
  placing: T;
  path: string;
  /** Whether the file can be moved as a whole; then its clocks are not offered. */
  isWhole: boolean;
  names: readonly string[];
  report: Report;
  onPlacing: (placing: Placing) => void;
}

/** Returns the machines of a file's events. */
const machinesOfFile = (report: Report, path: string): string[] => [...new Set(report.placements.filter((p) => p.file === path || p.file.endsWith(`/${path}`)).map((p) => p.machine))];

/** Which machine of a file is meant; shown for a file of several, and if the manifest names one. */
function MachineSelect({ label, machines, chosen, rule, onChange }: { label: string; machines: readonly string[]; chosen: string | undefined; rule: RuleProps; onChange: (name: string | undefined) => void }): JSX.Element | null {
  if (machines.length < 2 && chosen === undefined) return null;
  const offeredNames = chosen === undefined || machines.includes(chosen) ? machines : [chosen, ...machines];
  return (
    <select class="select" {...rule} aria-label={label} value={chosen ?? ''} onChange={(e) => onChange(e.currentTarget.value === '' ? undefined : e.currentTarget.value)}>
      <option value="">any machine</option>
      {offeredNames.map((name) => <option key={name} value={name}>{shown(name)}</option>)}
    </select>
  );
}

/** Which clock of this file is meant, and to which clock of which other file it is related. */
function Relation<T extends OffsetPlacing | PointsPlacing>({ placing, path, isWhole, names, report, onPlacing, children }: Props<T> & { children: JSX.Element }): JSX.Element {
  const [clock, file, ownMachine, otherMachine] = [useRule('clock'), useRule('file'), useRule('ownMachine'), useRule('otherMachine')];
  const isOwnUnknown = placing.own !== undefined && !isKnown(placing.own);
  return (
    <div class="offset-fields">
        {(!isWhole || placing.own !== undefined) && <select class="select" {...(isOwnUnknown ? clock : {})} aria-label="Clock of this file" value={placing.own ?? ''} onChange={(e) => {
          const { own: _own, ...others } = placing;
          onPlacing((e.currentTarget.value === '' ? others : { ...placing, own: e.currentTarget.value }) as Placing);
        }}>
          <option value="">the file</option>
          {clocksWith(placing.own ?? '').map((name) => <option key={name} value={name}>its {shown(name)}</option>)}
        </select>}
        <MachineSelect
          label="Machine of this file" rule={ownMachine} machines={machinesOfFile(report, path)} chosen={placing.ownMachine} onChange={(name) => {
            const next: T = { ...placing };
            if (name === undefined) delete next.ownMachine;
            else next.ownMachine = name;
            onPlacing(next);
          }}
        />
        {children}
        <select class="select" {...(isOwnUnknown ? {} : clock)} aria-label="Clock" value={placing.clock} onChange={(e) => onPlacing({ ...placing, clock: e.currentTarget.value })}>
          <option value="">its own timeline</option>
          {clocksWith(placing.clock).map((name) => <option key={name} value={name}>{shown(name)}</option>)}
        </select>
        <span class="t2">of</span>
        <select class="select" {...file} aria-label="File" value={placing.file} onChange={(e) => {
          const next: T = { ...placing, file: e.currentTarget.value, clock: usualClock(report, e.currentTarget.value) };
          delete next.machine; // is one of the file before
          onPlacing(next);
        }}>
          {offered(names, path, placing.file).map((n) => <option key={n} value={n}>{shown(n)}</option>)}
        </select>
        <MachineSelect
          label="Machine of the other file" rule={otherMachine} machines={machinesOfFile(report, placing.file)} chosen={placing.machine} onChange={(name) => {
            const next: T = { ...placing };
            if (name === undefined) delete next.machine;
            else next.machine = name;
            onPlacing(next);
          }}
        />
        <RuleNote of={['clock', 'file', 'ownMachine', 'otherMachine', 'offset']} />
    </div>
  );
}

interface TextProps {
  value: string;
  onChange: (text: string) => void;
  list?: string;
  placeholder?: string;
  title?: string;
  rule?: RuleProps;
}

/** An input for a text. What is typed is kept while the page is drawn again, and given when the field is left. */
export function TextInput({ value, onChange, rule = {}, ...others }: TextProps): JSX.Element {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return <input type="text" {...others} {...rule} value={text} spellcheck={false} onInput={(e) => setText(e.currentTarget.value)} onChange={(e) => onChange(e.currentTarget.value.trim())} />;
}

/** A field for a time in any unit. What is written is kept while it is no time. */
export function TimeField({ label, value, rule = {}, onChange }: { label: string; value: bigint; rule?: RuleProps; onChange: (ns: bigint) => void }): JSX.Element {
  const [text, setText] = useState(exactOffset(value));
  const read = parseOffset(text);
  useEffect(() => {
    if (parseOffset(text) !== value) setText(exactOffset(value)); // the text of the manifest, or undo, changed it
  }, [value]);
  return (
    <label class={`field${read === null ? ' bad' : ''}`}><span class="sr">{label}</span>
      <input value={text} spellcheck={false} aria-invalid={read === null} {...rule} onInput={(e) => {
        setText(e.currentTarget.value);
        const ns = parseOffset(e.currentTarget.value);
        if (ns !== null) onChange(ns);
      }} /></label>
  );
}

function DriftFields({ placing, onPlacing }: { placing: OffsetPlacing; onPlacing: (placing: Placing) => void }): JSX.Element {
  const [text, setText] = useState(String(placing.drift ?? 0));
  const drift = /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : NaN;
  const isValid = Math.abs(drift) <= 100_000;
  const [ofDrift, ofAt] = [useRule('drift'), useRule('at')];
  useEffect(() => {
    if (placing.drift !== undefined && drift !== placing.drift) setText(String(placing.drift));
  }, [placing.drift]);
  const toggle = (isOn: boolean): void => {
    const { drift: _drift, at: _at, ...plain } = placing;
    setText('0');
    onPlacing(isOn ? { ...placing, drift: 0, at: placing.at ?? 0n } : plain);
  };
  return (
    <div class="offset-fields">
      <label class="placing"><input type="checkbox" checked={placing.drift !== undefined} onChange={(e) => toggle(e.currentTarget.checked)} />with drift</label>
      {placing.drift !== undefined && (
        <>
          <label class={`field${isValid ? '' : ' bad'}`}><span class="sr">Drift, ppm</span><input value={text} spellcheck={false} aria-invalid={!isValid} {...ofDrift} onInput={(e) => {
            setText(e.currentTarget.value);
            const next = /^[+-]?\d+(\.\d+)?$/.test(e.currentTarget.value.trim()) ? Number(e.currentTarget.value) : NaN;
            if (Math.abs(next) <= 100_000) onPlacing({ ...placing, drift: next });
          }} /></label>
          <span class="t2">ppm fast; the offset holds at</span>
          <TimeField label="Reading at which the offset holds" rule={ofAt} value={placing.at ?? 0n} onChange={(at) => onPlacing({ ...placing, at })} />
          {!isValid && <p class="help bad" role="alert">Write a drift from −100000 to 100000 ppm.</p>}
          <RuleNote of={['drift', 'at']} />
        </>
      )}
    </div>
  );
}

export function OffsetFields(props: Props<OffsetPlacing>): JSX.Element {
  const { placing, onPlacing } = props;
  const [text, setText] = useState(exactOffset(placing.offset < 0n ? -placing.offset : placing.offset));
  const [isEarlier, setEarlier] = useState(placing.offset < 0n);
  const offset = parseOffset(text);
  const rule = useRule('offset');
  // The text of the manifest, or undo, may have changed the offset.
  useEffect(() => {
    if (offset !== null && (isEarlier ? -offset : offset) === placing.offset) return;
    setText(exactOffset(placing.offset < 0n ? -placing.offset : placing.offset));
    setEarlier(placing.offset < 0n);
  }, [placing.offset]);
  const write = (next: string, earlier: boolean): void => {
    const ns = parseOffset(next);
    if (ns !== null) onPlacing({ ...placing, offset: earlier ? -ns : ns });
  };
  return (
    <>
      <Relation {...props}>
        <>
          <label class={`field${offset === null ? ' bad' : ''}`}><span class="sr">Offset</span>
            <input value={text} spellcheck={false} aria-invalid={offset === null} {...rule} onInput={(e) => {
              setText(e.currentTarget.value);
              write(e.currentTarget.value, isEarlier);
            }} /></label>
          <select class="select" aria-label="Direction" value={isEarlier ? 'earlier' : 'later'} onChange={(e) => {
            setEarlier(e.currentTarget.value === 'earlier');
            write(text, e.currentTarget.value === 'earlier');
          }}><option value="later">later than</option><option value="earlier">earlier than</option></select>
        </>
      </Relation>
      {offset === null && <p class="help bad" role="alert">Write an offset with its unit: 250 ms, 1_500 ns, 3h12m04.197s.</p>}
      <DriftFields placing={placing} onPlacing={onPlacing} />
    </>
  );
}

/** Readings of both clocks at the same moments, of which there are at least two. */
export function PointsFields(props: Props<PointsPlacing>): JSX.Element {
  const { placing, onPlacing } = props;
  const set = (points: readonly Point[]): void => onPlacing({ ...placing, points });
  const last = placing.points[placing.points.length - 1];
  const isRising = placing.points.every((p, i) => i === 0 || (p.own > (placing.points[i - 1]?.own ?? p.own) && p.other > (placing.points[i - 1]?.other ?? p.other)));
  return (
    <>
      <Relation {...props}><span class="t2">by pairs of readings with</span></Relation>
      <table class="t points" {...useRule('points')}>
        <thead><tr><th scope="col">This clock</th><th scope="col">The other clock</th><th scope="col"><span class="sr">Remove</span></th></tr></thead>
        <tbody>
          {placing.points.map((p, i) => (
            <tr key={i}>
              <td><TimeField label={`This clock at moment ${i + 1}`} value={p.own} onChange={(own) => set(placing.points.map((q, k) => (k === i ? { ...q, own } : q)))} /></td>
              <td><TimeField label={`The other clock at moment ${i + 1}`} value={p.other} onChange={(other) => set(placing.points.map((q, k) => (k === i ? { ...q, other } : q)))} /></td>
              <td><button type="button" class="btn ghost icon" aria-label={`Remove moment ${i + 1}`} title="Remove" disabled={placing.points.length < 2} onClick={() => set(placing.points.filter((_, k) => k !== i))}><Icon name="close" /></button></td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" class="btn ghost" onClick={() => set([...placing.points, { own: (last?.own ?? 0n) + 1_000_000_000n, other: (last?.other ?? 0n) + 1_000_000_000n }])}><Icon name="plus" />Add a moment</button>
      <RuleNote of={['points']} />
      {!isRising && <p class="help bad" role="alert">Both readings must grow from each moment to the next.</p>}
    </>
  );
}
