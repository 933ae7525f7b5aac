/** The legend: each look of the timeline, drawn by its own renderer, with its meaning. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { reservedIndex, seriesColours } from '../lib/colours';
import { itemFlags, openEnd } from '../lib/tile_frame';
import { theme } from '../state/settings';
import { surface } from '../state/timeline';
import { shapes } from '../timeline/prepare';
import { rasterRenderer } from '../timeline/raster';
import { plainKinds, Scene } from '../timeline/scene';
import { Bound, Dialog } from '../widgets/parts';

interface Look {
  words: string;
  /** Start and end in px of 64, top and bottom lines, colour, flags, ratio, shape. */
  items: readonly (readonly [number, number, number, number, number, number, number])[];
  isHatched?: boolean;
}

const state = (name: string): number => reservedIndex(`thread_state_${name}`) ?? 22;
const solid = (colour: number, flags = 0): Look['items'] => [[4, 60, 0, 1, colour, flags, shapes.slice]];

const looks: readonly Look[] = [
  { words: 'One event, exactly where it was', items: solid(14) },
  { words: 'The paler part of a slice: its thread had no CPU for so much of the time', items: [[4, 60, 0, 1, 14, 0, shapes.slice], [30, 60, 0, 1, 14, 0, shapes.rest]] },
  { words: 'Several events, too close to draw: the more of the time they fill, the denser the hatch', items: [[4, 32, 0, 1, 7, itemFlags.dense + 256 * 60, shapes.dense], [32, 60, 0, 1, 7, itemFlags.dense + 256 * 230, shapes.dense]] },
  { words: 'An instant; a notch at the top of a hatch: an instant is among them', items: [[10, 10, 0, 1, 3, itemFlags.instant, shapes.mark], [24, 60, 0, 1, 3, itemFlags.dense + itemFlags.instant + 256 * 120, shapes.dense]] },
  { words: 'Did not finish: it fades to where it is drawn', items: solid(5, itemFlags.unfinished) },
  { words: 'Its end is cut, because the next event begins before it', items: solid(10, itemFlags.cut) },
  { words: 'Asynchronous, in lanes of its group', items: [[4, 60, 0, 1, 12, 0, shapes.async]] },
  { words: 'A counter: its value as a line; a thick column is a range of values', items: [[4, 30, 0, 1, seriesColours, 0, shapes.area], [30, 60, 0, 1, seriesColours, 0, shapes.line]] },
  { words: 'Running, runnable, waiting for I/O, uninterruptible, asleep', items: ['running', 'runnable', 'iowait', 'uninterruptible', 'sleeping'].map((s, i) => [4 + i * 11.2, 4 + (i + 1) * 11.2, 0, 1, state(s), 0, shapes.strip] as const) },
  { words: 'A pale state did not finish: it is drawn to the end of the recording', items: [[4, 30, 0, 1, state('running'), 0, shapes.strip], [30, 60, 0, 1, state('running'), itemFlags.unfinished, shapes.strip]] },
  { words: 'A file placed by a guess: no bound is known', items: [], isHatched: true },
];

function Swatch({ look }: { look: Look }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const paint = surface.value?.paint;
    if (!element || !paint) return;
    const scene = new Scene();
    scene.begin(64, 18, 1);
    if (look.isHatched) scene.addPlain(0, 0, 64, 18, paint.guessed, plainKinds.hatched);
    const words = new Uint32Array(look.items.length * 4);
    look.items.forEach(([start, end, top, bottom, colour, flags, shape], i) => {
      words.set([start * 256, end === openEnd ? openEnd : end * 256, top | (bottom << 16), (colour | (flags << 8) | (shape << 24)) >>> 0], i * 4);
    });
    Object.assign(scene.addBlock(), { items: { words, n: look.items.length, isLines: true }, x: 0, scale: 1 / 256, clipLeft: 0, clipRight: 64, y: 1, unit: 17, clipTop: 0, clipBottom: 18, isDimmed: false });
    rasterRenderer(element).draw(scene, paint);
  }, [look, theme.value]);
  return <canvas ref={canvas} width={64} height={18} class="swatch" aria-hidden="true" />;
}

export function LegendDialog({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog title="What the looks mean" onClose={onClose} testId="legend">
      <dl class="legend">
        {looks.map((look) => (
          <div key={look.words}><dt><Swatch look={look} /></dt><dd>{look.words}</dd></div>
        ))}
        <div><dt><Bound certainty="certain" text="exact" /></dt><dd>No conversion of clocks adds an error</dd></div>
        <div><dt><Bound certainty="uncertain" text="±10 ms" /></dt><dd>The true time differs by at most this; a dashed band on the selected event</dd></div>
        <div><dt><Bound certainty="guessed" text="no bound" /></dt><dd>A guess: nothing measured limits the error</dd></div>
      </dl>
      <p class="t2 note">Colours come from the name of an event, or from what its writer reserved. Arrows are flows; a red one arrives before it leaves.</p>
    </Dialog>
  );
}
