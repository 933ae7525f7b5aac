/** What the user can do from anywhere: the keys of Appendix A for pages that exist, and the list of commands. */
import { computed, signal } from '@preact/signals';
import { timeFormats } from '../lib/cells';
import { current, vanished } from '../state/app';
import type { Binding } from '../state/keys';
import { panel } from '../state/panel';
import { go, route } from '../state/route';
import { change, settings, theme } from '../state/settings';
import { uploadAndOpen } from '../state/uploads';
import { chooseFiles } from '../widgets/files';
import { timelineBindings } from './timeline_keys';

export const isRailHidden = signal(false);
/** True while the timeline of an open trace is shown. */
export const isTimelineShown = computed(() => route.value.page === 'timeline' && current.value?.state === 'open' && vanished.value === null);

/** Runs the statement at the cursor; set by the SQL page while it is shown. */
export const runSql = signal<(() => void) | null>(null);
/** Cancels what runs, or closes what is open; set by a page. */
export const onEscape = signal<(() => void) | null>(null);

export const toggleTheme = (): void => change({ theme: theme.value === 'dark' ? 'light' : 'dark' });

const nextTimeFormat = (): void => change({ times: timeFormats[(timeFormats.indexOf(settings.value.times) + 1) % timeFormats.length] ?? 'raw' });

export async function addFiles(): Promise<void> {
  await uploadAndOpen(await chooseFiles());
}

function show(page: 'timeline' | 'merge' | 'clocks' | 'sql' | 'report'): void {
  const trace = current.value;
  if (trace?.state === 'open') go(page, trace.trace);
}

export const bindings: readonly Binding[] = [
  { keys: ['Mod+Enter'], text: 'run the statement at the cursor, or the selection', where: 'SQL', run: () => runSql.value?.() },
  { keys: ['U'], text: 'next format of times', where: 'SQL', when: () => !isTimelineShown.value, run: nextTimeFormat },
  ...timelineBindings,
  { keys: ['Alt+1'], text: 'timeline', where: 'everywhere', run: () => show('timeline') },
  { keys: ['Alt+2'], text: 'merge', where: 'everywhere', run: () => show('merge') },
  { keys: ['Alt+3'], text: 'clocks', where: 'everywhere', run: () => show('clocks') },
  { keys: ['Alt+4'], text: 'SQL', where: 'everywhere', run: () => show('sql') },
  { keys: ['Alt+5'], text: 'report', where: 'everywhere', run: () => show('report') },
  { keys: ['Mod+O'], text: 'add files', where: 'everywhere', run: () => void addFiles() },
  { keys: ['Mod+B'], text: 'show or hide the side rail', where: 'everywhere', run: () => (isRailHidden.value = !isRailHidden.value) },
  { keys: ['Mod+Shift+P', '>'], text: 'commands', where: 'everywhere', run: () => (panel.value = 'commands') },
  { keys: ['?'], text: 'this list', where: 'everywhere', run: () => (panel.value = 'help') },
  { keys: ['Escape'], text: 'cancel what runs, close what is open', where: 'everywhere', run: () => onEscape.value?.() },
];

export interface Command {
  text: string;
  keys?: string;
  run(): void;
}

/** Returns the commands that apply now. */
export function commands(): Command[] {
  const isOpen = current.value?.state === 'open';
  return [
    ...(isOpen && route.value.page !== 'timeline' ? [{ text: 'Show the timeline', keys: 'Alt+1', run: () => show('timeline') }] : []),
    ...(isTimelineShown.value ? timelineBindings.filter((b) => !/^(Shift\+)?\d$/.test(b.keys[0] ?? '')).map((b) => ({ text: `${b.text.charAt(0).toUpperCase()}${b.text.slice(1)}`, keys: b.keys[0] ?? '', run: b.run })) : []),
    ...(isTimelineShown.value ? [{ text: 'What the looks mean', run: () => (panel.value = 'legend') }, { text: 'Share this view, or open a saved one', run: () => (panel.value = 'share') }] : []),
    ...(isOpen && route.value.page !== 'merge' ? [{ text: 'Show the merge page', keys: 'Alt+2', run: () => show('merge') }] : []),
    ...(isOpen && route.value.page !== 'clocks' ? [{ text: 'Show the clocks', keys: 'Alt+3', run: () => show('clocks') }] : []),
    ...(isOpen && route.value.page !== 'sql' ? [{ text: 'Show SQL', keys: 'Alt+4', run: () => show('sql') }] : []),
    ...(isOpen && route.value.page !== 'report' ? [{ text: 'Show the report', keys: 'Alt+5', run: () => show('report') }] : []),
    ...(runSql.value ? [{ text: 'Run the statement at the cursor', keys: 'Mod+Enter', run: () => runSql.value?.() }] : []),
    { text: 'Open files from this computer', keys: 'Mod+O', run: () => void addFiles() },
    { text: 'Show the start page', run: () => go('start', null) },
    { text: theme.value === 'dark' ? 'Use the light theme' : 'Use the dark theme', run: toggleTheme },
    { text: 'Next format of times', keys: 'U', run: nextTimeFormat },
    { text: isRailHidden.value ? 'Show the side rail' : 'Hide the side rail', keys: 'Mod+B', run: () => (isRailHidden.value = !isRailHidden.value) },
    { text: 'Settings', run: () => (panel.value = 'settings') },
    { text: 'Keys', keys: '?', run: () => (panel.value = 'help') },
  ];
}
