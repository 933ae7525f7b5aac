/** Short notices at the bottom: what happened. Never for errors, which stand at their place. */
import { signal } from '@preact/signals';

export interface Notice {
  id: number;
  text: string;
}

export const notices = signal<Notice[]>([]);
let nextId = 1;

/** Shows a notice for 6 s. */
export function notify(text: string): void {
  const id = nextId++;
  notices.value = [...notices.value, { id, text }];
  window.setTimeout(() => dismiss(id), 6000);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((n) => n.id !== id);
}

/** Puts a text on the clipboard and says what it was. */
export async function copy(text: string, what: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  notify(`Copied ${what}.`);
}
