/** What the manifest says of all files: the timeline, readings between snapshots, flows, content. */
import type { JSX } from 'preact';
import { clockNames, wholeOf, withWhole, type Manifest, type Whole } from '../lib/manifest';
import { shown } from '../lib/text';
import { mostOffered } from './merge_relation';

interface Choice {
  value: string;
  text: string;
}

function Select({ label, value, choices, onChange }: { label: string; value: string; choices: readonly Choice[]; onChange: (value: string) => void }): JSX.Element {
  return (
    <label class="form-row"><span>{label}</span>
      <select class="select" value={value} onChange={(e) => onChange(e.currentTarget.value)}>
        {choices.map((c) => <option key={c.value} value={c.value}>{c.text}</option>)}
      </select></label>
  );
}

const models: readonly Choice[] = [{ value: '', text: 'as usual: a line' }, { value: 'linear', text: 'a line from reading to reading' }, { value: 'step', text: 'the latest reading holds' }];
const flows: readonly Choice[] = [{ value: '', text: 'as usual: those that may be one' }, { value: 'auto', text: 'those that may be one' }, { value: 'all', text: 'all with one id' }, { value: 'none', text: 'none between files' }];
const aligns: readonly Choice[] = [{ value: '', text: 'as usual: it places' }, { value: 'auto', text: 'it places' }, { value: 'verify', text: 'it only verifies' }, { value: 'off', text: 'not compared' }];

export function WholeForm({ manifest, names, onChange }: { manifest: Manifest; names: readonly string[]; onChange: (manifest: Manifest) => void }): JSX.Element {
  const whole = wholeOf(manifest);
  const set = (part: Partial<Whole>): void => onChange(withWhole(manifest, part));
  const { timeline } = whole;
  const file = timeline?.file ?? names[0] ?? '';
  return (
    <details class="whole-form">
      <summary>For all files</summary>
      <div class="form-row"><span>Timeline</span>
        {timeline === undefined ? <span class="help">The text names a machine, or no file.</span> : (
          <span class="offset-fields">
            <select class="select" aria-label="Clock of the timeline" value={timeline?.clock ?? ''} onChange={(e) => set({ timeline: e.currentTarget.value === '' ? null : { file, clock: e.currentTarget.value } })}>
              <option value="">automatic</option>
              {clockNames.map((name) => <option key={name} value={name}>{name}</option>)}
            </select>
            {timeline && (
              <>
                <span class="t2">of</span>
                <select class="select" aria-label="File of the timeline" value={timeline.file} onChange={(e) => set({ timeline: { ...timeline, file: e.currentTarget.value } })}>
                  {[...new Set([timeline.file, ...names.slice(0, mostOffered)])].map((n) => <option key={n} value={n}>{shown(n)}</option>)}
                </select>
              </>
            )}
          </span>
        )}</div>
      <Select label="Between readings" value={whole.model} choices={models} onChange={(model) => set({ model: model as Whole['model'] })} />
      <Select label="Flows" value={whole.flows} choices={flows} onChange={(joined) => set({ flows: joined as Whole['flows'] })} />
      <Select label="Content" value={whole.align} choices={whole.align === 'kinds' ? [...aligns, { value: 'kinds', text: 'the kinds of the text' }] : aligns} onChange={(align) => set({ align: align as Whole['align'] })} />
    </details>
  );
}
