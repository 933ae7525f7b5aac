/** The search field of the timeline: events, with `@` tracks, with `:` SQL, with `>` commands. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import * as api from '../api/timeline';
import { exactTime } from '../lib/axis';
import { nameEnds, shortened, shown } from '../lib/text';
import { countText, spanText } from '../lib/units';
import { panel } from '../state/panel';
import { clearSearch, search, showEvent, startSearch, stepHit, whileSearching } from '../state/timeline';
import { summaryLine } from '../state/status';
import { titleParts } from './timeline_tree';
import type { TimelineView } from '../timeline/view';
import { Icon } from '../widgets/icon';
import { showSql } from './timeline_sql';

/** Puts the focus into the field, with a text; set while the field is shown. */
export const focusOmni = signal<((text: string | null) => void) | null>(null);

interface Entry {
  key: string;
  name: string;
  where: string;
  right: string;
  run(): void;
}

/** Returns what was found and where it is: several ranks have slices of one name. */
function placeOf(h: api.Hit, hasFiles: boolean): string {
  const what = h.where === 'name' ? h.kind : `${h.kind}, in its ${h.where}`;
  const places = [titleParts(shown(h.process ?? '')).name, shown(h.thread ?? '')].filter((title) => title !== '').map((title) => {
    const [head, tail] = nameEnds(title);
    return shortened(head, 32) + shortened(tail, 20);
  });
  const file = hasFiles && h.file !== undefined ? shortened(h.file.slice(h.file.lastIndexOf('/') + 1), 60) : '';
  return `${what}${places.length > 0 ? ` of ${places.join(' › ')}` : ''}${file === '' ? '' : ` in ${file}`}`;
}

/** Returns the entries of the list for what is typed: tracks, or the first hits. */
function useEntries(view: TimelineView, text: string, isOpen: boolean): Entry[] {
  const [entries, setEntries] = useState<Entry[]>([]);
  const found = search.value;
  const isTracks = text.startsWith('@');
  useEffect(() => {
    if (!isOpen) return undefined;
    let isCurrent = true;
    const abort = new AbortController();
    const timer = window.setTimeout(() => {
      if (isTracks) {
        api.findNodes(view.trace, text.slice(1).trim(), view.grouping.value, abort.signal).then(({ nodes }) => {
          if (isCurrent) setEntries(nodes.map((n) => ({
            key: n.key, name: shown(n.title), where: n.path.map(shown).join(' › '), right: `${countText(BigInt(n.events))} events`,
            run: () => void view.loadPath(n.node).then(() => (view.focusedRow.value = view.revealNode(n.node)?.key ?? null)),
          })));
        }, () => undefined);
      } else if (found?.id && found.hits > 0 && found.text === text) {
        whileSearching(api.hits(view.trace, found.id, { offset: 0 }, 50)).then(({ hits }) => {
          if (isCurrent) setEntries(hits.map((h) => ({
            key: `${h.kind}${h.row}`, name: shortened(h.name || h.kind, 80), where: placeOf(h, summaryLine.peek().files > 1),
            right: h.kind === 'track' ? '' : `${exactTime(BigInt(h.ts), 'seconds', view.origin.value)} · ${spanText(BigInt(h.dur) < 0n ? 0n : BigInt(h.dur))}`, run: () => void showEvent(view, h),
          })));
        }, () => undefined);
      } else setEntries([]);
    }, isTracks ? 120 : 0);
    return () => {
      isCurrent = false;
      abort.abort();
      window.clearTimeout(timer);
    };
  }, [text, isOpen, isTracks, found?.id, found?.hits, found?.state]);
  return entries;
}

function Status(): JSX.Element | null {
  const found = search.value;
  if (!found) return null;
  if (found.error !== '') return <span class="bad cut" role="alert" title={shown(found.error)}>{shortened(found.error, 60)}</span>;
  const isRunning = found.state === 'queued' || found.state === 'running';
  const count = `${countText(found.hits)}${found.total > found.hits ? ` of ${countText(found.total)}` : ''}${isRunning ? '…' : ''}`;
  return <span class="mono t2 count" role="status" data-testid="hits">{found.hits === 0 && !isRunning ? 'no hits' : found.at >= 0 ? `${countText(found.at + 1)} of ${count}` : count}</span>;
}

export function Omni({ view }: { view: TimelineView }): JSX.Element {
  const [text, setText] = useState(search.value?.text ?? '');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const entries = useEntries(view, text, isOpen);
  useLayoutEffect(() => {
    focusOmni.value = (start) => {
      if (start !== null) setText(start);
      input.current?.focus();
      setOpen(true);
      if (start === null) input.current?.select();
    };
    return () => (focusOmni.value = null);
  }, []);
  const timer = useRef(0);
  const type = (value: string): void => {
    setText(value);
    setAt(-1);
    setOpen(true);
    window.clearTimeout(timer.current);
    if (value.startsWith('>')) {
      setText('');
      panel.value = 'commands';
    } else if (!value.startsWith('@') && !value.startsWith(':')) timer.current = window.setTimeout(() => void startSearch(view, value), 250);
  };
  const enter = (back: boolean): void => {
    window.clearTimeout(timer.current);
    const chosen = entries[at];
    if (text.startsWith(':')) showSql(view.trace, text.slice(1));
    else if (chosen || text.startsWith('@')) {
      (chosen ?? entries[0])?.run();
      setOpen(false);
    } else if (search.value?.text === text) void stepHit(view, back ? -1 : 1).then(() => setOpen(false), () => undefined);
    else void startSearch(view, text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && entries.length > 0) {
      event.preventDefault();
      setOpen(true);
      setAt((at + step + entries.length) % entries.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      enter(event.shiftKey);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      if (isOpen && entries.length > 0) setOpen(false);
      else {
        setText('');
        clearSearch();
        input.current?.blur();
        document.querySelector<HTMLElement>('[role=application]')?.focus();
      }
    }
  };
  const isListed = isOpen && entries.length > 0;
  return (
    <div class="omni-root" onFocusOut={(e) => {
      if (!(e.relatedTarget instanceof Node) || !e.currentTarget.contains(e.relatedTarget)) setOpen(false);
    }}>
      <label class="omni">
        <Icon name="search" />
        <input ref={input} role="combobox" aria-label="Search" aria-expanded={isListed} aria-controls="omni-list" aria-autocomplete="list" aria-activedescendant={isListed && at >= 0 ? `omni-${at}` : undefined}
          placeholder="Search slices, threads, args" spellcheck={false} autocomplete="off" value={text} data-testid="omni"
          title={'Words of a name, re: and a regular expression, or name= cat= arg:KEY= dur>1ms machine= process= thread= track= context=\n@ finds tracks, : is SQL, > commands'}
          onFocus={() => setOpen(true)} onInput={(e) => type(e.currentTarget.value)} onKeyDown={onKeyDown} />
        <Status />
        {search.value && search.value.hits > 0 && (
          <>
            <button type="button" class="btn ghost icon" aria-label="Previous hit" onClick={() => void stepHit(view, -1)}><Icon name="arrow-left" /></button>
            <button type="button" class="btn ghost icon" aria-label="Next hit" onClick={() => void stepHit(view, 1)}><Icon name="arrow-right" /></button>
          </>
        )}
        {text === '' && <kbd>/</kbd>}
        {text !== '' && <button type="button" class="btn ghost icon" aria-label="Clear the search" onClick={() => {
          setText('');
          clearSearch();
        }}><Icon name="close" /></button>}
      </label>
      <ul class="float omni-list" id="omni-list" role="listbox" aria-label={text.startsWith('@') ? 'Tracks' : 'Hits'} hidden={!isListed}>
        {entries.map((e, i) => (
          <li key={e.key} id={`omni-${i}`} role="option" aria-selected={i === at} onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              e.run();
              setOpen(false);
            }}>
            <span class="cut">{e.name} <span class="t3">{e.where}</span></span><span class="mono t3">{e.right}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
