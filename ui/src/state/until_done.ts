/** Waiting for a draft, which the merge page and the clock page do. */
import { draftOf } from '../api/drafts';
import { ApiError } from '../api/http';

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
