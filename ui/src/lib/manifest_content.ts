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
