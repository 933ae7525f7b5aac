/** Lines of a JSON text: the parts that have a colour, and the lines that differ from another text. No DOM. */

interface Token {
  text: string;
  kind: '' | 'key' | 'text' | 'number';
}

/** Divides a line of JSON. What is no JSON is plain. */
export function jsonTokens(line: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const match of line.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b/g)) {
    if (match.index > at) tokens.push({ text: line.slice(at, match.index), kind: '' });
    const [text, colon] = match;
    if (colon !== undefined) tokens.push({ text: text.slice(0, -colon.length), kind: 'key' }, { text: colon, kind: '' });
    else tokens.push({ text, kind: text.startsWith('"') ? 'text' : 'number' });
    at = match.index + text.length;
  }
  if (at < line.length) tokens.push({ text: line.slice(at), kind: '' });
  return tokens;
}

/** Returns the lines of a text as they are compared: a comma at the end, and whether a list is empty, do not count. */
const comparable = (text: string): string[] => text.split('\n').flatMap((line) => {
  const plain = line.replace(/,$/, '');
  const [, indent, head = '', open, close] = /^(\s*)(.*)([[{])([\]}])$/.exec(plain) ?? [];
  return open === undefined ? [plain] : [`${indent}${head}${open}`, `${indent}${close}`];
});

/** Returns the numbers of the lines of a manifest that `first` does not have, whether or not that was written as the form writes it. */
export function changedText(first: string, now: string): Set<number> {
  const lines = now.split('\n').map((line) => line.replace(/,$/, '').replace(/(\[)\]$|(\{)\}$/, '$1$2'));
  const verbatim = changedLines(comparable(first), lines);
  if (verbatim.size === 0) return verbatim;
  try {
    const rewritten = changedLines(comparable(`${JSON.stringify(JSON.parse(first), null, 2)}\n`), lines);
    return rewritten.size < verbatim.size ? rewritten : verbatim;
  } catch {
    return verbatim; // no JSON
  }
}

/** Returns the numbers of the lines of `now` between the first and the last difference that `before` does not have. */
export function changedLines(before: readonly string[], now: readonly string[]): Set<number> {
  let start = 0;
  while (start < now.length && before[start] === now[start]) start += 1;
  let end = 0;
  while (end < now.length - start && end < before.length - start && before[before.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const left = new Map<string, number>();
  for (const line of before.slice(start, before.length - end)) left.set(line, (left.get(line) ?? 0) + 1);
  const changed = new Set<number>();
  for (let i = start; i < now.length - end; i += 1) {
    const line = now[i] ?? '';
    const count = left.get(line) ?? 0;
    if (count === 0) changed.add(i);
    else left.set(line, count - 1);
  }
  return changed;
}
