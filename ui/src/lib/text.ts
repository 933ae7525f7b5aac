/** Texts of traces for display: control and bidi characters become visible symbols. */

/** Returns the symbol of a character that would be invisible or would reorder the text around it. */
function symbolOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code); // ␀ to ␟
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

// C0 and C1 controls, soft hyphen, Arabic letter mark, zero-width characters, bidi marks, embeddings and isolates,
// line and paragraph separators, byte order mark, interlinear annotations, language tags, lone surrogates.
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** Returns the text on one line, with symbols for characters that have no shape of their own. */
export function shown(text: string): string {
  return text.replace(unsafe, symbolOf);
}

/** Returns the text as shown(), except that line breaks and tabs stay. For blocks of several lines. */
export function shownLines(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(unsafe, (c) => (c === '\n' || c === '\t' ? c : symbolOf(c)));
}

/**
 * Returns a name in two parts, of which the second stays when there is no room for all: labels behind a colon, else the last
 * characters of a long name. Names of many files and processes differ only there.
 */
export function nameEnds(name: string): [head: string, tail: string] {
  const labels = name.lastIndexOf(': ');
  if (labels > 0 && name.length - labels <= 18) return [name.slice(0, labels), name.slice(labels)];
  const characters = Array.from(name);
  return characters.length > 20 ? [characters.slice(0, -10).join(''), characters.slice(-10).join('')] : [name, ''];
}

/** Returns the text as shown(), cut behind `length` characters with an ellipsis. */
export function shortened(text: string, length: number): string {
  const characters = Array.from(text.length > 4 * length ? text.slice(0, 4 * length) : text);
  if (characters.length <= length) return shown(text);
  return `${shown(characters.slice(0, length).join(''))}…`;
}
