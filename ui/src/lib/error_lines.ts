/** The text of an SQL error for display: the program's words, and a caret below the place. */
import { offsetOf } from './sql_split';
import { shownLines } from './text';

/** Returns the error's text; adds the line with a caret unless the text has one. Line and column count from 1. */
export function errorLines(detail: string, sql: string, line: number | undefined, column: number | undefined): string {
  const words = shownLines(detail);
  const text = line === undefined ? undefined : sql.split('\n')[line - 1];
  if (text === undefined || column === undefined || /^\s*\^/m.test(detail)) return words;
  const indent = text.slice(0, offsetOf(text, 1, column)).replace(/[^\t]/g, ' ');
  return `${words}\n\n${shownLines(text)}\n${indent}^`;
}
