/** A view as one HTML file without scripts: picture, selected event, marks, placement, files. */
import { exactTime } from '../lib/axis';
import { below, boundText, clockLabel, commonFolder, placedBy } from '../lib/report';
import { groupsOf } from '../lib/report_groups';
import { big, type Report } from '../lib/report_types';
import { shown } from '../lib/text';
import { bytesText, countText, spanText } from '../lib/units';
import type { SavedState } from '../state/saved_state';
import type { Surface } from '../timeline/surface';
import type { TimelineView } from '../timeline/view';

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns a text of a trace as text of HTML. */
export const escaped = (text: string): string => shown(text).replace(/[&<>"']/g, (c) => marks[c] ?? c);

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string): string => `<tr>${row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${cells(heads, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('\n')}</tbody></table>`;
}

/** Draws the tracks with their names beside them. */
function pictureOf(view: TimelineView, surface: Surface): string {
  const tracks = surface.picture();
  const ratio = tracks.width / Math.max(1, view.size.value.width);
  const names = view.namesWidth.value;
  const canvas = document.createElement('canvas');
  canvas.width = tracks.width + Math.round(names * ratio);
  canvas.height = tracks.height;
  const g = canvas.getContext('2d');
  if (!g) return '';
  g.scale(ratio, ratio);
  g.fillStyle = surface.paint.token('bg-canvas');
  g.fillRect(0, 0, canvas.width / ratio, canvas.height / ratio);
  g.drawImage(tracks, names, 0, view.size.value.width, view.size.value.height);
  g.font = `11.5px ${surface.paint.token('font-ui')}`;
  g.textBaseline = 'middle';
  g.fillStyle = surface.paint.token('text-1');
  const draw = (rows: readonly { top: number; height: number; depth: number; node: { title: string } }[], from: number, to: number, scroll: number): void => {
    g.save();
    g.beginPath();
    g.rect(0, from, names - 8, to - from);
    g.clip();
    for (const row of rows) {
      const y = from + row.top - scroll;
      if (y + row.height >= from && y <= to) g.fillText(shown(row.node.title), 8 + 12 * row.depth, y + Math.min(row.height, 20) / 2);
    }
    g.restore();
  };
  const pinned = view.pinHeight.value;
  draw(view.pinnedRows.value, 0, pinned, view.pinScroll.value);
  draw(view.rows.value, pinned, view.size.value.height, view.scroll.value);
  return canvas.toDataURL('image/png');
}

const style = 'body{font:14px/1.5 system-ui,sans-serif;margin:24px auto;max-width:1200px;padding:0 16px;color:#1c2024;background:#fff}img{max-width:100%;border:1px solid #d0d4da}'
  + 'table{border-collapse:collapse;width:100%;margin:8px 0 24px}th,td{text-align:left;padding:4px 10px;border-bottom:1px solid #e2e5ea;vertical-align:top}h1{font-size:20px}h2{font-size:15px;margin:24px 0 4px}';

function placementOf(report: Report): string {
  const folder = commonFolder(report.placements.map((p) => p.file));
  return table(['File', 'Machine', 'Clock', 'Placed by', 'Within', 'Events', 'Lost'], groupsOf(report).map((g) => [
    `${below(g.sum.file, folder)}${g.files.length > 1 ? ` and ${g.files.length - 1} more` : ''}`, g.sum.machine, clockLabel(g), placedBy(g.sum), boundText(g.sum), countText(big(g.sum.placed)), countText(g.lost),
  ]));
}

/** Returns the report of a view. */
export function reportOf(title: string, view: TimelineView, surface: Surface, state: SavedState, report: Report | null): string {
  const time = (ts: bigint): string => exactTime(ts, view.format.value, view.origin.value);
  const from = BigInt(state.view.from);
  const event = view.selection.value;
  const section = (name: string, content: string): string => (content === '' ? '' : `<h2>${name}</h2>\n${content}\n`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<style>${style}</style></head><body>
<h1>${escaped(title)}</h1>
<p>${escaped(`${time(from)}, ${spanText(BigInt(Math.max(1, Math.round(state.view.span))))} shown`)}</p>
<img alt="The shown tracks" src="${pictureOf(view, surface)}">
${section('Selected event', event ? table(['Name', 'Start', 'Duration', 'Process', 'Thread', 'Machine'], [[event.name, time(BigInt(event.ts)), event.instant ? 'instant' : spanText(BigInt(event.dur)), event.process ?? '', event.thread ?? '', event.machine ?? '']]) : '')}\
${section('Marks', state.notes.length > 0 ? table(['Mark', 'Time'], state.notes.map((n) => [n.digit > 0 ? String(n.digit) : '', time(BigInt(n.ts))])) : '')}\
${section('Placement', report ? placementOf(report) : '')}\
${section('Files', state.inputs.length > 0 ? table(['File', 'Size', 'Digest'], state.inputs.map((i) => [i.name, bytesText(i.size), i.digest])) : '')}\
</body></html>
`;
}
