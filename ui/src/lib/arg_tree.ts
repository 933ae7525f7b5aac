/** Args of an event as a tree: keys `args.a.b[2].c` become nested members. */

export interface ArgNode {
  /** Name of the member, or [index] of an element. */
  name: string;
  /** Whole key; of a node without a value, the common beginning. */
  key: string;
  type: string;
  value: unknown;
  children: ArgNode[];
}

/** Returns the parts of a key: names, and indices with brackets. */
export function keyParts(key: string): string[] {
  return key.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [key];
}

/** Makes the tree; nodes keep the order of the args. A leading `args` or `debug` that all share is left out. */
export function argTree(args: readonly { key: string; type: string; value: unknown }[]): ArgNode[] {
  const root: ArgNode = { name: '', key: '', type: '', value: undefined, children: [] };
  const known = new Map<string, ArgNode>([['', root]]);
  for (const { key, type, value } of args) {
    let parent = root;
    let path = '';
    for (const part of keyParts(key)) {
      path = `${path}\u0000${part}`;
      let node = known.get(path);
      if (!node) {
        node = { name: part, key, type: '', value: undefined, children: [] };
        known.set(path, node);
        parent.children.push(node);
      }
      parent = node;
    }
    parent.type = type;
    parent.value = value;
    parent.key = key;
  }
  const [only] = root.children;
  return root.children.length === 1 && only && only.value === undefined && /^(args|debug)$/.test(only.name) ? only.children : root.children;
}

/** Returns the nodes whose key or value has the text, with their parents. */
export function filterArgs(nodes: readonly ArgNode[], text: string): ArgNode[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [...nodes];
  return nodes.flatMap((node) => {
    if (node.name.toLowerCase().includes(wanted) || (node.value !== undefined && String(node.value).toLowerCase().includes(wanted))) return [node];
    const children = filterArgs(node.children, wanted);
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}

/** Returns the target of a text that is a link of the web; null for anything else. */
export function linkOf(text: string): string | null {
  if (!/^https?:\/\/[^\s]+$/i.test(text)) return null;
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}
