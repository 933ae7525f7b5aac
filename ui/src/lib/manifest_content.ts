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
