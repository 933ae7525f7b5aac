/** Pages of a result's rows that the grid has seen, so that scrolling back asks nothing. */
import type { Cell } from './cells';

export const pageRows = 256;

/** Loads rows [offset, offset + limit); the answer may be shorter at the end. */
export type LoadRows = (offset: number, limit: number) => Promise<readonly Cell[][]>;

/** Keeps the pages used last. A page that fails is asked for again the next time. */
export class PageCache {
  private readonly pages = new Map<number, Promise<readonly Cell[][]>>();
  private readonly partial = new Set<number>();

  constructor(
    private readonly load: LoadRows,
    private readonly limit = 64,
  ) {}

  private page(number: number): Promise<readonly Cell[][]> {
    const known = this.pages.get(number);
    if (known) {
      this.pages.delete(number); // moves it to the end: used last
      this.pages.set(number, known);
      return known;
    }
    const loading = this.load(number * pageRows, pageRows);
    this.pages.set(number, loading);
    loading.then(
      (rows) => rows.length < pageRows && this.partial.add(number),
      () => this.pages.delete(number),
    );
    for (const old of this.pages.keys()) {
      if (this.pages.size <= this.limit) break;
      this.pages.delete(old);
    }
    return loading;
  }

  /** Forgets pages that were not full, because the result has grown. */
  forgetPartial(): void {
    for (const number of this.partial) this.pages.delete(number);
    this.partial.clear();
  }

  /** Returns rows [from, to). */
  async rows(from: number, to: number): Promise<Cell[][]> {
    if (to <= from) return [];
    const first = Math.floor(from / pageRows);
    const last = Math.floor((to - 1) / pageRows);
    const pages = await Promise.all(Array.from({ length: last - first + 1 }, (_, i) => this.page(first + i)));
    return pages.flatMap((page, i) => {
      const start = (first + i) * pageRows;
      return page.slice(Math.max(0, from - start), Math.max(0, to - start));
    });
  }
}
