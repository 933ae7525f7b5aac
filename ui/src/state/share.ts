/** Saves, opens and links the state of the shown timeline. */
import { effect, signal } from '@preact/signals';
import { identityOf } from '../api/traces';
import { errorText } from '../api/http';
import type { TimelineView } from '../timeline/view';
import { current, traces } from './app';
import { currentState, reportMissing, settled } from './keep_state';
import { copy, notify } from './notices';
import { go } from './route';
import { saveText } from './save_text';
import { linkOf, mostBytes, otherInputs, readState, stateOfLink, type SavedState } from './saved_state';
import { viewOf } from './timeline';
import { applyState } from './view_state';

/** A state of other files, which the user may apply all the same. */
export interface Question {
  state: SavedState;
  missing: string[];
  added: string[];
}

export const question = signal<Question | null>(null);
/** Why the last file or link could not be used. */
export const shareError = signal('');

/** Returns the name of a file to save: that of the trace with another ending. */
export const fileName = (ending: string): string => `${(current.value?.name ?? 'trace').replace(/[^\w.-]+/g, '_').slice(0, 80)}.${ending}`;

export function saveStateFile(view: TimelineView): void {
  saveText(JSON.stringify(currentState(view), null, 1), fileName('tbstate'), 'application/json');
}

/** Copies a link that opens the view on the same server. */
export async function copyLink(view: TimelineView): Promise<void> {
  const fragment = await linkOf(currentState(view));
  if (fragment === null) shareError.value = 'This view is too large for a link. Save it as a file.';
  else await copy(`${location.origin}${location.pathname}#${fragment}`, 'the link');
}

/** Applies a state, whatever its inputs are. */
export async function takeState(view: TimelineView, state: SavedState): Promise<void> {
  question.value = null;
  try {
    reportMissing(await applyState(view, state));
  } catch (error) {
    shareError.value = errorText(error);
  }
}

/** Applies a state; asks first if it belongs to other files. */
async function offer(view: TimelineView, state: SavedState): Promise<boolean> {
  const { missing, added } = otherInputs(state.inputs, currentState(view).inputs);
  if (missing.length + added.length > 0) {
    question.value = { state, missing, added };
    return false;
  }
  await takeState(view, state);
  return true;
}

/** Opens a state file. Returns true if it was applied; else `question` or `shareError` says why not. */
export async function openStateFile(view: TimelineView, file: File): Promise<boolean> {
  shareError.value = '';
  question.value = null;
  const { state, problem } = file.size > mostBytes ? { state: null, problem: 'the file is larger than 4 MiB' } : readState(await file.text());
  if (state) return offer(view, state);
  shareError.value = `${file.name} cannot be used: ${problem}. Nothing was changed.`;
  return false;
}

/** Resolves when the timeline of a trace is loaded, and its kept state is back. */
function whenSettled(trace: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (settled.value.has(trace)) queueMicrotask(() => {
        stop();
        resolve();
      });
    });
  });
}

/** Follows a link with a state: shows the trace that has its files. Without one it says so. */
async function followLink(hash: string): Promise<void> {
  const { state, problem } = await stateOfLink(hash);
  if (!state) {
    go('start', null);
    return notify(`The view of the link cannot be used: ${problem}.`);
  }
  for (const each of traces.peek().filter((t) => t.state === 'open')) {
    const { inputs } = await identityOf(each.trace);
    const { missing, added } = otherInputs(state.inputs, inputs);
    if (missing.length + added.length > 0) continue;
    go('timeline', each.trace);
    const view = viewOf(each.trace);
    await whenSettled(each.trace);
    return takeState(view, state);
  }
  go('start', null);
  notify(`The link is to a view of ${state.inputs.map((i) => i.name).slice(0, 3).join(', ') || 'a trace'}. No open trace has these files; open them, and follow the link again.`);
}

/** Follows the link of the address, now and later. */
export function followLinks(): () => void {
  const follow = (): void => {
    if (location.hash.startsWith('#s=')) followLink(location.hash).catch((error: unknown) => notify(errorText(error)));
  };
  window.addEventListener('hashchange', follow);
  follow();
  return () => window.removeEventListener('hashchange', follow);
}
