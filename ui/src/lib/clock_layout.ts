/** Places of the clock graph: columns by hops to the timeline, a lane a machine, alike clocks folded into one node. No DOM. */
import type { Clock, ClockGraph, Edge } from './clock_types';
import type { Certainty } from './certainty';
import { counted, countText, spanText } from './units';

/** One clock, or alike clocks of several sequences or files. */
export interface GraphNode {
  key: string;
  clocks: Clock[];
  title: string;
  note: string;
  machine: string;
  /** Hops to the timeline; null without a path. */
  hop: number | null;
  isGuess: boolean;
  x: number;
  y: number;
}

/** Evidence between two nodes; `from` is the one that is further from the timeline. */
export interface GraphLink {
  key: string;
  from: GraphNode;
  to: GraphNode;
  edges: Edge[];
  isUsed: boolean;
  certainty: Certainty;
  text: string;
  /** The curve: four points of a Bézier. */
  curve: readonly [Point, Point, Point, Point];
  /** Centre of the label; null for evidence that is not used. */
  label: Point | null;
}

export interface Point {
  x: number;
  y: number;
}

export interface Lane {
  machine: string;
  y: number;
  height: number;
}

export interface GraphLayout {
  nodes: GraphNode[];
  links: GraphLink[];
  lanes: Lane[];
  /** Left edge and title of each column. */
  columns: { x: number; text: string }[];
  width: number;
  height: number;
  /** Clocks that are not drawn because there are too many. */
  hidden: number;
}

export const nodeWidth = 146;
export const nodeHeight = 40;
const leastGap = 64;
const mostGap = 120;
const gapY = 10;
const left = 18;
const top = 30;
const laneHead = 30;
const laneFoot = 12;
const mostNodes = 500;

/** Returns the hops of each clock to the timeline; the timeline itself is the clock without a next one that others lead to, or is placed. */
export function hopsOf({ clocks, placed }: ClockGraph): Map<number, number> {
  const byId = new Map(clocks.map((c) => [c.id, c]));
  const ends = new Set(clocks.map((c) => c.next).filter((n) => n !== null));
  const timeline = new Set(placed.filter((p) => p.rule === 'is_timeline').map((p) => p.clock));
  const hops = new Map<number, number>();
  for (const clock of clocks) if (clock.next === null && (timeline.has(clock.id) || ends.has(clock.id))) hops.set(clock.id, 0);
  for (const clock of clocks) {
    const path: number[] = [];
    let at: Clock | undefined = clock;
    while (at && !hops.has(at.id) && path.length <= clocks.length) {
      path.push(at.id);
      at = at.next === null ? undefined : byId.get(at.next);
    }
    let hop = at ? hops.get(at.id) : undefined;
    if (hop === undefined) continue;
    for (const id of path.reverse()) hops.set(id, (hop += 1));
  }
  return hops;
}

/** Returns the last part of a path. */
export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns the name of a clock within the graph, without its machine's lane. */
function titleOf(clock: Clock): string {
  if (clock.sequence !== null) return `${clock.name} of sequence ${clock.sequence}`;
  if (clock.isPrivate) return clock.file === '' ? 'own timeline' : fileName(clock.file);
  return clock.machine === '' ? clock.name : `${clock.name} of ${clock.machine}`;
}

function noteOf(clock: Clock, hop: number | undefined): string {
  if (hop === 0) return 'is the timeline';
  if (hop === undefined) return 'no path to the timeline';
  if (clock.sequence !== null) return fileName(clock.file);
  if (clock.isPrivate) return 'own timeline';
  return clock.readings === 0 ? 'never read' : counted(clock.readings, 'reading');
}

/** Folds clocks of sequences of a file, and own timelines of alike files, that lead to the same clock. */
function nodesOf(graph: ClockGraph, hops: ReadonlyMap<number, number>): GraphNode[] {
  const targets = new Set(graph.clocks.map((c) => c.next));
  const groups = new Map<string, Clock[]>();
  for (const clock of graph.clocks) {
    const isLeaf = (clock.sequence !== null || clock.isPrivate) && !targets.has(clock.id) && hops.get(clock.id) !== 0;
    const key = isLeaf ? JSON.stringify([clock.machine, clock.name, clock.sequence !== null ? clock.file : null, clock.next, clock.nextKind]) : String(clock.id);
    groups.set(key, [...(groups.get(key) ?? []), clock]);
  }
  const nodes: GraphNode[] = [];
  const add = (key: string, clocks: Clock[], title: string, note: string): void => {
    const first = clocks[0];
    if (first) nodes.push({ key, clocks, title, note, machine: first.machine, hop: hops.get(first.id) ?? null, isGuess: first.nextKind === 'guessed', x: 0, y: 0 });
  };
  for (const [key, clocks] of groups) {
    const first = clocks[0];
    if (!first) continue;
    const hop = hops.get(first.id);
    if (first.sequence !== null && clocks.length > 1) add(key, clocks, `${first.name} of ${counted(clocks.length, 'sequence')}`, fileName(first.file));
    else if (clocks.length >= 4) add(key, clocks, `${countText(clocks.length)} own timelines`, `${fileName(first.file)} …`);
    else for (const clock of clocks) add(String(clock.id), [clock], titleOf(clock), noteOf(clock, hop));
  }
  return nodes;
}

const nearest = (nodes: readonly GraphNode[]): number => Math.min(...nodes.map((n) => n.hop ?? 99));

/** Places the nodes; those of one column and lane are in the order of the nodes that they lead to. */
function place(nodes: GraphNode[], nodeOf: ReadonlyMap<number, GraphNode>, room: number): Pick<GraphLayout, 'lanes' | 'columns' | 'width' | 'height'> {
  const most = Math.max(0, ...nodes.map((n) => n.hop ?? 0));
  const hasUnplaced = nodes.some((n) => n.hop === null);
  const all = most + 1 + (hasUnplaced ? 1 : 0);
  const gapX = Math.max(leastGap, Math.min(mostGap, (room - 2 * left - all * nodeWidth) / Math.max(1, all - 1)));
  const columnX = (hop: number | null): number => left + (hop === null ? 0 : all - 1 - hop) * (nodeWidth + gapX);
  const machines = new Map<string, GraphNode[]>();
  for (const node of nodes) machines.set(node.machine, [...(machines.get(node.machine) ?? []), node]);
  const ordered = [...machines].sort((a, b) => nearest(a[1]) - nearest(b[1]) || a[0].localeCompare(b[0]));
  const lanes: Lane[] = [];
  let y = top;
  for (const [machine, members] of ordered) {
    let rows = 1;
    for (const hop of [...Array.from({ length: most + 1 }, (_, i) => i), null]) {
      const next = (n: GraphNode): number => (n.clocks[0]?.next === undefined || n.clocks[0].next === null ? 0 : (nodeOf.get(n.clocks[0].next)?.y ?? 1e9));
      const column = members.filter((n) => n.hop === hop).sort((a, b) => next(a) - next(b) || (a.clocks[0]?.id ?? 0) - (b.clocks[0]?.id ?? 0));
      column.forEach((n, i) => {
        n.x = columnX(hop);
        n.y = y + laneHead + i * (nodeHeight + gapY);
      });
      rows = Math.max(rows, column.length);
    }
    const height = laneHead + rows * (nodeHeight + gapY) - gapY + laneFoot;
    lanes.push({ machine, y, height });
    y += height + 10;
  }
  const columns = Array.from({ length: most + 1 }, (_, hop) => ({ x: columnX(hop), text: hop === 0 ? 'timeline' : counted(hop, 'hop') }));
  if (hasUnplaced) columns.push({ x: columnX(null), text: 'not related' });
  return { lanes, columns, width: columnX(0) + nodeWidth + left, height: y };
}

const between: ReadonlySet<string> = new Set(['rendezvous', 'relayed']);

/** Returns how certain an edge is: its look, as on all pages. */
export function certaintyOfEdge(edge: Edge, isAcross: boolean): Certainty {
  if (edge.kind === 'guessed' || edge.bound === null) return 'guessed';
  if (edge.kind === 'manifest') return edge.bound === 0n ? 'stated' : 'uncertain';
  return isAcross || between.has(edge.kind) ? 'uncertain' : 'certain';
}

/** Returns the bound of an edge in words. */
export function edgeText(edge: Edge): string {
  if (edge.kind === 'guessed') return 'guessed';
  if (edge.bound === null) return 'no bound';
  if (edge.bound > 0n) return `±${spanText(edge.bound)}`;
  return edge.kind === 'manifest' ? 'stated' : 'exact';
}

function linksOf(graph: ClockGraph, nodeOf: ReadonlyMap<number, GraphNode>): GraphLink[] {
  const links = new Map<string, GraphLink>();
  const origin = { x: 0, y: 0 };
  for (const edge of graph.edges) {
    const a = nodeOf.get(edge.from);
    const b = nodeOf.get(edge.to);
    if (!a || !b || a === b) continue;
    const [from, to] = (a.hop ?? 1e9) > (b.hop ?? 1e9) || ((a.hop ?? 1e9) === (b.hop ?? 1e9) && a.y > b.y) ? [a, b] : [b, a];
    const key = `${from.key} ${to.key} ${edge.isUsed}`;
    const link = links.get(key);
    if (link) {
      link.edges.push(edge);
      if ((edge.bound ?? 0n) > (link.edges[0]?.bound ?? 0n)) link.text = edgeText(edge);
    } else {
      links.set(key, { key, from, to, edges: [edge], isUsed: edge.isUsed, certainty: certaintyOfEdge(edge, a.machine !== b.machine), text: edgeText(edge), curve: [origin, origin, origin, origin], label: null });
    }
  }
  return [...links.values()];
}

/** Returns a point of the curve. */
export function pointAt([a, b, c, d]: GraphLink['curve'], t: number): Point {
  const u = 1 - t;
  const mix = (p: number, q: number, r: number, s: number): number => u * u * u * p + 3 * u * u * t * q + 3 * u * t * t * r + t * t * t * s;
  return { x: mix(a.x, b.x, c.x, d.x), y: mix(a.y, b.y, c.y, d.y) };
}

/** Draws the curves: from the right side of the further node to ports at the left side of the nearer one. */
function route(links: readonly GraphLink[]): void {
  const incoming = new Map<GraphNode, GraphLink[]>();
  for (const link of links) if (link.from.x < link.to.x) incoming.set(link.to, [...(incoming.get(link.to) ?? []), link]);
  for (const [node, list] of incoming) {
    list.sort((a, b) => a.from.y - b.from.y || Number(b.isUsed) - Number(a.isUsed));
    list.forEach((link, i) => {
      const start = { x: link.from.x + nodeWidth, y: link.from.y + nodeHeight / 2 };
      const end = { x: node.x, y: node.y + (nodeHeight * (i + 1)) / (list.length + 1) };
      const bend = Math.min(mostGap * 0.6, (end.x - start.x) / 2);
      link.curve = [start, { x: start.x + bend, y: start.y }, { x: end.x - bend, y: end.y }, end];
    });
  }
  for (const link of links) {
    if (link.from.x < link.to.x) continue;
    const [a, b] = [link.from, link.to].map((n) => ({ x: n.x, y: n.y + nodeHeight / 2 }));
    if (a && b) link.curve = [a, { x: a.x - 34, y: a.y }, { x: b.x - 34, y: b.y }, b];
  }
}

/** Returns the width of a label of the graph, px. */
export const labelWidth = (text: string): number => text.length * 6.4 + 12;

interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

const isFree = (box: Box, others: readonly Box[]): boolean => !others.some((o) => box.x < o.x + o.w && o.x < box.x + box.w && box.y < o.y + o.h && o.y < box.y + box.h);

/** Puts the labels on their curves where they cover neither nodes nor each other. */
function label(links: readonly GraphLink[], nodes: readonly GraphNode[]): void {
  const taken: Box[] = nodes.map((n) => ({ x: n.x - 2, y: n.y, w: nodeWidth + 4, h: nodeHeight }));
  for (const link of links) {
    if (!link.isUsed) continue;
    const w = labelWidth(link.text);
    const boxAt = (p: Point): Box => ({ x: p.x - w / 2, y: p.y - 9, w, h: 18 });
    const places = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map((t) => pointAt(link.curve, t));
    link.label = places.find((p) => isFree(boxAt(p), taken)) ?? places[0] ?? null;
    if (link.label) taken.push(boxAt(link.label));
  }
}

/** Returns the graph as it is drawn in `room` px, or wider. Beyond 500 nodes, those of clocks that nothing leads through are left out and counted. */
export function layoutOf(graph: ClockGraph, room = 900): GraphLayout {
  const hops = hopsOf(graph);
  const all = nodesOf(graph, hops);
  const targets = new Set(graph.clocks.map((c) => c.next));
  const isNeeded = (n: GraphNode): boolean => n.hop === 0 || n.clocks.some((c) => targets.has(c.id));
  const nodes = all.length <= mostNodes ? all : [...all].sort((a, b) => Number(isNeeded(b)) - Number(isNeeded(a)) || b.clocks.length - a.clocks.length).slice(0, mostNodes);
  const nodeOf = new Map(nodes.flatMap((n) => n.clocks.map((c) => [c.id, n] as const)));
  const places = place(nodes, nodeOf, room);
  const links = linksOf(graph, nodeOf);
  route(links);
  label(links, nodes);
  return { nodes, links, ...places, hidden: graph.allClocks - nodes.reduce((sum, n) => sum + n.clocks.length, 0) };
}

/** Returns the clocks from one to the timeline, both included. */
export function pathOf(graph: ClockGraph, clock: number | null): Clock[] {
  const byId = new Map(graph.clocks.map((c) => [c.id, c]));
  const path: Clock[] = [];
  for (let at = clock === null ? undefined : byId.get(clock); at && path.length <= graph.clocks.length; at = at.next === null ? undefined : byId.get(at.next)) path.push(at);
  return path;
}

/** Returns the keys of the nodes and links on a path. */
export function litBy(layout: GraphLayout, path: readonly Clock[]): { nodes: Set<string>; links: Set<string> } {
  const nodeOf = new Map(layout.nodes.flatMap((n) => n.clocks.map((c) => [c.id, n] as const)));
  const nodes = new Set(path.map((c) => nodeOf.get(c.id)?.key ?? ''));
  const links = new Set<string>();
  path.slice(1).forEach((to, i) => {
    const from = path[i];
    const [a, b] = [from && nodeOf.get(from.id), nodeOf.get(to.id)];
    for (const link of layout.links) if (link.isUsed && ((link.from === a && link.to === b) || (link.from === b && link.to === a))) links.add(link.key);
  });
  return { nodes, links };
}
