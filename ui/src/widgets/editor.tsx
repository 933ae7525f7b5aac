/** The editor of SQL: colours, completion from the schema, errors at their place. */
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type Completion, type CompletionContext, type CompletionResult, type CompletionSource } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { keywordCompletionSource, schemaCompletionSource, SQLDialect, SQLite, type SQLNamespace } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, indentOnInput, LanguageSupport, syntaxHighlighting } from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, type Transaction } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Schema } from '../api/traces';

/** SQLite with the words of the dialect. */
const dialect = SQLDialect.define({
  ...SQLite.spec,
  keywords: `${SQLite.spec.keywords ?? ''} include perfetto module macro delegates returns function`,
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent-text)', fontWeight: '500' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--certain-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--uncertain-text)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--text-3)' },
  { tag: [tags.standard(tags.name), tags.function(tags.variableName)], color: 'var(--guessed-text)' },
  { tag: tags.typeName, color: 'var(--guessed-text)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', color: 'var(--text-1)', backgroundColor: 'var(--bg-canvas)' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '19px', fontFeatureSettings: '"calt" 0' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text-1)' },
  '.cm-gutters': { backgroundColor: 'var(--bg-canvas)', color: 'var(--text-3)', border: 'none', fontSize: '11px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--bg-hover) 60%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { backgroundColor: 'var(--accent-soft)' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-tooltip': { backgroundColor: 'var(--bg-raised)', border: '1px solid var(--line-2)', borderRadius: 'var(--radius-2)', boxShadow: 'var(--shadow-float)', color: 'var(--text-1)' },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-ui)', fontSize: 'var(--text-sm)' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px !important', display: 'flex', gap: '8px', alignItems: 'baseline' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--bg-selected) !important', color: 'var(--text-1) !important' },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'var(--text-3)', marginLeft: 'auto', fontSize: 'var(--text-xs)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionInfo': { padding: '6px 10px', maxWidth: '320px', fontSize: 'var(--text-sm)' },
  '.cm-panels': { backgroundColor: 'var(--bg-panel)', color: 'var(--text-1)', borderColor: 'var(--line-2)' },
  '.cm-diagnostic': { fontFamily: 'var(--font-ui)', fontSize: 'var(--text-sm)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--bg-active)' },
  // The squiggle of the library is an image with a style of its own, which the content policy forbids.
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--lost)', textUnderlineOffset: '3px' },
  '.cm-selectionMatch': { backgroundColor: 'var(--bg-active)' },
});

/** Returns the modules of the schema that a text includes: `a.*` includes all below `a`. */
export function includedModules(text: string, schema: Schema): string[] {
  const keys = [...text.matchAll(/\binclude\s+perfetto\s+module\s+([\w.]+\*?)/gi)].map((m) => m[1] ?? '');
  const isMatch = (name: string): boolean => keys.some((key) => (key.endsWith('*') ? name.startsWith(key.slice(0, -1)) : name === key));
  return schema.modules.map((m) => m.name).filter(isMatch);
}

/** Returns tables and their columns for completion, with descriptions; those of modules only if they are included. */
export function namespaceOf(schema: Schema, modules: readonly string[] = []): SQLNamespace {
  const seen = schema.tables.filter((table) => !table.module || modules.includes(table.module));
  return Object.fromEntries(seen.map((table): [string, SQLNamespace] => [table.name, {
    self: { label: table.name, type: 'class', detail: table.kind, ...(table.description ? { info: table.description } : {}) },
    children: table.columns.map((column): Completion => ({
      label: column.name, type: 'property', ...(column.type ? { detail: column.type } : {}), ...(column.description ? { info: column.description } : {}),
    })),
  }]));
}

/** Completes tables and columns, with those of the modules that the text includes. */
function tableCompletions(schema: Schema): CompletionSource {
  let known: { key: string; source: CompletionSource } | null = null;
  return (context) => {
    const modules = includedModules(context.state.doc.toString(), schema);
    const key = modules.join(' ');
    if (known?.key !== key) known = { key, source: schemaCompletionSource({ dialect, schema: namespaceOf(schema, modules) }) };
    return known.source(context);
  };
}

/** Completes module names behind INCLUDE PERFETTO MODULE, and functions elsewhere. */
function moreCompletions(schema: Schema): (context: CompletionContext) => CompletionResult | null {
  const modules = schema.modules.map((m): Completion => ({ label: m.name, type: 'namespace', ...(m.description ? { info: m.description } : {}) }));
  const functions = schema.functions.map((f): [string, Completion] => [f.module ?? '', {
    label: f.name, type: 'function', apply: `${f.name}(`, ...(f.signature ? { detail: f.signature.slice(f.name.length) } : {}), ...(f.description ? { info: f.description } : {}),
  }]);
  return (context) => {
    const module = context.matchBefore(/\binclude\s+perfetto\s+module\s+[\w.]*/i);
    if (module) return { from: module.from + (/\S*$/.exec(module.text)?.index ?? 0), options: modules, validFor: /^[\w.]*$/ };
    const name = context.matchBefore(/[\w$]+/);
    if (!name || context.matchBefore(/\.[\w$]*/)) return null;
    const included = includedModules(context.state.doc.toString(), schema);
    return { from: name.from, options: functions.filter(([from]) => from === '' || included.includes(from)).map(([, f]) => f), validFor: /^[\w$]*$/ };
  };
}

/**
 * Replaces a selection by typed text without the browser's editing, which would put the colour of the old text into a
 * style attribute, against the content policy.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to } = view.state.selection.main;
    const text = event.data;
    if (event.inputType !== 'insertText' || event.isComposing || text === null || from === to) return false;
    event.preventDefault();
    const insert = (): Transaction => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    if (!view.state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, text, insert))) view.dispatch(insert());
    return true;
  },
});

export interface EditorHandle {
  /** Returns the selected text and its offset, or null if nothing is selected. */
  selection(): { text: string; offset: number } | null;
  cursor(): number;
  /** Underlines a place; null removes the mark. */
  mark(place: { from: number; to: number; text: string } | null): void;
  focus(): void;
}

export interface EditorProps {
  text: string;
  /** The document that is shown. Each keeps its own cursor and undo history; `text` is taken for a new one only. */
  document: number;
  schema: Schema | null;
  onChange(text: string): void;
  onRun(): void;
  handle(handle: EditorHandle): void;
}

/** Returns the language with completion of keywords, except behind a dot, and of what the schema has. */
function language(schema: Schema | null): Extension {
  const keywords = keywordCompletionSource(dialect, true, (label, type) => ({ label, type, boost: type === 'type' ? -60 : -20 }));
  const sources: CompletionSource[] = [(context) => (context.matchBefore(/\.\s*[\w$]*/) ? null : keywords(context))];
  if (schema) sources.push(tableCompletions(schema), moreCompletions(schema));
  return new LanguageSupport(dialect.language, sources.map((autocomplete) => dialect.language.data.of({ autocomplete })));
}

/** Returns the nonce with which the page may add styles. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
}

export function Editor(props: EditorProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const schemaPart = useRef(new Compartment());
  const states = useRef(new Map<number, EditorState>());
  const shownDocument = useRef(props.document);
  const latest = useRef(props);
  latest.current = props;
  const stateOf = (text: string): EditorState =>
    EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce()),
        lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), highlightSpecialChars(), drawSelection(), history(), indentOnInput(), bracketMatching(),
        closeBrackets(), autocompletion({ icons: false }), search({ top: true }), highlightSelectionMatches(),
        placeholder('SELECT ... FROM slice'),
        keymap.of([
          { key: 'Mod-Enter', preventDefault: true, run: () => (latest.current.onRun(), true) },
          { key: 'Tab', run: acceptCompletion },
          ...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, ...defaultKeymap,
        ]),
        schemaPart.current.of(language(latest.current.schema)),
        syntaxHighlighting(colours), look, typeOverSelection,
        EditorView.contentAttributes.of({ 'aria-label': 'SQL' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
      ],
    });
  useEffect(() => {
    if (!host.current) return undefined;
    const made = new EditorView({ state: stateOf(props.text), parent: host.current });
    view.current = made;
    props.handle({
      selection: () => {
        const { from, to } = made.state.selection.main;
        return from === to ? null : { text: made.state.sliceDoc(from, to), offset: from };
      },
      cursor: () => made.state.selection.main.head,
      mark: (place) => {
        const length = made.state.doc.length;
        const marks = place
          ? [{ from: Math.min(place.from, length), to: Math.min(Math.max(place.to, place.from), length), severity: 'error' as const, message: place.text }]
          : [];
        made.dispatch(setDiagnostics(made.state, marks));
      },
      focus: () => made.focus(),
    });
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const made = view.current;
    if (!made || shownDocument.current === props.document) return;
    states.current.set(shownDocument.current, made.state);
    shownDocument.current = props.document;
    made.setState(states.current.get(props.document) ?? stateOf(props.text));
  }, [props.document]);
  useEffect(() => {
    view.current?.dispatch({ effects: schemaPart.current.reconfigure(language(props.schema)) });
  }, [props.schema, props.document]);
  return <div class="editor" ref={host} data-testid="editor" />;
}
