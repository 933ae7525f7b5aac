/** What tests wait for: `window.tb` exists with `?test=1` only. */
import { pendingRequests } from '../api/http';
import { boundKeys } from './keys';

/** Resolves when no request has been pending for two frames. */
async function idle(): Promise<void> {
  const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  for (let quiet = 0; quiet < 3; ) {
    await frame();
    quiet = pendingRequests() === 0 ? quiet + 1 : 0;
  }
}

export function exposeTests(): void {
  if (new URLSearchParams(location.search).get('test') !== '1') return;
  (window as unknown as { tb: unknown }).tb = { idle, pending: pendingRequests, keys: () => boundKeys().map(({ keys, text }) => ({ keys, text })) };
}
