/** Colours of items that the server does not choose: of series, of names in summaries, and of whole tracks. */
import { machineColours, paletteIndex, seriesColours } from '../lib/colours';
import type { Layer } from './rows';
import type { TimelineView } from './view';

/** Colours of thread states in summaries. */
const stateColours: Readonly<Record<string, number>> = { Running: 25, R: 26, 'R+': 26, S: 27, D: 23, DK: 23, I: 27 };

/** Returns a hue of series by the track, so that neighbours differ. */
const hueOf = (layer: Layer): number => paletteIndex(layer.node.title) % 6;

/** Returns the colour of a series: that of its counter's and its own name. */
export function seriesColour(view: TimelineView, layer: Layer, s: number, id: number): number {
  const name = id === 0 ? null : view.texts.text(id);
  return name === null ? seriesColours + ((s + hueOf(layer)) % 6) : paletteIndex(`${layer.node.title}.${name}`);
}

export function nameColour(view: TimelineView, layer: Layer, id: number): number | null {
  if (id === 0) return layer.node.machine_id === null ? 22 : machineColours + machineHue(view, layer);
  const text = view.texts.text(id);
  if (text === null) return null;
  return stateColours[text] ?? paletteIndex(text);
}

function machineHue(view: TimelineView, layer: Layer): number {
  const row = view.rowsByKey.value.get(layer.node.key);
  return Math.max(0, row?.machine ?? 0) % 8;
}

/** Returns the one colour of a track's items, if it is not that of their names. */
export function fixedColour(view: TimelineView, layer: Layer): number | null {
  const { colourMode, tree } = view;
  const { node } = layer;
  if (node.kind === 'thread_state' || colourMode.value === 'name' || colourMode.value === 'category' || colourMode.value === 'duration') return null;
  if (colourMode.value === 'machine') return machineColours + machineHue(view, layer);
  const wanted = colourMode.value === 'file' ? 'file' : 'process';
  const owner = tree.ancestors(node).find((n) => n.type === wanted);
  return paletteIndex(owner?.title ?? String(node.trace_id ?? ''));
}
