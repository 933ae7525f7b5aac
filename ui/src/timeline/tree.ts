/** The tree of tracks as far as it was loaded, and which rows of it are shown. */
import type { TreeNode } from '../api/timeline';

/** Loads nodes below a parent (null: the root) down to `depth` levels, in the order of the tree. */
export type LoadNodes = (parent: number | null, depth: number, offset: number) => Promise<{ total: number; hidden: number; nodes: TreeNode[] }>;

/** Nodes that are loaded at once; the rest comes when its parent is opened. */
const atOnce = 20_000;

export class Tree {
  readonly nodes = new Map<number, TreeNode>();
  readonly byKey = new Map<string, TreeNode>();
  private readonly lists = new Map<number | null, number[]>();
  /** Empty nodes that the server left out at the top. */
  hiddenAtTop = 0;
  /** Rises with clear(): pages that were asked for before are dropped. */
  private round = 0;

  constructor(private readonly load: LoadNodes) {}

  /** Returns the children that are loaded, in the order of the tree. */
  children(parent: number | null): readonly number[] {
    return this.lists.get(parent) ?? none;
  }

  isLoaded(node: TreeNode): boolean {
    return this.children(node.node).length >= node.children;
  }

  /** Returns whether all nodes are loaded. */
  isComplete(): boolean {
    for (const node of this.nodes.values()) if (!this.isLoaded(node)) return false;
    return true;
  }

  /** Forgets all nodes, for another grouping. */
  clear(): void {
    this.nodes.clear();
    this.byKey.clear();
    this.lists.clear();
    this.hiddenAtTop = 0;
    this.round += 1;
  }

  private add(nodes: readonly TreeNode[]): void {
    for (const node of nodes) {
      if (this.nodes.has(node.node)) continue;
      this.nodes.set(node.node, node);
      this.byKey.set(node.key, node);
      const list = this.lists.get(node.parent) ?? [];
      this.lists.set(node.parent, list);
      list.push(node.node);
    }
  }

  /**
   * Loads the whole tree if it is small, else its upper levels. Returns false if the tree was cleared meanwhile. Throws
   * an ApiError.
   */
  async start(): Promise<boolean> {
    const { round } = this;
    let depth = 16;
    let page = await this.load(null, depth, 0);
    if (page.total > atOnce) {
      depth = 2;
      page = await this.load(null, depth, 0);
    }
    if (round !== this.round) return false;
    this.hiddenAtTop = page.hidden;
    this.add(page.nodes);
    const offsets: number[] = [];
    for (let offset = page.nodes.length; offset < Math.min(page.total, atOnce) && page.nodes.length > 0; offset += page.nodes.length) offsets.push(offset);
    // The first page says how many there are, so the others need not wait for each other.
    const rest = await Promise.all(offsets.map((offset) => this.load(null, depth, offset)));
    if (round !== this.round) return false;
    for (const { nodes } of rest) this.add(nodes);
    return true;
  }

  /** Loads the children of a node that are missing. */
  async open(node: TreeNode): Promise<void> {
    if (this.isLoaded(node)) return;
    const { round } = this;
    for (let offset = 0; offset < node.children; ) {
      const page = await this.load(node.node, 1, offset);
      if (round !== this.round) return;
      this.add(page.nodes);
      if (page.nodes.length === 0) break;
      offset += page.nodes.length;
    }
  }

  /** Returns the nodes from the top to a node, without itself. */
  ancestors(node: TreeNode): TreeNode[] {
    const path: TreeNode[] = [];
    for (let at = node.parent; at !== null; ) {
      const parent = this.nodes.get(at);
      if (!parent) break;
      path.unshift(parent);
      at = parent.parent;
    }
    return path;
  }

  /** Returns empty nodes that the server left out, of the whole loaded tree. */
  hiddenCount(): number {
    let count = this.hiddenAtTop;
    for (const node of this.nodes.values()) count += node.hidden;
    return count;
  }

  /**
   * Returns the keys that are open in the first view: machines and files, then processes by their events while less
   * than `limit` rows are shown.
   */
  firstOpen(limit = 200): Set<string> {
    const open = new Set<string>();
    let rows = this.children(null).length;
    const queue: TreeNode[] = [];
    const consider = (parent: number | null): void => {
      for (const id of this.children(parent)) {
        const node = this.nodes.get(id);
        if (!node || node.children === 0) continue;
        if (node.type === 'machine' || (node.type === 'file' && rows + node.children <= limit)) {
          open.add(node.key);
          rows += node.children;
          consider(id);
        } else queue.push(node);
      }
    };
    consider(null);
    queue.sort((a, b) => Number(b.events) - Number(a.events));
    for (let i = 0; i < queue.length; i += 1) {
      const node = queue[i];
      if (!node || rows + node.children > limit) continue;
      open.add(node.key);
      rows += node.children;
      for (const id of this.children(node.node)) {
        const child = this.nodes.get(id);
        if (child && child.children > 0) queue.push(child);
      }
    }
    return open;
  }
}

const none: readonly number[] = [];
