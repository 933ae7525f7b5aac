/** What the pointer is at: name, duration, track, start with its bound, first args. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as api from '../api/timeline';
import { exactTime, lengthText } from '../lib/axis';
import { eventName } from '../lib/event_extras';
import { shortened, shown } from '../lib/text';
import { counted, spanText } from '../lib/units';
import { paletteIndex } from '../lib/colours';
import { surface } from '../state/timeline';
import { counterText, spotWords, valueText } from '../timeline/overlay';
import type { TimelineView } from '../timeline/view';
import type { Spot } from '../timeline/view_types';
import { boundLook, titleParts } from './timeline_tree';

function lengthOf(view: TimelineView, spot: Spot, hit: api.Brief | null): string {
  if (hit && hit.row === spot.eventRow && spot.count === 1) return hit.unfinished ? 'did not finish' : hit.instant ? 'instant' : hit.kind === 'counter' || hit.kind === 'log' ? '' : lengthText(BigInt(hit.dur), view.format.value);
  const ns = ((spot.right - spot.left) / Math.max(1, view.size.value.width)) * view.window.value.span;
  return Number.isFinite(ns) && spot.value === null ? `about ${spanText(BigInt(Math.round(ns)))}` : '';
}

/** Returns the colour of a series of a stacked counter. */
const seriesCss = (counter: string, series: string): string => surface.value?.paint.css(paletteIndex(`${counter}.${series}`)) ?? 'transparent';

export function TimelineTip({ view }: { view: TimelineView }): JSX.Element | null {
  const spot = view.hover.value;
  const [answer, setAnswer] = useState<api.PointAnswer | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    setAnswer(null);
    if (!spot || spot.eventRow < 0 || spot.count > 1) return undefined;
    const abort = new AbortController();
    const radius = BigInt(Math.ceil((4 / Math.max(1, view.size.value.width)) * view.window.value.span));
    api.hit(view.trace, spot.node.node, spot.line, spot.ts, radius, abort.signal).then(setAnswer, () => undefined);
    return () => abort.abort();
  }, [spot]);
  if (!spot) return null;
  const { width, height } = view.size.value;
  const hit = answer?.hit?.row === spot.eventRow ? answer.hit : null;
  const look = boundLook(spot.node.bound);
  const onLeft = spot.x > width - 340;
  const above = spot.y > height - 160;
  const style = { [onLeft ? 'right' : 'left']: `${onLeft ? width - spot.x + 14 : spot.x + 14}px`, [above ? 'bottom' : 'top']: `${above ? height - spot.y + 12 : spot.y + 14}px` };
  if (spot.kind === 'sync')
    return (
      <div class="float tip" style={style} ref={box} role="tooltip" data-testid="tip">
        <div class="tip-h"><b class="cut">{shortened(spot.name, 80)}</b></div>
        <div class="t2 mono">{exactTime(spot.ts, view.format.value, view.origin.value)}</div>
      </div>
    );
  const name = spot.series ? spot.node.title : eventName(spot.kind, spot.name || (hit?.name ?? '')) || (spot.value === null ? spot.kind : spot.node.title);
  const length = lengthOf(view, spot, hit);
  const isValue = [...spot.row.layers, spot.row.behind].some((l) => l?.node.node === spot.node.node && l.mode === 'value');
  const range = spot.min !== null && spot.max !== null && spot.min !== spot.max;
  return (
    <div class="float tip" style={style} ref={box} role="tooltip" data-testid="tip">
      <div class="tip-h"><b class="cut">{spot.count > 1 && spot.value === null ? `${counted(spot.count, 'event')}, longest ${shortened(name, 60)}` : shortened(name, 80)}</b>
        {spot.value !== null && <span class="mono strong">{Number.isNaN(spot.value) ? 'no value yet' : isValue ? counterText(spot.node, spot.value) : valueText(spot.value, spot.node.unit)}</span>}
        <span class="mono">{length}</span></div>
      {spot.series?.map((s) => (
        <div key={s.nameId} class="tip-s"><i class="sw" style={{ background: seriesCss(spot.node.title, view.texts.text(s.nameId) ?? '') }} /><span class={s.nameId === spot.nameId ? 'cut strong' : 'cut'}>{shortened(view.texts.text(s.nameId) ?? '', 40)}</span>
          <span class="mono">{Number.isNaN(s.value) ? '' : valueText(s.value, null)}</span></div>
      ))}
      {range && <div class="t2">{spot.series ? 'totals here, ' : `${counted(spot.count, 'value')} here, `}<span class="mono">{valueText(spot.min ?? 0, null)} to {valueText(spot.max ?? 0, null)}</span></div>}
      <div class="t2 cut">{titleParts(shown(spot.row.node.title)).name}{spot.row.parent ? <span class="t3"> in {titleParts(shown(spot.row.parent.node.title)).name}</span> : null}</div>
      {hit && <div class="t2"><span class="mono">{exactTime(BigInt(hit.ts), view.format.value, view.origin.value)}</span> <span class="t3">{look.certainty === 'uncertain' ? `at most ${look.text}` : look.text}</span>{hit.self !== null && hit.self !== hit.dur && !hit.instant && <span> self <span class="mono">{lengthText(BigInt(hit.self), view.format.value)}</span></span>}</div>}
      {spotWords(spot.flags).length > 0 && <div class="t3">{spotWords(spot.flags).join(', ')}</div>}
      {hit && (answer?.args ?? []).slice(0, 8).map((a) => <div key={a.key} class="t3 cut"><span class="t2">{shortened(a.key.replace(/^(args|debug)\./, ''), 40)}</span> {shortened(String(a.value), 60)}</div>)}
      {hit && (answer?.args_total ?? 0) > 8 && <div class="t3">and {counted((answer?.args_total ?? 0) - 8, 'more arg', 'more args')}</div>}
    </div>
  );
}
