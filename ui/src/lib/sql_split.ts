/** Where statements of SQL begin and end, for "run at the cursor" and for the place of an error. */

export interface Statement {
  /** Offsets of the statement in the text, without blanks around it and without its semicolon. */
  from: number;
  to: number;
}

/** Returns the offset behind the quoted text, comment or other token that starts at `at`. */
function skipToken(sql: string, at: number): number {
  const c = sql[at];
  const end = (terminator: string, from: number): number => {
    const found = sql.indexOf(terminator, from);
    return found < 0 ? sql.length : found + terminator.length;
  };
  if (c === '-' && sql[at + 1] === '-') return end('\n', at);
  if (c === '/' && sql[at + 1] === '*') return end('*/', at + 2);
  if (c === '[') return end(']', at + 1);
  if (c === "'" || c === '"' || c === '`') {
    let next = end(c, at + 1);
    while (sql[next] === c) next = end(c, next + 1); // a doubled quote is a quote in the text
    return next;
  }
  return at + 1;
}

const word = /[a-z_]\w*/iy;

/**
 * Returns the statements of the text in order. A semicolon ends a statement, except inside of quotes, comments,
 * brackets, and the body of CREATE TRIGGER.
 */
export function splitStatements(sql: string): Statement[] {
  const statements: Statement[] = [];
  let from = -1; // of the current statement
  let to = 0;
  let words: string[] = [];
  let depth = 0; // of BEGIN and CASE in a trigger
  const finish = (): void => {
    if (from >= 0) statements.push({ from, to });
    from = -1;
    words = [];
    depth = 0;
  };
  for (let at = 0; at < sql.length; ) {
    const c = sql[at] ?? '';
    const next = skipToken(sql, at);
    if (c === ';' && depth === 0) {
      finish();
      at = next;
      continue;
    }
    const isComment = next > at + 1 && (c === '-' || c === '/');
    if (isComment || /\s/.test(c)) {
      at = next;
      continue;
    }
    if (from < 0) from = at;
    word.lastIndex = at;
    const match = /[a-z_]/i.test(c) ? word.exec(sql) : null;
    if (match) {
      const text = match[0].toUpperCase();
      const isTrigger = words[0] === 'CREATE' && words.slice(1, 4).includes('TRIGGER');
      if (isTrigger && (text === 'BEGIN' || text === 'CASE')) depth += 1;
      if (isTrigger && text === 'END') depth = Math.max(0, depth - 1);
      if (words.length < 4) words.push(text);
      at += match[0].length;
    } else {
      at = next;
    }
    to = at;
  }
  finish();
  return statements;
}

/** Returns the statement at an offset: the last one that begins before it, else the first. */
export function statementAt(sql: string, offset: number): Statement | undefined {
  const statements = splitStatements(sql);
  let best = statements[0];
  for (const statement of statements) if (statement.from <= offset) best = statement;
  return best;
}

/** Returns the offset of a line and a column, both counted from 1; a column is a character. Stays on the line. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let n = 1; n < line; n += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  const lineEnd = text.indexOf('\n', start);
  const limit = lineEnd < 0 ? text.length : lineEnd;
  let offset = start;
  for (let n = 1; n < column && offset < limit; n += 1) offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return Math.min(offset, limit);
}
