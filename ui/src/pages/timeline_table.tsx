/** The events in view as a table, for those who cannot see the canvas, and for copying. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import * as api from '../api/timeline';
import { exactTime } from '../lib/axis';
import { eventName } from '../lib/event_extras';
import { itemFlags } from '../lib/tile_frame';
import { shown } from '../lib/text';
import { countText, spanText } from '../lib/units';
import { surface, showEvent } from '../state/timeline';
import { eventKind, itemEnd, itemStart } from '../timeline/hit';
import { chunkPlace } from '../timeline/compose';
import { rangeOf, tilesOf } from '../lib/time_window';
import type { TimelineView } from '../timeline/view';
import { Dialog } from '../widgets/parts';
import { titleParts } from './timeline_tree';

export const isTableOpen = signal(false);

/** Rows of the table; what is beyond is counted. */
const limit = 500;

interface Line {
  key: string;
  name: string;
  track: string;
  start: bigint;
  length: string;
  count: number;
  brief: Pick<api.Brief, 'kind' | 'row' | 'node' | 'line'> | null;
}

/** Returns what is drawn in the shown rows, by track and time, and how many there are. */
function linesInView(view: TimelineView): { lines: Line[]; total: number } {
  const composer = surface.value?.composer;
  const lines: Line[] = [];
  let total = 0;
  if (!composer) return { lines, total };
  const tiles = tilesOf(composer.level, rangeOf(view.window.value));
  const { width } = view.size.value;
  for (let p = 0; p < composer.placementCount; p += 1) {
    const at = composer.placements[p];
    if (!at || at.isSticky || at.isPinned) continue;
    for (const layer of at.row.layers) {
      if (layer.mode === 'summary') continue;
      for (const { chunk } of composer.resolve(layer, Number(tiles.first), tiles.count, 0).drawn) {
        const { frame } = chunk;
        if (frame.kind !== 1) continue;
        const place = chunkPlace(view.window.value, width, chunk);
        for (let i = 0; i < frame.n; i += 1) {
          const [left, right] = [place.x + itemStart(frame, i) * place.scale, place.x + itemEnd(frame, i) * place.scale];
          if (right < 0 || left > width) continue;
          total += 1;
          if (lines.length >= limit) continue;
          const flags = frame.itemFlags[i] ?? 0;
          const id = frame.name[i] ?? 0;
          const ns = ((right - left) / width) * view.window.value.span;
          lines.push({
            key: `${layer.node.node}/${frame.row[i]}/${i}`, name: layer.node.kind === 'sched' ? (view.texts.thread(id) ?? '') : eventName(layer.node.kind ?? '', view.texts.text(id) ?? ''), track: titleParts(shown(at.row.node.title)).name,
            start: view.timeAt(Number.isFinite(left) ? left : 0), length: flags & itemFlags.unfinished ? 'did not finish' : flags & itemFlags.instant && !(flags & itemFlags.dense) ? 'instant' : Number.isFinite(ns) ? `about ${spanText(BigInt(Math.round(ns)))}` : 'beyond the view',
            // What began before the tile is not counted there.
            count: Math.max(1, frame.count[i] ?? 1), brief: flags & itemFlags.dense ? null : { kind: eventKind(layer.node.kind ?? ''), row: frame.row[i] ?? 0, node: layer.node.node, line: frame.line[i] ?? 0 },
          });
        }
      }
    }
  }
  return { lines, total };
}

export function TimelineTable({ view }: { view: TimelineView }): JSX.Element | null {
  if (!isTableOpen.value) return null;
  void view.textsVersion.value;
  const { lines, total } = linesInView(view);
  const choose = (line: Line): void => {
    isTableOpen.value = false;
    if (line.brief) void api.event(view.trace, line.brief.kind, line.brief.row).then((event) => showEvent(view, event), () => undefined);
  };
  return (
    <Dialog title="Events in view" onClose={() => (isTableOpen.value = false)} wide testId="table">
      <p class="t2 note">{countText(total)} in the shown rows{total > lines.length ? `, the first ${countText(lines.length)} are listed` : ''}. Zoom in for fewer.</p>
      <div class="scroll table-scroll" tabIndex={0} role="region" aria-label="Events in view">
        <table class="t">
          <thead><tr><th>Event</th><th>Track</th><th class="num">Start</th><th class="num">Length</th><th class="num">Count</th></tr></thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.key}>
                <td>{line.brief ? <button type="button" class="link" onClick={() => choose(line)}>{line.name || 'event'}</button> : `longest: ${line.name}`}</td>
                <td>{line.track}</td><td class="num">{exactTime(line.start, view.format.value, view.origin.value)}</td><td class="num">{line.length}</td><td class="num">{countText(line.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
