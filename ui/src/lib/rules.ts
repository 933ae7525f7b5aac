/** Which control of the merge page states what breaks a rule of manifests, by the message of the rule. No DOM. */
import { entriesOf, fits, type Manifest } from './manifest';

/** `text` is the text of the manifest, for what no other control writes; `files` is the list of files. */
export type Control =
  | 'machine' | 'inside' | 'placing' | 'offset' | 'drift' | 'at' | 'points' | 'start' | 'clock' | 'file' | 'otherMachine' | 'ownMachine' | 'content' | 'group'
  | 'timeline' | 'model' | 'flows' | 'align' | 'skews' | 'attributes' | 'files' | 'text';

/** What a rule is broken by. */
export interface Broken {
  control: Control;
  reason: string;
  /** Paths of the entries that may break it; empty for what is said of all files. */
  files: readonly string[];
}

/** The first that fits decides. */
const controls: readonly [RegExp, Control][] = [
  [/multiple perfetto_manifest files/, 'files'],
  [/^trace_time/, 'timeline'],
  [/^clock_model/, 'model'],
  [/^join_flows/, 'flows'],
  [/^align/, 'align'],
  [/^attributes/, 'attributes'],
  [/wall_clock_skew_ns/, 'skews'],
  [/: align must/, 'content'],
  [/clock_group/, 'group'],
  [/start must be|start and clocks|^start:/, 'start'],
  [/offset_at_ns/, 'at'],
  [/offset_ns/, 'offset'],
  [/drift_ppm/, 'drift'],
  [/clocks: points|the readings of/, 'points'],
  [/sync_to\.machine/, 'otherMachine'],
  [/sync_to\.file|could not resolve file/, 'file'],
  [/^clocks: (machine|file)\b/, 'ownMachine'],
  [/clock name/, 'clock'],
  [/^machines|machine and machines/, 'inside'],
  [/^machine\b|`machine` override/, 'machine'],
  [/clocks|clock overrides|Clock sync error|[Cc]ircle|itself/, 'placing'],
];

/** Members of an entry that the controls of one file write. */
const memberOf: Partial<Record<Control, string>> = {
  machine: 'machine', inside: 'machines', placing: 'clocks', offset: 'clocks', drift: 'clocks', at: 'clocks', points: 'clocks', start: 'start', clock: 'clocks', file: 'clocks', otherMachine: 'clocks', ownMachine: 'clocks', content: 'align', group: 'clock_group',
};

/** Returns the texts that a message quotes. */
const quoted = (message: string): string[] => [...message.matchAll(/'([^']+)'|unknown clock name: ([^.]+)\. Use/g)].map((m) => m[1] ?? m[2] ?? '');

/** Returns what breaks the rule of a message. `before`: the manifest before the last change; an entry that changed is rather to blame than others. */
export function brokenBy(message: string, manifest: Manifest, before: Manifest | null): Broken {
  const rule = message.replace(/^.*?perfetto_manifest: /s, '');
  const control = controls.find(([pattern]) => pattern.test(rule))?.[1] ?? 'text';
  const member = memberOf[control];
  if (member === undefined) return { control, reason: message, files: [] };
  const known = new Set(before ? entriesOf(before).map((e) => JSON.stringify(e)) : []);
  const names = quoted(rule);
  let entries = entriesOf(manifest).filter((e) => e[member] !== undefined);
  for (const isLikely of [(text: string) => names.some((name) => text.includes(JSON.stringify(name))), (text: string) => !known.has(text)]) {
    const likely = entries.filter((e) => isLikely(JSON.stringify(e)));
    if (likely.length > 0) entries = likely;
  }
  // The rule of a whole is not that of an entry, if the clock of the timeline is the unknown one.
  if (entries.length === 0) return { control: control === 'clock' ? 'timeline' : 'text', reason: message, files: [] };
  return { control, reason: message, files: entries.map((e) => String(e['path'] ?? '')) };
}

/** Returns whether the entries that are to blame speak for the file. */
export const blames = (broken: Broken, path: string): boolean => broken.files.some((each) => each === path || fits(path, each));
