/** Waiting for what the server does: reading the inputs of a draft, and jobs. */
import { draftOf } from '../api/drafts';
import { ApiError } from '../api/http';
import { job as jobOf } from '../api/traces';

/** Waits until the server has read the inputs of a draft; returns false if nobody waits any more. Throws an ApiError if they cannot be read. */
export async function untilRead(draft: string, isWanted: () => boolean): Promise<boolean> {
  for (;;) {
    const info = await draftOf(draft);
    if (info.state === 'ready') return true;
    if (info.state !== 'reading') throw new ApiError(info.state, 0, info.error === '' ? 'The inputs could not be read.' : info.error);
    if (!isWanted()) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until a job is done, and tells its stage meanwhile. Throws an ApiError if it fails or is cancelled. */
export async function untilDone(job: string, onStage: (stage: string) => void): Promise<void> {
  for (;;) {
    const state = await jobOf(job);
    if (state.state === 'done') return;
    if (state.state === 'failed' || state.state === 'cancelled') throw new ApiError(state.error?.code ?? 'cancelled', 0, state.error?.detail ?? 'Cancelled.');
    onStage(state.stage ?? '');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
