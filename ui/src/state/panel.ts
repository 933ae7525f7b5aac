/** The dialog that is open. */
import { signal } from '@preact/signals';

export const panel = signal<'help' | 'settings' | 'commands' | 'legend' | 'share' | 'warnings' | null>(null);
