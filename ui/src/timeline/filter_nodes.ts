/** Which nodes of the tree a filter keeps. */
import { rangeOf } from '../lib/time_window';
import type { TimelineView } from './view';

/** Returns the nodes whose title has all words, with their parents and what is below them; null if the filter keeps all. */
export function filterNodes(view: TimelineView, text: string, inView: boolean): ReadonlySet<number> | null {
  const words = text.toLowerCase().split(/\s+/).filter((w) => w !== '');
  if (words.length === 0 && !inView) return null;
  const { from, to } = rangeOf(view.window.value);
  const kept = new Set<number>();
  const { tree } = view;
  const below = (id: number): void => {
    kept.add(id);
    for (const child of tree.children(id)) below(child);
  };
  for (const node of tree.nodes.values()) {
    const title = node.title.toLowerCase();
    const isMatch = words.every((w) => title.includes(w)) && (!inView || (node.first_ts !== null && BigInt(node.first_ts) <= to && node.last_ts !== null && BigInt(node.last_ts) >= from));
    if (!isMatch || (words.length === 0 && node.children > 0)) continue;
    for (const parent of tree.ancestors(node)) kept.add(parent.node);
    if (inView) kept.add(node.node);
    else below(node.node);
  }
  return kept;
}

/** Filters the tracks by text, and keeps only those with an event in view if `inView`. */
export function setFilter(view: TimelineView, text: string, inView: boolean): void {
  const kept = filterNodes(view, text, inView);
  view.anchored(null, () => (view.filter.value = kept === null ? null : { text, inView, kept }));
}
