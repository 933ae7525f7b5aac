/** Which nodes of the tree a filter keeps. */
import { rangeOf } from '../lib/time_window';
import type { TreeNode } from '../api/timeline';
import type { TimelineView } from './view';
import type { TrackFilter } from './view_types';

const everything: TrackFilter = { text: '', inView: false, withHits: false };

/** Returns the nodes that fulfil a filter, with their parents; null if the filter keeps all. */
export function filterNodes(view: TimelineView, { text, inView, withHits }: TrackFilter): ReadonlySet<number> | null {
  const words = text.toLowerCase().split(/\s+/).filter((w) => w !== '');
  if (words.length === 0 && !inView && !withHits) return null;
  const { from, to } = rangeOf(view.window.value);
  const kept = new Set<number>();
  const { tree } = view;
  const isWanted = (node: TreeNode): boolean =>
    (!inView || (node.first_ts !== null && BigInt(node.first_ts) <= to && node.last_ts !== null && BigInt(node.last_ts) >= from)) && (!withHits || view.hitNodes.value.has(node.node));
  /** Returns whether the node or one below it is kept. */
  const visit = (id: number, isBelowMatch: boolean): boolean => {
    const node = tree.nodes.get(id);
    if (!node) return false;
    const title = node.title.toLowerCase();
    const isMatch = isBelowMatch || words.every((w) => title.includes(w));
    const isLeaf = tree.children(id).length === 0;
    // A parent is kept for itself only by its title: whether it has events in view or hits is decided by its tracks.
    let isKept = isMatch && (isLeaf ? isWanted(node) : !inView && !withHits);
    for (const child of tree.children(id)) isKept = visit(child, isMatch) || isKept;
    if (isKept) kept.add(id);
    return isKept;
  };
  for (const id of tree.children(null)) visit(id, false);
  return kept;
}

/** Changes parts of the filter of the tracks. */
export function setFilter(view: TimelineView, part: Partial<TrackFilter>): void {
  const filter = { ...everything, ...view.filter.value, ...part };
  const kept = filterNodes(view, filter);
  view.anchored(null, () => (view.filter.value = kept === null ? null : { ...filter, kept }));
}

export const clearFilter = (view: TimelineView): void => setFilter(view, everything);
