/** The texts of the tabs of the SQL page, for the state of the viewer. */
import { batch } from '@preact/signals';
import { longestSlices } from '../lib/example_queries';
import { activeId, addTab, closeTab, tabs } from './sql';

interface SavedTab {
  title: string;
  text: string;
}

/** The most tabs that a state keeps. */
const mostTabs = 50;

/** Returns the tabs that have a text. */
export const savedTabs = (): SavedTab[] => tabs.value.filter((t) => t.text.trim() !== '').slice(0, mostTabs).map(({ title, text }) => ({ title, text }));

/** Adds the tabs that are not there. The tab of an untouched page gives way. Nothing runs. */
export function restoreTabs(saved: readonly SavedTab[]): void {
  const [only] = tabs.value;
  const isUntouched = tabs.value.length === 1 && only?.outcome === null && only.text === longestSlices.sql;
  const known = new Set(tabs.value.map((t) => t.text));
  const added = isUntouched ? saved : saved.filter((t) => !known.has(t.text));
  if (added.length === 0) return;
  const before = activeId.value;
  batch(() => {
    for (const { title, text } of added) addTab(text, title);
    if (isUntouched && only) closeTab(only.id);
    activeId.value = isUntouched ? (tabs.value[0]?.id ?? before) : before;
  });
}
