/** Filters of lists by text. */

/** Returns how well a query matches a text, or null: all its words occur, at best at the start of a word. */
function matchScore(query: string, text: string): number | null {
  const haystack = text.toLowerCase();
  let score = 0;
  for (const part of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = haystack.indexOf(part);
    if (at < 0) return null;
    if (at === 0) score += 4;
    else if (/\W|_/.test(haystack[at - 1] ?? '')) score += 2;
    if (haystack.length === part.length) score += 4;
  }
  return score;
}

/** Returns the items whose text matches, best first; equal ones keep their order. */
export function filtered<T>(items: readonly T[], query: string, textOf: (item: T) => string): T[] {
  if (query.trim() === '') return [...items];
  return items
    .map((item, index) => ({ item, index, score: matchScore(query, textOf(item)) }))
    .filter((entry): entry is { item: T; index: number; score: number } => entry.score !== null)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map((entry) => entry.item);
}
