/** Writing the inputs and the manifest of the merge page as one archive, which the browser saves. */
import { signal } from '@preact/signals';
import { packDraft } from '../api/drafts';
import { errorText } from '../api/http';
import { jobFile } from '../api/traces';
import { notify } from './notices';
import { saveAddress } from './save_text';
import { untilDone } from './until_done';

export type Archiving = { kind: 'none' } | { kind: 'running'; stage: string } | { kind: 'failed'; reason: string };
export const archiving = signal<Archiving>({ kind: 'none' });

/** Packs a draft, and lets the browser save the file. */
export async function writeArchive(draft: string): Promise<void> {
  if (archiving.peek().kind === 'running') return;
  archiving.value = { kind: 'running', stage: '' };
  try {
    const { job } = await packDraft(draft, 'tar');
    await untilDone(job, (stage) => (archiving.value = { kind: 'running', stage }));
    saveAddress(jobFile(job), 'merged.tar');
    archiving.value = { kind: 'none' };
    notify('Wrote merged.tar: all files and the manifest.');
  } catch (error) {
    archiving.value = { kind: 'failed', reason: errorText(error) };
  }
}
