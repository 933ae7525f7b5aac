// @vitest-environment happy-dom
/** Uploads: chunks, digests, resuming. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chunkBytes, uploadFile, type UploadSource } from '../../src/api/uploads';
import { Xxh32 } from '../../src/lib/xxh32';
import { uploadAndOpen, uploadError, uploads as shownUploads } from '../../src/state/uploads';

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

const text = (s: string): Uint8Array => new TextEncoder().encode(s);
const digest = (bytes: Uint8Array): string => new Xxh32().add(bytes).digest();

test('XXH32 has the digests of the reference', () => {
  expect([digest(text('')), digest(text('a')), digest(text('abc')), digest(text('Nobody inspects the spammish repetition'))]).toEqual(['02cc5d05', '550d7456', '32d153ff', 'e2293b2f']);
});

test('XXH32 does not depend on how the bytes are cut', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(200), { maxLength: 6 }), (bytes, cuts) => {
    const hash = new Xxh32();
    const places = [0, ...cuts.map((c) => Math.min(c, bytes.length)).sort((a, b) => a - b), bytes.length];
    places.slice(1).forEach((to, i) => hash.add(bytes.subarray(places[i], to)));
    const copy = hash.copy().add(text('more'));
    return hash.digest() === digest(bytes) && copy.digest() === digest(new Uint8Array([...bytes, ...text('more')]));
  }));
});

/** A server that keeps uploads, and what happens to the next requests: a lost connection, damage, an error. */
function fakeServer(faults: ('lost' | 'lost after 5 bytes' | 'damage' | 'full' | '')[] = []) {
  const uploads = new Map<string, { size: number; bytes: Uint8Array }>();
  const calls: string[] = [];
  let next = 1;
  const answer = (status: number, body: unknown): Response => new Response(body === null ? null : JSON.stringify(body), { status });
  vi.stubGlobal('fetch', vi.fn(async (address: string, init: RequestInit) => {
    const path = address.replace('/api/v1', '');
    calls.push(`${init.method} ${path}`);
    const id = /\d+/.exec(path)?.[0] ?? '';
    const upload = uploads.get(id);
    if (init.method === 'POST') {
      const { size } = JSON.parse(init.body as string) as { size: number };
      uploads.set(String(next), { size, bytes: new Uint8Array() });
      return answer(201, { upload: String(next++) });
    }
    if (!upload) return answer(404, { code: 'not_found', detail: 'no upload' });
    if (init.method === 'DELETE') {
      uploads.delete(id);
      return answer(204, null);
    }
    if (init.method === 'PUT') {
      const fault = faults.shift() ?? '';
      if (fault === 'lost') throw new TypeError('reset');
      if (fault === 'full') return answer(507, { code: 'limit', detail: 'full' });
      const body = (init.body as Uint8Array).slice(0, fault === 'lost after 5 bytes' ? 5 : undefined);
      if (fault === 'damage') body[0] = (body[0] ?? 0) ^ 1;
      upload.bytes = new Uint8Array([...upload.bytes, ...body]);
      if (fault === 'lost after 5 bytes') throw new TypeError('reset');
    }
    return answer(200, { upload: id, size: String(upload.size), offset: upload.bytes.length, xxh32: digest(upload.bytes) });
  }));
  return { uploads, calls };
}

function source(bytes: Uint8Array, name = 'a'): UploadSource {
  return { name, size: bytes.length, modified: 1, slice: (from, to) => new Blob([bytes.slice(from, to)]) };
}

const send = (s: UploadSource, progress: (n: number) => void = () => undefined): Promise<string> => uploadFile(s, progress, new AbortController().signal);

test('a chunk that fails is sent again from where the server stands', async () => {
  const bytes = new Uint8Array(chunkBytes + 3).fill(7);
  const { uploads, calls } = fakeServer(['', 'lost', '']);
  const sent: number[] = [];
  expect(await send(source(bytes), (n) => sent.push(n))).toBe('1');
  expect(calls).toEqual(['POST /uploads', 'PUT /uploads/1?offset=0', `PUT /uploads/1?offset=${chunkBytes}`, 'GET /uploads/1', `PUT /uploads/1?offset=${chunkBytes}`]);
  expect(sent[sent.length - 1]).toBe(bytes.length);
  expect(digest(uploads.get('1')?.bytes ?? new Uint8Array())).toBe(digest(bytes));
  const partial = fakeServer(['lost after 5 bytes']);
  expect(await send(source(text('some bytes'), 'b'))).toBe('1');
  expect(partial.calls).toEqual(['POST /uploads', 'PUT /uploads/1?offset=0', 'GET /uploads/1', 'PUT /uploads/1?offset=5']);
});

test('an upload goes on after a reload if the server has the bytes of the same file', async () => {
  const bytes = text('a file of a few bytes');
  const { uploads, calls } = fakeServer(['lost after 5 bytes', 'lost', 'lost', 'lost', '']);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const failing = expect(send(source(bytes))).rejects.toMatchObject({ code: 'offline' });
  await vi.runAllTimersAsync();
  await failing;
  vi.useRealTimers();
  calls.length = 0;
  expect(await send(source(bytes))).toBe('1');
  expect(calls).toEqual(['GET /uploads/1', 'PUT /uploads/1?offset=5']);
  expect(new TextDecoder().decode(uploads.get('1')?.bytes)).toBe('a file of a few bytes');
  // Another content under the same name, size and time begins anew.
  sessionStorage.setItem('tracebraid.uploads', JSON.stringify({ [JSON.stringify(['a', bytes.length, 1])]: '1' }));
  expect(await send(source(text('another of equal size').slice(0, bytes.length)))).toBe('2');
});

test('bytes that arrive damaged are sent once anew', async () => {
  const once = fakeServer(['damage']);
  expect(await send(source(text('precious')))).toBe('2');
  expect(once.uploads.has('1')).toBe(false);
  fakeServer(['damage', 'damage']);
  await expect(send(source(text('precious')))).rejects.toMatchObject({ code: 'damaged' });
  fakeServer(['full']);
  await expect(send(source(text('precious')))).rejects.toMatchObject({ code: 'limit' });
});

test('a file that fails stops all and is named', async () => {
  const { uploads, calls } = fakeServer(['full', '']);
  const files = ['run/a.json', 'run/b.json'].map((name) => ({ name, file: new File([text(name) as BlobPart], name) }));
  const running = uploadAndOpen(files);
  expect(shownUploads.value.map((u) => [u.name, u.sent])).toEqual([['a.json', 0], ['b.json', 0]]);
  await uploadAndOpen(files); // while files are on their way others are not taken
  await running;
  expect(calls.filter((c) => c.startsWith('POST'))).toHaveLength(2);
  expect(uploadError.value).toMatch(/^[ab]\.json: full$/);
  expect(shownUploads.value).toEqual([]);
  await vi.waitFor(() => expect(uploads.size).toBe(0));
});
