/** Colours of events: the hash of the trace event format, reserved names, contrast in both themes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contrast, durationColour, durationColours, machineColours, mixed, noColour, paletteIndex, paletteOf, paletteSize, parseRgb, reservedIndex, reservedNames, seriesColours } from '../../src/lib/colours';

test('the hash of a name gives the index that the format says', () => {
  expect(['a', 'b', 'foo', 'main', 'ctr.value', 'ctr.cats'].map(paletteIndex)).toEqual([9, 20, 11, 3, 16, 10]);
});

test('reserved names follow the palette in the order of the table', () => {
  expect(reservedNames.length).toBe(34);
  expect([reservedIndex('thread_state_uninterruptible'), reservedIndex('thread_state_iowait'), reservedIndex('terrible'), reservedIndex('cq_build_attempt_failed')]).toEqual([23, 24, 36, 56]);
  expect(reservedIndex('cq_build_attempt_running')).toBe(reservedIndex('cq_build_attempt_runnig'));
  expect(reservedIndex('neon')).toBeNull();
  expect(paletteSize + reservedNames.length).toBeLessThanOrEqual(durationColours);
});

/** Reads the tokens of a theme from the style sheet. */
function tokens(theme: 'light' | 'dark'): (name: string) => string {
  const text = readFileSync(join(import.meta.dirname, '../../src/styles/tokens.css'), 'utf8');
  const part = text.slice(text.indexOf(`data-theme="${theme}"`));
  return (name) => new RegExp(`--${name}: ([^;]+);`).exec(part)?.[1] ?? '';
}

test('each colour of both themes has a label that can be read, and is seen on the canvas', () => {
  for (const theme of ['light', 'dark'] as const) {
    const token = tokens(theme);
    const palette = paletteOf(token);
    const canvas = parseRgb(token('bg-canvas'));
    for (let i = 0; i < paletteSize + reservedNames.length; i += 1) {
      expect(contrast(palette.fill[i] ?? 0, palette.label[i] ?? 0), `${theme} label ${i}`).toBeGreaterThanOrEqual(4);
      if (reservedNames[i - paletteSize] !== 'thread_state_sleeping') expect(Math.max(contrast(palette.edge[i] ?? 0, canvas), contrast(palette.fill[i] ?? 0, canvas)), `${theme} edge ${i}`).toBeGreaterThanOrEqual(1.2);
    }
    for (const [first, count] of [[seriesColours, 6], [machineColours, 8]] as const) for (let i = first; i < first + count; i += 1) expect(palette.fill[i]).not.toBe(palette.fill[noColour]);
  }
});

test('tokens may be short, and other notations give grey', () => {
  expect([parseRgb('#ffffff'), parseRgb('#fff'), parseRgb(' #1a2b3c80'), parseRgb('red')]).toEqual([0xffffff, 0xffffff, 0x1a2b3c, 0x808080]);
  expect(mixed(0x000000, 0xffffff, 0.5)).toBe(0x808080);
});

test('durations have a colour each factor of ten', () => {
  expect([0, 999, 1000, 10_000, 1e6, 1e9, 1e12].map((ns) => durationColour(ns) - durationColours)).toEqual([0, 0, 1, 2, 4, 7, 7]);
});

test('the palette for colour blindness has hues of machines only, and labels that can be read', () => {
  const tokens: Record<string, string> = { 'bg-canvas': '#0c0e12', 'slice-text': '#ffffff' };
  for (let i = 1; i <= 8; i += 1) tokens[`machine-${i}`] = `#${(0x203040 * i).toString(16).padStart(6, '0').slice(0, 6)}`;
  for (let i = 0; i < paletteSize; i += 1) tokens[`slice-${i}`] = '#123456';
  const palette = paletteOf((name) => tokens[name] ?? '#808080', true);
  for (let i = 0; i < paletteSize; i += 1) {
    expect(palette.edge[i]).toBe(parseRgb(tokens[`machine-${(i % 8) + 1}`] ?? ''));
    expect(contrast(palette.fill[i] ?? 0, palette.label[i] ?? 0)).toBeGreaterThanOrEqual(4);
  }
  expect(new Set(palette.fill.subarray(0, paletteSize)).size).toBe(paletteSize);
});
