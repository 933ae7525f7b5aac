/** Files from the user's machine: what was dropped or chosen, with folders read to their leaves. */
import type { DroppedFile } from '../state/uploads';

/** More files than this are refused: a folder was dropped by mistake, or belongs to the server's folders. */
const fileLimit = 10_000;

function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

async function walk(entry: FileSystemEntry, files: DroppedFile[]): Promise<void> {
  if (files.length > fileLimit) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    files.push({ name: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (let part = await entriesOf(reader); part.length > 0; part = await entriesOf(reader)) for (const child of part) await walk(child, files);
}

/** Returns the files of a drop. Throws an Error if there are too many. */
export async function droppedFiles(data: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((e): e is FileSystemEntry => e !== null);
  const files: DroppedFile[] = [];
  if (entries.length === 0) for (const file of data.files) files.push({ name: file.name, file });
  for (const entry of entries) await walk(entry, files);
  if (files.length > fileLimit) throw new Error(`More than ${fileLimit} files. Open them from a folder of the server instead.`);
  return files;
}

/** Lets the user choose files. */
export function chooseFiles(): Promise<DroppedFile[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.onchange = () => resolve([...(input.files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file })));
    input.oncancel = () => resolve([]);
    input.click();
  });
}
