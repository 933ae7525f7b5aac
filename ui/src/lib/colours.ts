/** Colours of events (docs/spec/trace-event-format.md 9.1): a hash of the name, or a reserved name. */

/** Colours of the general palette; indices from here on are reserved names. */
export const paletteSize = 23;

/** Index of an item without a colour of its own. */
export const noColour = 255;

/** Reserved names in the order of the table, with their colours as 0xRRGGBB. */
const reserved: readonly (readonly [string, number])[] = [
  ['thread_state_uninterruptible', 0xb67d8f], ['thread_state_iowait', 0xff8c00], ['thread_state_running', 0x7ec894], ['thread_state_runnable', 0x85a0d2],
  ['thread_state_sleeping', 0xf0f0f0], ['thread_state_unknown', 0xc79b7d], ['background_memory_dump', 0x00b4b4], ['light_memory_dump', 0x0000b4],
  ['detailed_memory_dump', 0xb400b4], ['vsync_highlight_color', 0x0000ff], ['generic_work', 0x7d7d7d], ['good', 0x007d00], ['bad', 0xb47d00],
  ['terrible', 0xb40000], ['black', 0x000000], ['grey', 0xdddddd], ['white', 0xffffff], ['yellow', 0xffff00], ['olive', 0x646400], ['startup', 0xe6e600],
  ['rail_response', 0x4387fd], ['rail_animation', 0xf44a3f], ['rail_idle', 0xee8e00], ['rail_load', 0x0da861], ['heap_dump_stack_frame', 0x808080],
  ['heap_dump_object_type', 0x0000ff], ['heap_dump_child_node_arrow', 0xcc6600], ['cq_build_running', 0xffff77], ['cq_build_passed', 0x99ee66],
  ['cq_build_failed', 0xee8888], ['cq_build_abandoned', 0xbbbbbb], ['cq_build_attempt_runnig', 0xdede4b], ['cq_build_attempt_passed', 0x67da23],
  ['cq_build_attempt_failed', 0xc55151],
];

export const reservedNames: readonly string[] = reserved.map(([name]) => name);

/** Returns the index of a name in the general palette. */
export function paletteIndex(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i += 1) hash = (hash + 37 * hash + 11 * name.charCodeAt(i)) % 0xffffffff;
  return hash % paletteSize;
}

/** Returns the index of a reserved name (`cname`), or null. */
export function reservedIndex(name: string): number | null {
  const at = reservedNames.indexOf(name === 'cq_build_attempt_running' ? 'cq_build_attempt_runnig' : name);
  return at < 0 ? null : paletteSize + at;
}

/** What sleeps, and CPUs that are idle: pale whatever the other colours mean. */
export const idleColour = reservedIndex('thread_state_sleeping') ?? noColour;

/** Levels of memory dumps: background, light, detailed. */
export const dumpColours = reservedIndex('background_memory_dump') ?? noColour;

/** Indices behind the reserved names: steps of durations, series of counters, machines, the accent. */
export const durationColours = 64;
export const seriesColours = 72;
export const machineColours = 78;
export const accentColour = 86;

/** Returns the colour of a duration: a step each factor of 10, from below 1 µs to 1 s and more. */
export const durationColour = (ns: number): number => durationColours + Math.min(7, Math.max(0, Math.floor(Math.log10(Math.max(ns, 1))) - 2));

/** Hues of the general palette that stand for durations, from short to long. */
const durationHues = [22, 14, 1, 17, 12, 15, 18, 0];

/** The token that replaces the fixed colour of a thread state, so that it fits the theme. */
const stateTokens: Readonly<Record<string, string>> = {
  thread_state_uninterruptible: 'state-uninterruptible', thread_state_iowait: 'state-iowait', thread_state_running: 'state-running',
  thread_state_runnable: 'state-runnable', thread_state_sleeping: 'state-sleeping', thread_state_unknown: 'state-unknown',
};

/** A colour as 0xRRGGBB. */
export type Rgb = number;

/** Returns the colour of a token such as `#9a575a` or `#fff`; other notations give grey. */
export function parseRgb(text: string): Rgb {
  const long = /^#([0-9a-f]{6})(?:[0-9a-f]{2})?$/i.exec(text.trim())?.[1];
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])[0-9a-f]?$/i.exec(text.trim());
  if (long !== undefined) return Number.parseInt(long, 16);
  return short ? Number.parseInt(`${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`, 16) : 0x808080;
}

/** Returns a colour between two: `share` 0 is `a`, 1 is `b`. */
export function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  const part = (shift: number): number => Math.round(((a >> shift) & 255) + (((b >> shift) & 255) - ((a >> shift) & 255)) * share);
  return (part(16) << 16) | (part(8) << 8) | part(0);
}

/** Returns the relative luminance of a colour, 0 to 1. */
export function luminance(colour: Rgb): number {
  const part = (value: number): number => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * part((colour >> 16) & 255) + 0.7152 * part((colour >> 8) & 255) + 0.0722 * part(colour & 255);
}

/** Returns the contrast of two colours, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** The colours of a theme by index, for items and their edges and labels. */
export interface Palette {
  fill: Uint32Array;
  edge: Uint32Array;
  /** 1 where the label is that of `dark` text. */
  label: Uint32Array;
}

/** Parts of the canvas in the hues of machines, which stay apart in each kind of colour blindness: three of each hue. */
const blindSteps = [0, 0.28, 0.5];

/** Makes the palette from the tokens of the page. The same hue serves an item that has no colour of its own. */
export function paletteOf(token: (name: string) => string, isForColourBlindness = false): Palette {
  const fill = new Uint32Array(256);
  const edge = new Uint32Array(256);
  const label = new Uint32Array(256);
  const canvas = parseRgb(token('bg-canvas'));
  const text = parseRgb(token('slice-text'));
  const other = luminance(text) > 0.5 ? 0x12161c : 0xffffff;
  const set = (index: number, colour: Rgb, border: Rgb): void => {
    fill[index] = colour;
    edge[index] = border;
    label[index] = contrast(colour, text) >= contrast(colour, other) ? text : other;
  };
  for (let i = 0; i < paletteSize; i += 1) {
    const hue = parseRgb(token(`machine-${(i % 8) + 1}`));
    if (isForColourBlindness) set(i, mixed(hue, canvas, blindSteps[i >> 3] ?? 0), hue);
    else set(i, parseRgb(token(`slice-${i}`)), parseRgb(token(`slice-${i}-edge`)));
  }
  reserved.forEach(([name, rgb], i) => {
    const state = stateTokens[name];
    const colour = state === undefined ? rgb : parseRgb(token(state));
    const border = contrast(colour, canvas) >= 3 ? colour : mixed(colour, luminance(canvas) > 0.5 ? 0x000000 : 0xffffff, 0.35);
    set(paletteSize + i, colour, state === undefined ? border : colour);
  });
  for (let i = paletteSize + reserved.length; i < 256; i += 1) set(i, parseRgb(token('slice-22')), parseRgb(token('slice-22-edge')));
  durationHues.forEach((hue, i) => set(durationColours + i, parseRgb(token(`slice-${hue}`)), parseRgb(token(`slice-${hue}-edge`))));
  const plain = (index: number, name: string): void => set(index, parseRgb(token(name)), parseRgb(token(name)));
  for (let i = 0; i < 6; i += 1) plain(seriesColours + i, `series-${i + 1}`);
  for (let i = 0; i < 8; i += 1) plain(machineColours + i, `machine-${i + 1}`);
  plain(accentColour, 'accent');
  return { fill, edge, label };
}
