/** Members of a manifest's entry that say what may relate a file besides its clocks. No DOM. */
import { areTexts, change, entriesOf, entryOf, type Manifest } from './manifest';

/** What may relate a file besides its clocks. */
export interface FileContent {
  /** The kinds of content that may relate it; empty: none, null: as usual, undefined: what the form does not show. */
  kinds: readonly string[] | null | undefined;
  /** Files of one group share one clock; empty: no group. */
  group: string;
}

export function contentOf(manifest: Manifest, path: string): FileContent {
  const { align, clock_group: group } = entryOf(manifest, path) ?? {};
  return { kinds: align === undefined ? null : align === false ? [] : areTexts(align) ? align : undefined, group: typeof group === 'string' ? group : '' };
}

/** Returns a copy in which only these kinds of content may relate the file; null states nothing. */
export const withKinds = (manifest: Manifest, path: string, kinds: readonly string[] | null): Manifest =>
  change(manifest, path, (entry) => {
    if (kinds === null) delete entry['align'];
    else entry['align'] = kinds.length === 0 ? false : [...kinds];
  });

/** Returns a copy in which the file shares its clock with those of the group; an empty text states nothing. */
export const withGroup = (manifest: Manifest, path: string, group: string): Manifest =>
  change(manifest, path, (entry) => {
    if (group === '') delete entry['clock_group'];
    else entry['clock_group'] = group;
  });

/** Returns the names of the groups of the manifest. */
export const groupsOf = (manifest: Manifest): string[] => [...new Set(entriesOf(manifest).map((e) => e['clock_group']).filter((name): name is string => typeof name === 'string' && name !== ''))];

/** Returns the path of the entry of a file of an archive that has no manifest: its name in the archive, if an entry has that and no other file; else `path`. */
export function entryPath(manifest: Manifest, path: string, own: string, names: ReadonlySet<string>): string {
  const has = (name: string): boolean => entriesOf(manifest).some((e) => e['path'] === name && e['glob'] !== true);
  if (own === '' || own === path || has(path) || !has(own)) return path;
  return [...names].filter((name) => name === own || name.endsWith(`/${own}`)).length === 1 ? own : path;
}

/** A file of a merge: its path in reports, and the one by which a manifest names it. */
export interface NamedFile {
  path: string;
  name: string;
}

/** Returns the files that a reference may mean: the one of that name, else those with it in archives. */
function meantBy(reference: string, files: readonly NamedFile[]): readonly NamedFile[] {
  const exact = files.filter((f) => f.name === reference);
  return exact.length > 0 ? exact : files.filter((f) => f.name.endsWith(`/${reference}`));
}

/** Returns a copy whose references mean the same files after files were added: a name that several files have by now gets that of its archive. The manifest itself if that changes nothing. */
export function keepMeaning(manifest: Manifest, before: readonly NamedFile[], after: readonly NamedFile[]): Manifest {
  let isChanged = false;
  const rename = (reference: unknown): unknown => {
    const [was, ...others] = typeof reference === 'string' ? meantBy(reference, before) : [];
    if (was === undefined || others.length > 0) return reference;
    const now = meantBy(String(reference), after);
    const same = after.find((f) => f.path === was.path);
    if (same === undefined || (now.length === 1 && now[0] === same)) return reference;
    isChanged = true;
    return same.name;
  };
  const next: Manifest = { document: structuredClone(manifest.document) };
  for (const entry of entriesOf(next)) {
    if (entry['glob'] !== true) setIn(entry, ['path'], rename);
    setIn(entry, ['clocks', 'sync_to', 'file'], rename);
  }
  setIn(next.document, ['perfetto_manifest', 'trace_time', 'file'], rename);
  return isChanged ? next : manifest;
}

/** Replaces a member within objects, if it is there. */
function setIn(object: object, path: readonly string[], replace: (value: unknown) => unknown): void {
  const [name, ...rest] = path;
  const members = object as Record<string, unknown>;
  if (name === undefined || members[name] === undefined) return;
  if (rest.length === 0) members[name] = replace(members[name]);
  else if (typeof members[name] === 'object' && members[name] !== null) setIn(members[name], rest, replace);
}
