/** Files that the user dropped or chose, on their way to the server. */
import { signal } from '@preact/signals';
import { errorText, hasCode } from '../api/http';
import type { Input } from '../api/traces';
import { dropUpload, uploadFile } from '../api/uploads';
import { open } from './app';

interface UploadView {
  name: string;
  size: number;
  sent: number;
}

export interface DroppedFile {
  name: string;
  file: File;
}

/** The files on their way; none once they are opened, or one has failed. */
export const uploads = signal<UploadView[]>([]);
export const uploadError = signal('');

/** Files that are sent side by side. */
const parallel = 4;
let abort: AbortController | null = null;

function setSent(index: number, sent: number): void {
  uploads.value = uploads.value.map((u, i) => (i === index ? { ...u, sent } : u));
}

/** Returns names without the folders that all share, so that names are short and still differ. */
export function distinctNames(paths: readonly string[]): string[] {
  const parts = paths.map((p) => p.split('/').filter(Boolean));
  let shared = 0;
  while (parts.length > 1 && parts.every((p) => p.length > shared + 1 && p[shared] === parts[0]?.[shared])) shared += 1;
  return parts.map((p) => p.slice(parts.length > 1 ? shared : p.length - 1).join('/'));
}

/** Uploads the files and opens them as one trace. */
export const uploadAndOpen = (files: readonly DroppedFile[]): Promise<void> => uploadThen(files, open);

/** Uploads the files and passes them on. A file that fails stops all, and is named. */
export async function uploadThen(files: readonly DroppedFile[], use: (inputs: Input[]) => Promise<unknown>): Promise<void> {
  if (files.length === 0 || uploads.value.length > 0) return;
  const controller = new AbortController();
  abort = controller;
  uploadError.value = '';
  const names = distinctNames(files.map((f) => f.name));
  uploads.value = files.map(({ file }, i) => ({ name: names[i] ?? file.name, size: file.size, sent: 0 }));
  const inputs: Input[] = new Array<Input>(files.length);
  /** In the order of time: those behind the first may follow from its abort. */
  const failures: { name: string; error: unknown }[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < files.length; i = next++) {
      const dropped = files[i];
      if (!dropped) return;
      const name = names[i] ?? dropped.file.name;
      try {
        const source = { name, size: dropped.file.size, modified: dropped.file.lastModified, slice: (from: number, to: number) => dropped.file.slice(from, to) };
        const upload = await uploadFile(source, (sent) => setSent(i, sent), controller.signal);
        inputs[i] = { name, upload, size: dropped.file.size };
      } catch (error) {
        failures.push({ name, error });
        controller.abort();
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  const [failure] = failures;
  try {
    if (failure) throw failure.error;
    await use(inputs);
  } catch (error) {
    for (const input of inputs) if (input?.upload) dropUpload(input.upload);
    uploadError.value = hasCode(error, 'cancelled') ? '' : `${failure ? `${failure.name}: ` : ''}${errorText(error)}`;
  }
  uploads.value = [];
}

export function cancelUploads(): void {
  abort?.abort();
}
