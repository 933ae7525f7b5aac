/** Small parts that all pages share: bounds, machines, dialogs, menus, notices, progress. */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Certainty } from '../lib/certainty';
import { shown } from '../lib/text';
import { shownKey } from '../state/keys';
import { dismiss, notices } from '../state/notices';
import { Icon, type IconName } from './icon';

const certaintyIcons: Record<Certainty, IconName | null> = {
  certain: 'exact', stated: 'stated', uncertain: 'bounded', guessed: 'guessed', lost: 'lost', none: null,
};

/** Returns the badge of a bound: its shape says how certain, its text how much. */
export function Bound({ certainty, text, quiet }: { certainty: Certainty; text: string; quiet?: boolean }): JSX.Element {
  const icon = certaintyIcons[certainty];
  return (
    <span class={`bound ${certainty === 'none' ? 'stated' : certainty}${quiet ? ' quiet' : ''}`}>
      {icon && <Icon name={icon} />}
      {text}
    </span>
  );
}

export const certaintyIcon = (certainty: Certainty): IconName => certaintyIcons[certainty] ?? 'exact';

/** Returns a machine's name behind its strip of colour. */
export function Machine({ name, index }: { name: string; index: number }): JSX.Element {
  return (
    <span class="machine">
      {index >= 0 && <i class={`strip machine-${(index % 8) + 1}`} />}
      {shown(name)}
    </span>
  );
}

/** Returns a modal dialog. Escape and a click outside close it; focus returns to where it was. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean; testId?: string }): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  // Before it is painted, so that the next key is the dialog's.
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} class={props.wide ? 'dialog wide' : 'dialog'} aria-label={props.title} data-testid={props.testId}
      // The event comes late on a busy machine: another dialog may have taken the place of this one.
      onClose={() => element.current && props.onClose()}
      onClick={(event) => {
        if (event.target === element.current) element.current?.close();
      }}>
      <div class="dialog-in">
        <header class="dialog-h">
          <h2>{props.title}</h2>
          <button type="button" class="btn ghost icon" aria-label="Close" onClick={() => element.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}

/** Returns a key by the names on the keyboard. */
export function Keys({ name }: { name: string }): JSX.Element {
  return <>{shownKey(name).split(' ').map((part) => <kbd key={part}>{part}</kbd>)}</>;
}

export interface MenuItem {
  label: string;
  hint?: string;
  href?: string;
  run?: () => void;
}

/** Returns a button that opens a menu below it. Arrow keys move, Escape closes. */
export function MenuButton(props: { label: string; icon: IconName; items: MenuItem[]; disabled?: boolean }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // Before the menu is painted, so that the next key is the menu's.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (isOpen && step !== 0) {
      event.preventDefault();
      items[(at + step + items.length) % items.length]?.focus();
    } else if (isOpen && event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
      button.current?.focus();
    }
  };
  const choose = (item: MenuItem): void => {
    setOpen(false);
    button.current?.focus();
    item.run?.();
  };
  return (
    <span class="menu-root" ref={root} onKeyDown={onKeyDown}>
      <button type="button" class="btn ghost" ref={button} disabled={props.disabled ?? false} aria-haspopup="menu" aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}>
        <Icon name={props.icon} />
        {props.label}
        <Icon name="chevron-down" />
      </button>
      {isOpen && (
        <div class="float menu" role="menu" aria-label={props.label}>
          {props.items.map((item) =>
            item.href ? (
              <a key={item.label} role="menuitem" href={item.href} download onClick={() => choose(item)}>
                {item.label}
                {item.hint && <span class="t3">{item.hint}</span>}
              </a>
            ) : (
              <button key={item.label} type="button" role="menuitem" onClick={() => choose(item)}>
                {item.label}
                {item.hint && <span class="t3">{item.hint}</span>}
              </button>
            ),
          )}
        </div>
      )}
    </span>
  );
}

/** Returns a bar of progress; without a total it says so to assistive technology. */
export function Progress({ done, total, label }: { done: number; total: number; label: string }): JSX.Element {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  return (
    <div class={total > 0 ? 'progress' : 'progress unknown'} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100}
      {...(total > 0 ? { 'aria-valuenow': Math.round(share * 100) } : {})}>
      <i style={{ width: total > 0 ? `${share * 100}%` : '30%' }} />
    </div>
  );
}

/** Returns the notices at the bottom left. */
export function Notices(): JSX.Element {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((n) => (
        <div class="toast" key={n.id}>
          {shown(n.text)}
          <button type="button" class="btn ghost icon" aria-label="Dismiss" onClick={() => dismiss(n.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

/** Returns tabs; arrow keys move between them. */
export function Tabs<T extends string | number>(props: {
  label: string;
  /** `note` stands behind the text: a count, or a state. */
  tabs: readonly { id: T; text: string; note?: number | string | undefined }[];
  active: T;
  onSelect: (id: T) => void;
}): JSX.Element {
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = props.tabs.findIndex((t) => t.id === props.active);
    const next = props.tabs[(at + step + props.tabs.length) % props.tabs.length];
    if (!next) return;
    props.onSelect(next.id);
    const list = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };
  return (
    <div class="tablist" role="tablist" aria-label={props.label} onKeyDown={move}>
      {props.tabs.map((t) => (
        <button key={t.id} type="button" class="tab" role="tab" aria-selected={t.id === props.active} tabIndex={t.id === props.active ? 0 : -1}
          onClick={() => props.onSelect(t.id)}>
          {shown(t.text)}
          {t.note !== undefined && <span class="n">{t.note}</span>}
        </button>
      ))}
    </div>
  );
}
