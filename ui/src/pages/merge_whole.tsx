/** What the manifest says of all files: the timeline, readings between snapshots, flows, content. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { attributesOf, clockNames, skewsOf, wholeOf, withAttribute, withSkew, withWhole, type Manifest, type Whole } from '../lib/manifest';
import type { Broken, Control } from '../lib/rules';
import { shown } from '../lib/text';
import { Icon } from '../widgets/icon';
import { KindMarks } from './merge_content';
import { BrokenRule, RuleNote, useRule } from './merge_rule';
import { mostOffered, TextInput, TimeField } from './merge_relation';

interface Choice {
  value: string;
  text: string;
}

function Select({ control, label, value, choices, onChange }: { control: Control; label: string; value: string; choices: readonly Choice[]; onChange: (value: string) => void }): JSX.Element {
  return (
    <label class="form-row"><span>{label}</span>
      <select class="select" {...useRule(control)} value={value} onChange={(e) => onChange(e.currentTarget.value)}>
        {choices.map((c) => <option key={c.value} value={c.value}>{c.text}</option>)}
      </select><RuleNote of={[control]} /></label>
  );
}

const models: readonly Choice[] = [{ value: '', text: 'as usual: a line' }, { value: 'linear', text: 'a line from reading to reading' }, { value: 'step', text: 'the latest reading holds' }];
const flows: readonly Choice[] = [{ value: '', text: 'as usual: those that may be one' }, { value: 'auto', text: 'those that may be one' }, { value: 'all', text: 'all with one id' }, { value: 'none', text: 'none between files' }];
const aligns: readonly Choice[] = [{ value: '', text: 'as usual: it places' }, { value: 'auto', text: 'it places' }, { value: 'verify', text: 'it only verifies' }, { value: 'off', text: 'not compared' }, { value: 'kinds', text: 'these kinds place' }];

const mostMachines = 50; // that the form offers; the text can name any

/** By how much the wall clock of each machine is ahead. */
function Skews({ manifest, machines, onChange }: { manifest: Manifest; machines: readonly string[]; onChange: (manifest: Manifest) => void }): JSX.Element {
  const skews = skewsOf(manifest);
  const named = [...new Set([...skews.keys(), ...machines])].slice(0, mostMachines);
  return (
    <div class="form-row" role="group" aria-label="Wall clocks" {...useRule('skews')}><span>Wall clock ahead by</span>
      {named.map((name) => (
        <span key={name} class="skew"><span class="cut t2" title={shown(name)}>{shown(name)}</span><TimeField label={`Wall clock of ${shown(name)} ahead by`} value={skews.get(name) ?? 0n} onChange={(skew) => onChange(withSkew(manifest, name, skew))} /></span>
      ))}<RuleNote of={['skews']} /></div>
  );
}

/** Texts and numbers that become rows of the metadata. */
function Attributes({ manifest, onChange }: { manifest: Manifest; onChange: (manifest: Manifest) => void }): JSX.Element {
  const [key, setKey] = useState('');
  const all = attributesOf(manifest);
  const isFree = key.trim() !== '' && !all.some((a) => a.key === key.trim());
  const add = (): void => {
    if (!isFree) return;
    onChange(withAttribute(manifest, key.trim(), ''));
    setKey('');
  };
  return (
    <div class="form-row" role="group" aria-label="Attributes" {...useRule('attributes')}><span>Attributes</span>
      {all.map((a) => (
        <span key={a.key} class="skew"><span class="cut t2" title={shown(a.key)}>{shown(a.key)}</span>
          <label class="field"><span class="sr">Value of {shown(a.key)}</span><TextInput value={a.value} onChange={(value) => onChange(withAttribute(manifest, a.key, value))} /></label>
          <button type="button" class="btn ghost icon" aria-label={`Remove ${shown(a.key)}`} title="Remove" onClick={() => onChange(withAttribute(manifest, a.key, null))}><Icon name="close" /></button></span>
      ))}
      <span class="skew"><label class="field"><span class="sr">Name of a new attribute</span><input value={key} placeholder="new attribute" spellcheck={false} onInput={(e) => setKey(e.currentTarget.value)} onKeyDown={(e) => e.key === 'Enter' && add()} /></label>
        <button type="button" class="btn ghost icon" aria-label="Add the attribute" title="Add" disabled={!isFree} onClick={add}><Icon name="plus" /></button></span><RuleNote of={['attributes']} /></div>
  );
}

interface Props {
  manifest: Manifest;
  names: readonly string[];
  machines: readonly string[];
  /** Kinds of content that the program knows. */
  kinds: readonly string[];
  onChange: (manifest: Manifest) => void;
}

const ofAll: readonly Control[] = ['timeline', 'model', 'flows', 'align', 'skews', 'attributes'];

export function WholeForm({ broken, ...props }: Props & { broken: Broken | null }): JSX.Element {
  const own = broken !== null && ofAll.includes(broken.control) ? broken : null;
  return <BrokenRule.Provider value={own}><Fields {...props} isBroken={own !== null} /></BrokenRule.Provider>;
}

function Fields({ isBroken, manifest, names, machines, kinds, onChange }: Props & { isBroken: boolean }): JSX.Element {
  const whole = wholeOf(manifest);
  const set = (part: Partial<Whole>): void => onChange(withWhole(manifest, part));
  const { timeline } = whole;
  const ofTimeline = useRule('timeline');
  const file = timeline?.file ?? names[0] ?? '';
  return (
    <details class="whole-form" open={isBroken || undefined}>
      <summary>For all files</summary>
      <div class="form-row"><span>Timeline</span>
        {timeline === undefined ? <span class="help">The text names a machine, or no file.</span> : (
          <span class="offset-fields">
            <select class="select" {...ofTimeline} aria-label="Clock of the timeline" value={timeline?.clock ?? ''} onChange={(e) => set({ timeline: e.currentTarget.value === '' ? null : { file, clock: e.currentTarget.value } })}>
              <option value="">automatic</option>
              {[...new Set([...(timeline ? [timeline.clock] : []), ...clockNames])].map((name) => <option key={name} value={name}>{shown(name)}</option>)}
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
        )}<RuleNote of={['timeline']} /></div>
      <Select control="model" label="Between readings" value={whole.model} choices={models} onChange={(model) => set({ model: model as Whole['model'] })} />
      <Select control="flows" label="Flows" value={whole.flows} choices={flows} onChange={(joined) => set({ flows: joined as Whole['flows'] })} />
      <Select control="align" label="Content" value={whole.align} choices={aligns} onChange={(align) => set({ align: align as Whole['align'], kinds })} />
      {whole.align === 'kinds' && <KindMarks label="Kinds of content" kinds={kinds} marked={whole.kinds} onChange={(marked) => set({ align: 'kinds', kinds: marked })} />}
      <Skews manifest={manifest} machines={machines} onChange={onChange} />
      <Attributes manifest={manifest} onChange={onChange} />
    </details>
  );
}
