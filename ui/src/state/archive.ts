/** Writing the inputs and the manifest of the merge page as one archive, which the browser saves. */
import { signal } from '@preact/signals';
import { packDraft } from '../api/drafts';
import { ApiError, errorText } from '../api/http';
import * as api from '../api/traces';
import { notify } from './notices';

export type Archiving = { kind: 'none' } | { kind: 'running'; stage: string } | { kind: 'failed'; reason: string };
export const archiving = signal<Archiving>({ kind: 'none' });

/** Packs a draft, and lets the browser save the file. */
export async function writeArchive(draft: string): Promise<void> {
  if (archiving.peek().kind === 'running') return;
  archiving.value = { kind: 'running', stage: '' };
  try {
    const { job } = await packDraft(draft, 'tar');
    for (;;) {
      const state = await api.job(job);
      if (state.state === 'done') break;
      if (state.state === 'failed' || state.state === 'cancelled') throw new ApiError(state.error?.code ?? 'cancelled', 0, state.error?.detail ?? 'Cancelled.');
      archiving.value = { kind: 'running', stage: state.stage ?? '' };
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const link = document.createElement('a');
    link.href = api.jobFile(job);
    link.download = 'merged.tar';
    link.click();
    archiving.value = { kind: 'none' };
    notify('Wrote merged.tar: all files and the manifest.');
  } catch (error) {
    archiving.value = { kind: 'failed', reason: errorText(error) };
  }
}
