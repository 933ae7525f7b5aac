/** What may relate files besides their clocks: kinds of content, and the clock that a group of files shares. */
import type { JSX } from 'preact';
import { kindName } from '../lib/content';
import type { Manifest } from '../lib/manifest';
import { contentOf, groupsOf, withGroup, withKinds } from '../lib/manifest_content';
import { shown } from '../lib/text';
import { RuleNote, useRule } from './merge_rule';
import { TextInput } from './merge_relation';

/** A mark for each kind of content. A kind that the program does not know stays until it is unmarked. */
export function KindMarks({ label, kinds, marked, onChange }: { label: string; kinds: readonly string[]; marked: readonly string[]; onChange: (marked: readonly string[]) => void }): JSX.Element {
  const all = [...new Set([...kinds, ...marked])];
  return (
    <span class="kind-marks" role="group" aria-label={label}>
      {all.map((kind) => (
        <label key={kind} class="placing"><input type="checkbox" checked={marked.includes(kind)} onChange={(e) => onChange(e.currentTarget.checked ? all.filter((k) => k === kind || marked.includes(k)) : marked.filter((k) => k !== kind))} />{shown(kindName(kind))}</label>
      ))}
    </span>
  );
}

interface Props {
  manifest: Manifest;
  path: string;
  /** Kinds of content that the program knows. */
  kinds: readonly string[];
  onChange: (manifest: Manifest) => void;
}

export function ContentForm({ manifest, path, kinds, onChange }: Props): JSX.Element {
  const { kinds: own, group } = contentOf(manifest, path);
  const choice = own === undefined ? 'other' : own === null ? '' : own.length === 0 ? 'off' : 'kinds';
  const [content, groupRule] = [useRule('content'), useRule('group')];
  const isBroken = content['aria-invalid'] === true || groupRule['aria-invalid'] === true;
  return (
    <details class="file-more" open={isBroken || choice !== '' || group !== ''}>
      <summary>Content and clock group</summary>
      <div class="form-row file-content"><span>Content</span>
        <span class="offset-fields">
          <select class="select" {...content} aria-label="Content of this file" value={choice} onChange={(e) => onChange(withKinds(manifest, path, e.currentTarget.value === '' ? null : e.currentTarget.value === 'off' ? [] : kinds))}>
            <option value="">as for all files</option>
            <option value="off">relates it to none</option>
            <option value="kinds">these kinds relate it</option>
            {choice === 'other' && <option value="other">what breaks a rule</option>}
          </select>
          {own && own.length > 0 && <KindMarks label="Kinds of content of this file" kinds={kinds} marked={own} onChange={(marked) => onChange(withKinds(manifest, path, marked))} />}
        </span></div>
      <label class="form-row"><span>Clock group</span>
        <span class="field"><TextInput value={group} rule={groupRule} list="merge-groups" placeholder="none: a clock of its own" title="Files of one group share one clock" onChange={(name) => onChange(withGroup(manifest, path, name))} /></span>
        <datalist id="merge-groups">{groupsOf(manifest).map((name) => <option key={name} value={name} />)}</datalist></label>
      <RuleNote of={['content', 'group']} />
    </details>
  );
}
