/** Login: the token or the one-time code of the address becomes a cookie, and leaves the address. */
import { call, hasCode } from './http';

/** Returns the secret of the fragment `#token=...` or `#code=...`, if any. */
export function secretOf(hash: string): { token: string } | { code: string } | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const token = fields.get('token');
  if (token) return { token };
  const code = fields.get('code');
  return code ? { code } : null;
}

/** Posts the secret of the address, if it has one. Clears the address first, so that it is in no history. */
export async function login(location: Location, history: History): Promise<void> {
  const secret = secretOf(location.hash);
  if (!secret) return;
  history.replaceState(null, '', location.pathname + location.search);
  await call('POST /login', {}, { body: secret });
}

/** Returns true if the error says that the page has no valid cookie. */
export function isUnauthorized(error: unknown): boolean {
  return hasCode(error, 'unauthorized');
}
