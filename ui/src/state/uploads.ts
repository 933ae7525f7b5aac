/** Files that the user dropped or chose, on their way to the server. */
import { computed, signal } from '@preact/signals';
import { errorText, hasCode } from '../api/http';
import type { Input } from '../api/traces';
import { dropUpload, uploadFile } from '../api/uploads';
import { open } from './app';

export interface UploadView {
  name: string;
  size: number;
  sent: number;
  state: 'waiting' | 'sending' | 'done' | 'failed';
  detail: string;
}

export interface DroppedFile {
  name: string;
  file: File;
}

export const uploads = signal<UploadView[]>([]);
export const uploadError = signal('');
export const isUploading = computed(() => uploads.value.some((u) => u.state === 'waiting' || u.state === 'sending'));

/** Files that are sent side by side. */
const parallel = 4;
let abort: AbortController | null = null;

function update(index: number, part: Partial<UploadView>): void {
  uploads.value = uploads.value.map((u, i) => (i === index ? { ...u, ...part } : u));
}

/** Returns names without the folders that all share, so that names are short and still differ. */
export function distinctNames(paths: readonly string[]): string[] {
  const parts = paths.map((p) => p.split('/').filter(Boolean));
  let shared = 0;
  while (parts.length > 1 && parts.every((p) => p.length > shared + 1 && p[shared] === parts[0]?.[shared])) shared += 1;
  return parts.map((p) => p.slice(parts.length > 1 ? shared : p.length - 1).join('/'));
}

/** Uploads the files and opens them as one trace. A file that fails stops all, and is named. */
export async function uploadAndOpen(files: readonly DroppedFile[]): Promise<void> {
  if (files.length === 0 || isUploading.value) return;
  const controller = new AbortController();
  abort = controller;
  uploadError.value = '';
  const names = distinctNames(files.map((f) => f.name));
  uploads.value = files.map(({ file }, i) => ({ name: names[i] ?? file.name, size: file.size, sent: 0, state: 'waiting', detail: '' }));
  const inputs: Input[] = new Array<Input>(files.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < files.length; i = next++) {
      const dropped = files[i];
      if (!dropped) return;
      const name = names[i] ?? dropped.file.name;
      update(i, { state: 'sending' });
      try {
        const source = { name, size: dropped.file.size, modified: dropped.file.lastModified, slice: (from: number, to: number) => dropped.file.slice(from, to) };
        const upload = await uploadFile(source, (sent) => update(i, { sent }), controller.signal);
        inputs[i] = { name, upload, size: dropped.file.size };
        update(i, { state: 'done', sent: dropped.file.size });
      } catch (error) {
        update(i, { state: 'failed', detail: errorText(error) });
        controller.abort();
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: parallel }, worker));
  const failed = results.find((r): r is PromiseRejectedResult => r.status === 'rejected' && !isCancelled(r.reason)) ?? results.find((r) => r.status === 'rejected');
  try {
    if (failed?.status === 'rejected') throw failed.reason;
    await open(inputs);
    uploads.value = [];
  } catch (error) {
    for (const input of inputs) if (input?.upload) dropUpload(input.upload);
    const bad = uploads.value.find((u) => u.state === 'failed' && u.detail !== 'Cancelled.');
    uploadError.value = isCancelled(error) ? '' : `${bad ? `${bad.name}: ` : ''}${errorText(error)}`;
    uploads.value = [];
  }
}

const isCancelled = (error: unknown): boolean => hasCode(error, 'cancelled');

export function cancelUploads(): void {
  abort?.abort();
}
