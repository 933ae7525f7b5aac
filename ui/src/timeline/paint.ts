/** Colours in the byte order of pictures, for both renderers, made once a theme change. */
import { contrast, dumpColours, mixed, parseRgb, paletteOf, type Palette, type Rgb } from '../lib/colours';

/** Rows of the colour table: what a shape is filled with. */
export const tones = { fill: 0, edge: 1, soft: 2, async: 3, hatch: 4, rest: 5 } as const;
export const toneCount = 6;

export interface Paint {
  palette: Palette;
  /** Colours by tone and index: `table[tone * 256 + index]`, and the dimmed ones behind them. */
  table: Int32Array;
  canvas: number;
  line: number;
  group: number;
  machine: number;
  selected: number;
  hover: number;
  guessed: number;
  lost: number;
  instant: number;
  /** True if slices have an edge at all sides, else at the left only. */
  isFramed: boolean;
  /** Returns the text of a token. */
  token(name: string): string;
  /** Returns the fill of a colour index as CSS. */
  css(index: number): string;
  /** Returns the colours of a dot of a memory dump by its level: 1 background, 2 light, 3 detailed. */
  dumpColour(level: number): { fill: string; text: string };
}

/**
 * Returns a colour as a pixel of a picture: bytes R, G, B, A of a signed number. Signed, because opaque pixels are small
 * integers then, which are passed to functions without an object on the heap.
 */
export const pixelOf = (rgb: Rgb): number => 0xff000000 | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16);

/** Returns the paler tone of a slice without CPU time: as near to the canvas as its label, which stands on both tones, allows. */
function restColour(fill: Rgb, canvas: Rgb, label: Rgb): Rgb {
  const pale = [0.5, 0.4, 0.3].map((share) => mixed(fill, canvas, share)).find((colour) => contrast(colour, label) >= 4.5);
  return pale ?? mixed(fill, canvas, 0.2);
}

/** Makes the colours from the tokens of an element's theme. */
export function paintOf(token: (name: string) => string, isDark: boolean, isForColourBlindness = false): Paint {
  const palette = paletteOf(token, isForColourBlindness);
  const canvas = parseRgb(token('bg-canvas'));
  const table = new Int32Array(2 * toneCount * 256);
  const put = (tone: number, index: number, colour: Rgb): void => {
    table[tone * 256 + index] = pixelOf(colour);
    table[(toneCount + tone) * 256 + index] = pixelOf(mixed(colour, canvas, 0.6));
  };
  for (let i = 0; i < 256; i += 1) {
    const [fill, edge] = [palette.fill[i] ?? 0, palette.edge[i] ?? 0];
    put(tones.fill, i, fill);
    put(tones.edge, i, edge);
    put(tones.soft, i, mixed(canvas, fill, 0.3));
    put(tones.async, i, mixed(canvas, fill, 0.34));
    put(tones.hatch, i, mixed(canvas, fill, 0.22));
    put(tones.rest, i, restColour(fill, canvas, palette.label[i] ?? 0));
  }
  const hex = (rgb: Rgb): string => `#${rgb.toString(16).padStart(6, '0')}`;
  const css = (index: number): string => hex(palette.fill[index] ?? 0);
  const of = (name: string): number => pixelOf(parseRgb(token(name)));
  return {
    palette, table, canvas: pixelOf(canvas), line: of('line-1'), group: of('bg-row-group'), machine: of('bg-row-machine'), selected: pixelOf(mixed(canvas, parseRgb(token('bg-selected')), 0.55)),
    hover: pixelOf(mixed(canvas, parseRgb(token('bg-hover')), 0.5)), guessed: pixelOf(mixed(canvas, parseRgb(token('guessed')), 0.32)), lost: of('lost'),
    // On a light canvas the notches of many narrow items would be a black bar.
    instant: isDark ? of('text-1') : pixelOf(mixed(canvas, parseRgb(token('text-1')), 0.62)),
    isFramed: !isDark, token, css,
    dumpColour: (level) => {
      const index = dumpColours + Math.min(2, Math.max(0, level - 1));
      return { fill: css(index), text: hex(palette.label[index] ?? 0) };
    },
  };
}
