type Head = { id?: number; track?: number; generation?: number; level?: number; flags?: number; lines?: number; first?: bigint | number; tiles?: number };
type Item = Record<string, number>;
export function encodeFrame(head: Head & { kind: number; n: number }, columns: ArrayBufferView[]): Buffer;
export function sliceFrame(head: Head, items: Item[]): Buffer;
export function counterFrame(head: Head, domain: { before: number; low: number; high: number }, items: Item[]): Buffer;
export function markFrame(head: Head, items: Item[], kind?: number): Buffer;
export function stackedFrame(head: Head, names: number[], before: number[], items: { bucket: number; low: number; high: number; last: number[] }[]): Buffer;
export function flowFrame(head: Head, total: number, items: { outTrack: number; inTrack: number; outLine: number; inLine: number; outTs: bigint; inTs: bigint; row: number; count: number; flags: number }[]): Buffer;
export function summaryFrame(head: Head, names: number[], items: { bucket: number; share: number[] }[]): Buffer;
export interface MockEvent { ts: bigint; end: bigint; row: number; name: number; line: number; colour: number; unfinished?: boolean }
export function sliceItems(events: MockEvent[], level: number, first: number, tiles: number): Item[];
