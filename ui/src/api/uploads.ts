/**
 * Uploads in chunks. A chunk that fails is sent again from where the server stands, and an upload that an earlier page
 * began goes on. Digests of both sides are compared after each chunk.
 */
import { Xxh32 } from '../lib/xxh32';
import { ApiError, call, hasCode, pathOf, send, type Answer } from './http';

export const chunkBytes = 8 * 1024 * 1024;

/** A file to upload, which the browser reads in slices. */
export interface UploadSource {
  name: string;
  size: number;
  /** Milliseconds; with name and size it identifies the file when an upload goes on. */
  modified: number;
  slice(from: number, to: number): Blob;
}

/** What the server has of an upload. */
type UploadState = Answer<'GET /uploads/{u}'> & {
  /** XXH32 of the bytes received so far, of servers that compute it. */
  xxh32?: string;
};

const stateOf = (u: string, signal: AbortSignal): Promise<UploadState> => call('GET /uploads/{u}', { u }, { signal });

/** Ids of uploads that are not complete, by file. They outlive a reload of the page, not its tab. */
const storageKey = 'tracebraid.uploads';

function begun(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

function remember(key: string, upload: string | null): void {
  const rest = Object.entries(begun()).filter(([other]) => other !== key);
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(upload === null ? rest : [...rest, [key, upload]])));
  } catch {
    // Full or forbidden: the upload begins again after a reload.
  }
}

const bytesOf = async (source: UploadSource, from: number, to: number): Promise<Uint8Array> => new Uint8Array(await source.slice(from, to).arrayBuffer());

/** Returns the digest of the first bytes of a file. */
async function digestOf(source: UploadSource, to: number): Promise<Xxh32> {
  const hash = new Xxh32();
  for (let at = 0; at < to; at += chunkBytes) hash.add(await bytesOf(source, at, Math.min(at + chunkBytes, to)));
  return hash;
}

interface Progress {
  upload: string;
  offset: number;
  hash: Xxh32;
}

/** Returns the upload of this file that an earlier page began, if the server has it and its bytes are those of the file. */
async function resumed(source: UploadSource, key: string, signal: AbortSignal): Promise<Progress | null> {
  const upload = begun()[key];
  if (upload === undefined) return null;
  try {
    const state = await stateOf(upload, signal);
    const { offset } = state;
    if (Number(state.size) !== source.size) return null;
    const hash = await digestOf(source, offset);
    return state.xxh32 !== undefined && state.xxh32 !== hash.digest() ? null : { upload, offset, hash };
  } catch (error) {
    if (hasCode(error, 'cancelled')) throw error;
    return null;
  }
}

const isTransient = (error: unknown): boolean => hasCode(error, 'offline', 'conflict', 'rate_limited');

/** Sends the rest of a file. Throws an ApiError `damaged` if the server has other bytes. */
async function sendRest(source: UploadSource, from: Progress, progress: (bytes: number) => void, signal: AbortSignal): Promise<void> {
  let { offset, hash } = from;
  let failures = 0;
  progress(offset);
  while (offset < source.size) {
    const bytes = await bytesOf(source, offset, Math.min(offset + chunkBytes, source.size));
    let received: number;
    let theirs: string | undefined;
    try {
      const response = await send('PUT', pathOf('PUT /uploads/{u}', { u: from.upload }, { offset: String(offset) }), { body: bytes as BufferSource, headers: { 'Content-Type': 'application/octet-stream' }, signal });
      const state = (await response.json()) as UploadState;
      received = offset + bytes.length;
      theirs = state.xxh32;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!isTransient(error) || failures > 3) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * failures));
      const state = await stateOf(from.upload, signal);
      received = state.offset;
      theirs = state.xxh32;
    }
    // The server may have a part of the chunk only.
    hash = received >= offset ? hash.copy().add(bytes.subarray(0, received - offset)) : await digestOf(source, received);
    offset = received;
    if (theirs !== undefined && theirs !== hash.digest()) throw new ApiError('damaged', 0, 'The bytes that arrived are not those of the file.');
    progress(offset);
  }
}

/**
 * Uploads a file and returns the id of the upload. Calls `progress` with the bytes that the server has. Begins once anew
 * if the bytes arrived damaged. Throws an ApiError after three failures in a row, or if the signal aborts.
 */
export async function uploadFile(source: UploadSource, progress: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  const key = JSON.stringify([source.name, source.size, source.modified]);
  for (let attempt = 0; ; attempt += 1) {
    let now = attempt === 0 ? await resumed(source, key, signal) : null;
    if (!now) {
      const { upload } = await call('POST /uploads', {}, { body: { name: source.name, size: source.size }, signal });
      now = { upload, offset: 0, hash: new Xxh32() };
      remember(key, upload);
    }
    try {
      await sendRest(source, now, progress, signal);
      remember(key, null);
      return now.upload;
    } catch (error) {
      // What a lost connection left stays on the server, so that the next attempt goes on.
      if (!hasCode(error, 'offline')) {
        remember(key, null);
        dropUpload(now.upload);
      }
      if (!hasCode(error, 'damaged') || attempt > 0) throw error;
    }
  }
}

/** Drops an upload that is not needed. Errors do not matter: the server drops idle uploads by itself. */
export function dropUpload(upload: string): void {
  call('DELETE /uploads/{u}', { u: upload }).catch(() => undefined);
}
