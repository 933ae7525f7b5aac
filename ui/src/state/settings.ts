/**
 * Settings of the user: theme, formats, recent inputs, history of queries. The server keeps them; a copy in the browser
 * serves the first paint, and servers without them.
 */
import { computed, signal } from '@preact/signals';
import { loadSettings, saveSettings, type Input } from '../api/traces';
import { axisFormats, type AxisFormat } from '../lib/axis';
import { timeFormats, type TimeFormat } from '../lib/cells';
import type { Certainty } from '../lib/certainty';
import { colourModes, type ColourMode } from '../timeline/view_types';

export interface Recent {
  name: string;
  inputs: Input[];
  files: number;
  machines: number;
  bound: string;
  certainty: Certainty;
  at: number;
}

export interface HistoryEntry {
  sql: string;
  at: number;
}

export interface SavedQuery {
  name: string;
  sql: string;
}

export interface Settings {
  theme: 'system' | 'light' | 'dark';
  contrast: 'normal' | 'more';
  times: TimeFormat;
  /** Of the timeline: format of times, height of a line in px, what colours mean, how it is drawn. */
  axis: AxisFormat;
  lineHeight: number;
  colours: ColourMode;
  /** Hues of events: the usual ones, or fewer that stay apart in each kind of colour blindness. */
  palette: 'usual' | 'blind';
  renderer: 'auto' | 'GL' | 'raster';
  recents: Recent[];
  history: HistoryEntry[];
  saved: SavedQuery[];
}

export const defaults: Settings = { theme: 'system', contrast: 'normal', times: 'raw', axis: 'seconds', lineHeight: 18, colours: 'name', palette: 'usual', renderer: 'auto', recents: [], history: [], saved: [] };

const historyLimit = 1000;
const recentLimit = 20;
const storageKey = 'tracebraid.settings';

const list = <T>(value: unknown, isItem: (item: Record<string, unknown>) => boolean): T[] =>
  Array.isArray(value) ? (value.filter((v) => typeof v === 'object' && v !== null && isItem(v)) as T[]) : [];

const oneOf = <T extends string>(value: unknown, values: readonly T[], other: T): T =>
  values.includes(value as T) ? (value as T) : other;

/** Returns the settings of a document; members that are missing or malformed have their defaults. */
export function parseSettings(document: unknown): Settings {
  const d = (typeof document === 'object' && document !== null ? document : {}) as Record<string, unknown>;
  return {
    theme: oneOf(d['theme'], ['system', 'light', 'dark'] as const, 'system'),
    contrast: oneOf(d['contrast'], ['normal', 'more'] as const, 'normal'),
    times: oneOf(d['times'], timeFormats, 'raw'),
    axis: oneOf(d['axis'], axisFormats, 'seconds'),
    lineHeight: [2, 9, 18, 27].includes(Number(d['lineHeight'])) ? Number(d['lineHeight']) : 18,
    colours: oneOf(d['colours'], colourModes, 'name'),
    palette: oneOf(d['palette'], ['usual', 'blind'] as const, 'usual'),
    renderer: oneOf(d['renderer'], ['auto', 'GL', 'raster'] as const, 'auto'),
    recents: list<Recent>(d['recents'], (r) => typeof r['name'] === 'string' && Array.isArray(r['inputs'])).slice(0, recentLimit),
    history: list<HistoryEntry>(d['history'], (h) => typeof h['sql'] === 'string' && typeof h['at'] === 'number').slice(0, historyLimit),
    saved: list<SavedQuery>(d['saved'], (s) => typeof s['name'] === 'string' && typeof s['sql'] === 'string'),
  };
}

function stored(): Settings {
  try {
    return parseSettings(JSON.parse(localStorage.getItem(storageKey) ?? '{}'));
  } catch {
    return defaults;
  }
}

export const settings = signal<Settings>(stored());

/** The theme in use; `system` follows the browser. */
const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(systemDark.matches);
systemDark.addEventListener('change', (event) => {
  isSystemDark.value = event.matches;
});
export const theme = computed<'light' | 'dark'>(() => {
  const chosen = settings.value.theme;
  if (chosen !== 'system') return chosen;
  return isSystemDark.value ? 'dark' : 'light';
});

let timer = 0;
let isServerKeeping = true;

function save(): void {
  const text = JSON.stringify(settings.value);
  try {
    localStorage.setItem(storageKey, text);
  } catch {
    // Full or forbidden: the server has the settings.
  }
  if (!isServerKeeping) return;
  window.clearTimeout(timer);
  timer = window.setTimeout(() => saveSettings(settings.value).catch(() => undefined), 500);
}

/** Changes settings and saves them within a second. */
export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
  save();
}

/** Takes the settings that the server keeps; without any, or if it keeps none, the browser's stay. */
export async function loadFromServer(features: readonly string[]): Promise<void> {
  isServerKeeping = features.includes('settings');
  if (!isServerKeeping) return;
  try {
    const document = await loadSettings();
    if (Object.keys(document).length > 0) settings.value = parseSettings(document);
  } catch {
    isServerKeeping = false;
  }
}

/** Adds a query at the front of the history, once. */
export function remember(sql: string): void {
  const text = sql.trim();
  if (text === '' || text.length > 65536) return;
  const rest = settings.value.history.filter((entry) => entry.sql !== text);
  change({ history: [{ sql: text, at: Date.now() }, ...rest].slice(0, historyLimit) });
}

/** Adds a trace at the front of the recent ones, once for the same inputs. */
export function rememberTrace(recent: Recent): void {
  const key = (r: Recent): string => JSON.stringify(r.inputs.map((i) => [i.name, i.path ?? '']));
  const rest = settings.value.recents.filter((r) => key(r) !== key(recent));
  change({ recents: [recent, ...rest].slice(0, recentLimit) });
}
