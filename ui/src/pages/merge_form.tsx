/** The form of one file: its machine and how it is placed. Each control writes a field of the manifest. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { clockNames, exactOffset, machineOf, parseOffset, placingOf, withMachine, withPlacing, type Manifest, type Placing } from '../lib/manifest';
import type { Suggestion } from '../lib/preview';
import type { Report } from '../lib/report_types';
import { shown } from '../lib/text';

interface Props {
  manifest: Manifest;
  /** Path of the file in the manifest. */
  path: string;
  names: readonly string[];
  machines: readonly string[];
  report: Report;
  suggestions: readonly Suggestion[];
  onPlacing: (placing: Placing) => void;
  onChange: (manifest: Manifest) => void;
}

const mostOffered = 200; // files; the text can name any

/** Returns the files that the form offers to refer to, with the one that is chosen. */
function offered(names: readonly string[], path: string, chosen: string): string[] {
  const some = names.slice(0, mostOffered).filter((n) => n !== path);
  return some.includes(chosen) ? some : [chosen, ...some];
}

/** Returns the clock of the file to which others are related first: that of its events, if a manifest can name it. */
function usualClock(report: Report, path: string): string {
  const own = report.placements.filter((p) => p.file === path || p.file.endsWith(`/${path}`));
  return clockNames.find((name) => own.some((p) => p.clock === name)) ?? '';
}

function OffsetFields({ placing, path, names, report, onPlacing }: { placing: Extract<Placing, { kind: 'offset' }>; path: string; names: readonly string[]; report: Report; onPlacing: (placing: Placing) => void }): JSX.Element {
  const [text, setText] = useState(exactOffset(placing.offset < 0n ? -placing.offset : placing.offset));
  const [isEarlier, setEarlier] = useState(placing.offset < 0n);
  const offset = parseOffset(text);
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
    <div class="offset-fields">
      <label class={`field${offset === null ? ' bad' : ''}`}><span class="sr">Offset</span>
        <input value={text} spellcheck={false} aria-invalid={offset === null} onInput={(e) => {
          setText(e.currentTarget.value);
          write(e.currentTarget.value, isEarlier);
        }} /></label>
      <select class="select" aria-label="Direction" value={isEarlier ? 'earlier' : 'later'} onChange={(e) => {
        setEarlier(e.currentTarget.value === 'earlier');
        write(text, e.currentTarget.value === 'earlier');
      }}><option value="later">later than</option><option value="earlier">earlier than</option></select>
      <select class="select" aria-label="Clock" value={placing.clock} onChange={(e) => onPlacing({ ...placing, clock: e.currentTarget.value })}>
        <option value="">its own timeline</option>
        {clockNames.map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
      <span class="t2">of</span>
      <select class="select" aria-label="File" value={placing.file} onChange={(e) => onPlacing({ ...placing, file: e.currentTarget.value, clock: usualClock(report, e.currentTarget.value) })}>
        {offered(names, path, placing.file).map((n) => <option key={n} value={n}>{shown(n)}</option>)}
      </select>
      {offset === null && <p class="help bad" role="alert">Write an offset with its unit: 250 ms, 1_500 ns, 3h12m04.197s.</p>}
    </div>
  );
}

export function FileForm({ manifest, path, names, machines, report, suggestions, onPlacing, onChange }: Props): JSX.Element {
  const placing = placingOf(manifest, path);
  const other = names.find((n) => n !== path);
  const set = (next: Placing): void => onChange(withPlacing(manifest, path, next));
  const choices: { kind: Placing['kind']; text: string; hint: string; make: () => Placing; isPossible: boolean }[] = [
    { kind: 'automatic', text: 'Automatically', hint: 'by the clocks inside the files', make: () => ({ kind: 'automatic' }), isPossible: true },
    { kind: 'offset', text: 'By an offset', hint: 'for a file whose clock nothing relates', make: () => ({ kind: 'offset', file: other ?? '', clock: usualClock(report, other ?? ''), offset: 0n }), isPossible: other !== undefined },
    { kind: 'start', text: 'Begins at a wall-clock time', hint: 'of its machine', make: () => ({ kind: 'start', time: new Date(0).toISOString().replace('.000', '') }), isPossible: true },
  ];
  return (
    <div class="file-form">
      <label class="form-row"><span>Machine</span>
        <span class="field"><input value={machineOf(manifest, path)} list="merge-machines" placeholder="as the file says" spellcheck={false} onChange={(e) => onChange(withMachine(manifest, path, e.currentTarget.value.trim()))} /></span>
        <datalist id="merge-machines">{machines.map((m) => <option key={m} value={m} />)}</datalist></label>
      <fieldset class="form-row"><legend>Placed</legend>
        <div class="placings">
          {choices.map((c) => (
            <label key={c.kind} class="placing"><input type="radio" name="placing" checked={placing.kind === c.kind} disabled={!c.isPossible} onChange={() => set(c.make())} /><span>{c.text} <span class="t3">{c.hint}</span></span></label>
          ))}
          {placing.kind === 'offset' && <OffsetFields key={path} placing={placing} path={path} names={names} report={report} onPlacing={set} />}
          {placing.kind === 'start' && (
            <label class="field start-field"><span class="sr">Time of the first event</span><input value={placing.time} spellcheck={false} onChange={(e) => set({ kind: 'start', time: e.currentTarget.value.trim() })} /></label>
          )}
          {placing.kind === 'other' && <p class="help">The manifest relates a clock of this file, or states drift or points. Change it in the text; a choice above replaces it.</p>}
        </div>
      </fieldset>
      {suggestions.length > 0 && (
        <div class="form-row suggestions"><span>Suggestions</span>
          <ul>
            {suggestions.map((s) => (
              <li key={`${s.text} ${s.detail}`}><span>{s.text}</span><span class="t2 cut">{shown(s.detail)}</span><span class="num t2">{exactOffset(s.placing.offset)}</span>
                <button type="button" class="btn" aria-label={`Apply: ${s.text}, ${shown(s.detail)}`} onClick={() => onPlacing(s.placing)}>Apply</button></li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
