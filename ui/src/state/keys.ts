/** The keyboard: which keys do what, where they apply, and the list for `?`. */

/** A binding of Appendix A of docs/spec/viewer.md. Keys are `Mod+Shift+P`, `Alt+4`, `?`, `Escape`. */
export interface Binding {
  keys: string[];
  text: string;
  /** Pages on which it does something, for the list. */
  where: string;
  /** False while it does not apply; another binding of the same key may. */
  when?(): boolean;
  /** True if letters mean positions on a QWERTY keyboard. */
  isByPosition?: boolean;
  run(): void;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Returns the name of a key event in the notation of bindings. Letters are those of the layout, in upper case. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>, mac = isMac): string {
  const parts: string[] = [];
  if (mac ? event.metaKey : event.ctrlKey) parts.push('Mod');
  if (event.altKey) parts.push('Alt');
  // Alt composes other characters on some layouts, so digits are taken by their position then.
  const digit = event.altKey ? /^Digit(\d)$/.exec(event.code)?.[1] : undefined;
  // Letters of other scripts stand for those at their position, so that Ctrl+B works on a Cyrillic layout.
  const letter = /^\p{L}$/u.test(event.key) && !/^[\x20-\x7e]$/.test(event.key) ? /^Key([A-Z])$/.exec(event.code)?.[1] : undefined;
  const key = digit ?? letter ?? event.key;
  const isLetter = /^[a-z]$/i.test(key);
  if (event.shiftKey && (isLetter || key.length > 1)) parts.push('Shift');
  parts.push(isLetter ? key.toUpperCase() : key);
  return parts.join('+');
}

/** Returns the key at the event's position on a QWERTY keyboard, in the notation of bindings. */
export function positionName(event: Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>, mac = isMac): string {
  const key = /^(?:Key|Digit)([A-Z0-9])$/.exec(event.code)?.[1] ?? (event.code === 'Comma' ? ',' : event.code);
  return [...((mac ? event.metaKey : event.ctrlKey) ? ['Mod'] : []), ...(event.altKey ? ['Alt'] : []), ...(event.shiftKey ? ['Shift'] : []), key].join('+');
}

/** Returns true if the element takes text, where only Escape and Mod keys are for the page. */
function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select, .cm-content');
}

const keySigns: Readonly<Record<string, string>> = { ' ': 'Space', Escape: 'Esc', Enter: '↵', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };

/** Returns a key for people: "Ctrl Shift P", with ⌘ on macOS. */
export function shownKey(name: string, mac = isMac): string {
  return name.split('+').map((part) => (part === 'Mod' ? (mac ? '⌘' : 'Ctrl') : keySigns[part] ?? part)).join(' ');
}

let bindings: readonly Binding[] = [];

export const boundKeys = (): readonly Binding[] => bindings;

/** Listens for the keys from now on. A dialog that is open gets them first. */
export function bindKeys(list: readonly Binding[]): void {
  bindings = list;
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const name = keyName(event);
    if (document.querySelector('dialog[open]')) return;
    if (isTextField(event.target) && !name.startsWith('Mod+') && !name.startsWith('Alt+')) return;
    const position = positionName(event);
    const binding = bindings.find((b) => (b.when?.() ?? true) && b.keys.includes(b.isByPosition ? position : name));
    if (!binding) return;
    event.preventDefault();
    binding.run();
  });
}
