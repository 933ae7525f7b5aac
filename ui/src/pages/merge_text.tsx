/** The text of the manifest: editable, with line numbers; lines that were changed are lit. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { RuleProps } from './merge_rule';
import { changedText, jsonTokens } from '../lib/json_lines';

const mostLines = 500; // with numbers and colours; a longer text is plain

export function ManifestText({ text, first, isValid, rule, onText }: { text: string; first: string; isValid: boolean; rule: RuleProps; onText: (text: string) => void }): JSX.Element {
  const lines = useMemo(() => text.split('\n'), [text]);
  const changed = useMemo(() => (lines.length > mostLines ? new Set<number>() : changedText(first, text)), [first, lines]);
  const area = <textarea aria-label="Text of the manifest" spellcheck={false} value={text} aria-invalid={!isValid} {...rule} wrap="off" onInput={(e) => onText(e.currentTarget.value)} />;
  if (lines.length > mostLines) return area;
  return (
    <div class="manifest-text">
      <div class="manifest-lines" style={{ '--columns': `${Math.max(20, ...lines.map((l) => l.length)) + 2}ch` }}>
        <pre aria-hidden="true">
          {lines.map((line, i) => <span key={i} class={changed.has(i) ? 'line changed' : 'line'}>{jsonTokens(line).map((t, k) => (t.kind === '' ? t.text : <span key={k} class={`json-${t.kind}`}>{t.text}</span>))}{'\n'}</span>)}
        </pre>
        {area}
      </div>
    </div>
  );
}
