/** Names of items by their ids: asked for in batches, kept, and bounded. */
import { shown } from '../lib/text';

/** Loads texts of string ids and of threads, in the order given; null is an unknown id. */
export type LoadTexts = (ids: number[], threads: number[]) => Promise<{ texts: (string | null)[]; threads?: (string | null)[]; cut?: number[] }>;

const batch = 4096;
/** Beyond this many texts all are forgotten; those that are shown are asked for again. */
const limit = 200_000;

/** Texts of strings (by id) and of threads (by row). Ids of threads are kept with bit 32 set. */
export class TextStore {
  private readonly known = new Map<number, string>();
  private readonly missing = new Set<number>();
  private isLoading = false;
  private timer = 0;

  constructor(
    private readonly load: LoadTexts,
    private readonly changed: () => void,
  ) {}

  get isBusy(): boolean {
    return this.isLoading || this.missing.size > 0;
  }

  /** Returns the text for display, or null until it is there. */
  text(id: number): string | null {
    return this.get(id);
  }

  thread(row: number): string | null {
    return this.get(row + 2 ** 32);
  }

  private get(key: number): string | null {
    const text = this.known.get(key);
    if (text !== undefined) return text;
    if (this.missing.size < batch) this.missing.add(key);
    if (this.timer === 0 && !this.isLoading) this.timer = window.setTimeout(() => void this.ask(), 0);
    return null;
  }

  private async ask(): Promise<void> {
    this.timer = 0;
    if (this.isLoading || this.missing.size === 0) return;
    const keys = [...this.missing];
    const ids = keys.filter((k) => k < 2 ** 32);
    const threads = keys.filter((k) => k >= 2 ** 32).map((k) => k - 2 ** 32);
    this.isLoading = true;
    try {
      const answer = await this.load(ids, threads);
      if (this.known.size > limit) this.known.clear();
      const cut = new Set(answer.cut ?? []);
      ids.forEach((id, i) => this.known.set(id, `${shown(answer.texts[i] ?? '')}${cut.has(id) ? '…' : ''}`));
      threads.forEach((row, i) => this.known.set(row + 2 ** 32, shown(answer.threads?.[i] ?? `thread ${row}`)));
    } catch {
      for (const key of keys) this.known.set(key, ''); // what the server does not give is not asked for again
    }
    for (const key of keys) this.missing.delete(key);
    this.isLoading = false;
    this.changed();
    if (this.missing.size > 0) void this.ask();
  }

  /** Forgets texts that could not be loaded, after a reconnect. */
  retry(): void {
    for (const [key, text] of this.known) if (text === '') this.known.delete(key);
  }
}
