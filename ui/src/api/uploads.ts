/** Uploads in chunks; a chunk that fails is sent again from where the server stands. */
import { ApiError, json, send } from './http';

export const chunkBytes = 8 * 1024 * 1024;

/** A file to upload, which the browser reads in slices. */
export interface UploadSource {
  name: string;
  size: number;
  slice(from: number, to: number): Blob;
}

const path = (upload: string): string => `/uploads/${encodeURIComponent(upload)}`;

/** Returns the offset up to which the server has the upload. */
async function received(upload: string, signal: AbortSignal): Promise<number> {
  const response = await send('HEAD', path(upload), { signal });
  return Number(response.headers.get('Upload-Offset') ?? 0);
}

/**
 * Uploads a file and returns the id of the upload. Calls `progress` with the bytes that the server has.
 * Throws an ApiError after three failures in a row, or if the signal aborts.
 */
export async function uploadFile(source: UploadSource, progress: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  const { upload } = await json<{ upload: string }>('POST', '/uploads', { name: source.name, size: source.size }, { signal });
  let offset = 0;
  let failures = 0;
  while (offset < source.size) {
    const end = Math.min(offset + chunkBytes, source.size);
    try {
      await send('PUT', `${path(upload)}?offset=${offset}`, {
        body: source.slice(offset, end),
        headers: { 'Content-Type': 'application/octet-stream' },
        signal,
      });
      offset = end;
      failures = 0;
    } catch (error) {
      const isTransient = error instanceof ApiError && ['offline', 'conflict', 'rate_limited'].includes(error.code);
      failures += 1;
      if (!isTransient || failures > 3) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * failures));
      offset = await received(upload, signal);
    }
    progress(offset);
  }
  return upload;
}

/** Drops an upload that is not needed. Errors do not matter: the server drops idle uploads by itself. */
export function dropUpload(upload: string): void {
  send('DELETE', path(upload)).catch(() => undefined);
}
