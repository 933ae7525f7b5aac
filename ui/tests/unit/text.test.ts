/** Texts of traces for display. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { payloads } from '../mock/hostile.mjs';
import { errorLines } from '../../src/lib/error_lines';
import { nameEnds, shortened, shown, shownLines } from '../../src/lib/text';

test('control and bidi characters become symbols', () => {
  expect(shown('a\u0000b\tc\nd')).toBe('a␀b␉c␊d');
  expect(shown('\u202Egnp.exe')).toBe('⟨U+202E⟩gnp.exe');
  expect(shown('a\u200Bb\uFEFF\u00AD')).toBe('a⟨U+200B⟩b⟨U+FEFF⟩⟨U+00AD⟩');
  expect(shown('\u007f\uD800x')).toBe('␡⟨U+D800⟩x');
  expect(shown('größe 名前 🧵')).toBe('größe 名前 🧵');
});

test('no text keeps a character that is invisible or reorders', () => {
  const bad = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !bad.test(shown(text)) && shown(shown(text)) === shown(text)));
  for (const payload of payloads) expect(bad.test(shown(payload))).toBe(false);
});

test('blocks keep their lines, long texts are cut by characters', () => {
  expect(shownLines('a\r\nb\u0007\n\tc')).toBe('a\nb␇\n\tc');
  expect(shortened('abcdef', 3)).toBe('abc…');
  expect(shortened('🧵🧵🧵🧵', 3)).toBe('🧵🧵🧵…');
  expect(shortened('abc', 3)).toBe('abc');
  expect(shortened('x'.repeat(1_000_000), 5)).toBe('xxxxx…');
});

test('the caret of an error stands below its column', () => {
  expect(errorLines('no such column: b', 'SELECT\n\ta, b', 2, 5)).toBe('no such column: b\n\n\ta, b\n\t   ^');
  expect(errorLines('x\n  SELECT b\n         ^', 'SELECT b', 1, 8)).toBe('x\n  SELECT b\n         ^');
  expect(errorLines('out of memory', 'SELECT b', undefined, undefined)).toBe('out of memory');
  expect(errorLines('x', "'🧵' b", 1, 5)).toBe("x\n\n'🧵' b\n     ^");
});

test('the end of a name is its labels, or the last characters of a long one', () => {
  expect(nameEnds('trainer of a long name: GPU 0')).toEqual(['trainer of a long name', ': GPU 0']);
  expect(nameEnds('worker')).toEqual(['worker', '']);
  expect(nameEnds('job_2024_rank-12.json.gz')).toEqual(['job_2024_rank-', '12.json.gz']);
  expect(nameEnds(': x')).toEqual([': x', '']);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => nameEnds(name).join('') === name));
});
