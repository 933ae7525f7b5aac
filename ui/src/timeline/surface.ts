/** The canvases of the timeline: draws when something changed, at most once a frame, and counts what it cost. */
import { effect } from '@preact/signals';
import { TickLine, type Tick } from '../lib/axis';
import type { TimeWindow } from '../lib/time_window';
import { axisLines, ticksFor } from './axis_canvas';
import { Composer } from './compose';
import { Places, wantFlows } from './flows';
import { GlobalMarks } from './global_marks';
import { glRenderer, hasHardware } from './gl';
import { placementAt, spotAt } from './hit';
import { Fitting } from './labels';
import { drawOverlay } from './overlay';
import { paintOf, type Paint } from './paint';
import { rasterRenderer, type Renderer } from './raster';
import { Scene } from './scene';
import { syncSpot } from './trace_marks';
import type { TimelineView } from './view';
import type { Spot } from './view_types';

export type RendererChoice = 'auto' | 'GL' | 'raster';

/** What the colours are made of. */
export interface Look {
  isDark: boolean;
  isForColourBlindness: boolean;
}

/** What tests and benchmarks read. */
export interface Counters {
  frames: number;
  drawCalls: number;
  maxDrawCalls: number;
  uploaded: number;
  items: number;
  blocks: number;
  flows: number;
  /** Script time of the last frame, in ms. */
  time: number;
  renderer: string;
}

/** The longest wait of a frame for its tiles after a jump, in ms: still at once for the eye. */
const longestHold = 100;
/** That of the first frame. */
const longestFirstHold = 300;

/** Kept while the tab is open: the probe takes the time of a frame. */
const softwareKey = 'tracebraid.software';

/** Returns true if the browser draws in hardware; asks once a tab that it does not. */
function probe(): boolean {
  try {
    if (sessionStorage.getItem(softwareKey) === '1') return false;
    const isFound = hasHardware();
    if (!isFound) sessionStorage.setItem(softwareKey, '1');
    return isFound;
  } catch {
    return hasHardware(); // storage is switched off
  }
}

let isHardware: boolean | null = null;

/** Returns the text of a token of the page's theme; each is read once. */
function tokenReader(): (name: string) => string {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return (name) => {
    let text = known.get(name);
    if (text === undefined) {
      text = style.getPropertyValue(`--${name}`).trim();
      known.set(name, text);
    }
    return text;
  };
}

export class Surface {
  readonly composer: Composer;
  readonly places: Places;
  readonly marks: GlobalMarks;
  readonly counters: Counters = { frames: 0, drawCalls: 0, maxDrawCalls: 0, uploaded: 0, items: 0, blocks: 0, flows: 0, time: 0, renderer: '' };
  ticks: Tick[] = [];
  private readonly tickLine = new TickLine();
  paint: Paint;
  private readonly scene = new Scene();
  private renderer: Renderer;
  private readonly top: CanvasRenderingContext2D;
  private fitting: Fitting;
  private request = 0;
  private settleTimer = 0;
  private holdTimer = 0;
  private readonly stop: () => void;
  private isClosed = false;
  private isAsking = false;
  /** The window of the last frame. */
  private drawn: TimeWindow | null = null;
  private data: HTMLCanvasElement;

  /**
   * The canvas of the data is put before `overlay`. `after` is called behind each drawn frame, for what follows it: axis,
   * minimap.
   */
  constructor(
    private readonly view: TimelineView,
    private readonly overlay: HTMLCanvasElement,
    choice: RendererChoice,
    look: Look,
    private readonly after: (surface: Surface) => void,
  ) {
    this.data = this.makeCanvas();
    this.composer = new Composer(view, view.store);
    this.places = new Places(view);
    this.marks = new GlobalMarks(view);
    const context = overlay.getContext('2d');
    if (!context) throw new Error('This browser has no 2D canvas.');
    this.top = context;
    this.paint = paintOf(tokenReader(), look.isDark, look.isForColourBlindness);
    this.fitting = this.makeFitting();
    isHardware ??= probe();
    this.renderer = this.makeRenderer(choice === 'auto' ? (isHardware ? 'GL' : 'raster') : choice);
    view.redraw = () => this.ask();
    view.arrived = () => this.askForArrived();
    this.stop = effect(() => {
      for (const s of [view.window, view.scroll, view.pinScroll, view.size, view.rows, view.pinnedRows, view.hover, view.pointer, view.selection, view.selectedFlows, view.area, view.marks, view.colourMode, view.format, view.showsFlows, view.own.showsMarks, view.own.shownSyncPoints, view.own.annotations, view.focusedRow]) void s.value;
      this.ask();
      this.askForTiles();
    });
  }

  /**
   * First and after a jump, asks for tiles now, and the frame waits for them: they could not arrive while it is drawn, and what stands
   * in for them, the items of another level, may be many. Steps of panning and zooming leave that to the frame.
   */
  private askForTiles(): void {
    const { view, drawn } = this;
    const { from, span } = view.window.peek();
    if (this.isAsking || view.phase.peek() !== 'ready' || view.size.peek().width < 1) return;
    if (drawn !== null) {
      const away = Math.abs(Number(from - drawn.from));
      if (2 * away < Math.min(span, drawn.span) && span < 2 * drawn.span && drawn.span < 2 * span) return;
    }
    this.isAsking = true;
    queueMicrotask(() => {
      this.isAsking = false;
      if (this.isClosed) return;
      this.composer.want();
      if (drawn !== null) wantFlows(view, this.composer);
      view.store.flush();
      if (view.store.isBusy) this.hold();
    });
  }

  /** Draws nothing until the tiles are there, or a moment has passed since the first of several jumps. */
  private hold(): void {
    cancelAnimationFrame(this.request);
    this.request = 0;
    if (this.holdTimer === 0) this.holdTimer = window.setTimeout(() => this.release(), this.drawn ? longestHold : longestFirstHold);
  }

  private release(): void {
    window.clearTimeout(this.holdTimer);
    this.holdTimer = 0;
    this.ask();
  }

  private makeFitting(): Fitting {
    // A context of its own, as measuring would change the font of the one that is drawn with.
    const measuring = document.createElement('canvas').getContext('2d');
    if (measuring) measuring.font = `11.5px ${this.paint.token('font-ui')}`;
    return new Fitting((text) => measuring?.measureText(text).width ?? 0);
  }

  private makeRenderer(kind: 'GL' | 'raster'): Renderer {
    if (kind === 'GL') {
      try {
        const made = glRenderer(this.data, () => this.takeRaster());
        if (made) return made;
      } catch (error) {
        console.warn(error); // a driver that cannot compile the shaders: the raster renderer takes over
      }
      this.replaceCanvas();
    }
    return rasterRenderer(this.data);
  }

  private makeCanvas(): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    canvas.className = 'layer';
    canvas.setAttribute('aria-hidden', 'true');
    this.overlay.before(canvas);
    return canvas;
  }

  /** A canvas keeps the kind of its first context, so another renderer needs another canvas. */
  private replaceCanvas(): void {
    this.data.remove();
    this.data = this.makeCanvas();
  }

  private takeRaster(): void {
    if (this.isClosed) return;
    this.replaceCanvas();
    this.renderer = rasterRenderer(this.data);
    this.ask();
  }

  setLook(look: Look): void {
    this.paint = paintOf(tokenReader(), look.isDark, look.isForColourBlindness);
    this.fitting = this.makeFitting();
    this.ask();
  }

  /** Returns the event at a point: of the track there, or else of a line across the tracks. */
  spotAt(x: number, y: number): Spot | null {
    return spotAt(this.view, this.composer, x, y) ?? this.marks.spotAt(this.composer, x, y) ?? syncSpot(this.view, placementAt(this.composer, y)?.row ?? null, x, y);
  }

  /** Draws with the next frame. */
  ask(): void {
    if (this.request === 0 && this.holdTimer === 0 && !this.isClosed) this.request = requestAnimationFrame(() => this.draw());
  }

  private askForArrived(): void {
    const { store } = this.view;
    store.flush();
    if (store.isBusy) this.ask();
    else this.release();
  }

  /** Returns the tracks as they are drawn now, without what is at the pointer. */
  picture(): HTMLCanvasElement {
    const { hover, pointer } = this.view;
    const before = [hover.peek(), pointer.peek()] as const;
    hover.value = null;
    pointer.value = null;
    this.draw(); // the canvas of a GPU has its picture within the task that draws
    const whole = document.createElement('canvas');
    whole.width = this.data.width;
    whole.height = this.data.height;
    const g = whole.getContext('2d');
    for (const canvas of [this.data, this.overlay]) g?.drawImage(canvas, 0, 0);
    [hover.value, pointer.value] = before;
    return whole;
  }

  get isIdle(): boolean {
    return this.request === 0 && this.holdTimer === 0;
  }

  close(): void {
    this.isClosed = true;
    cancelAnimationFrame(this.request);
    window.clearTimeout(this.settleTimer);
    window.clearTimeout(this.holdTimer);
    this.stop();
    this.data.remove();
    this.view.redraw = () => undefined;
    this.view.arrived = () => undefined;
  }

  /** Tells the page what is shown, at most five times a second. */
  private settle(): void {
    this.settleTimer = 0;
    this.view.shownItems.value = this.counters.items;
    this.view.settledWindow.value = this.view.window.value;
  }

  private draw(): void {
    this.request = 0;
    window.clearTimeout(this.holdTimer);
    this.holdTimer = 0;
    const { view, scene, counters } = this;
    const { width, height } = view.size.value;
    if (width < 1 || height < 1 || view.phase.value !== 'ready') return;
    const began = performance.now();
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    this.ticks = ticksFor(this.tickLine, view, axisLines(view)[0]);
    this.composer.compose(scene, this.paint, this.ticks, ratio);
    this.drawn = view.window.value;
    for (const canvas of [this.data, this.overlay]) {
      if (canvas.width !== scene.width) canvas.width = scene.width;
      if (canvas.height !== scene.height) canvas.height = scene.height;
    }
    counters.drawCalls = this.renderer.draw(scene, this.paint);
    counters.maxDrawCalls = Math.max(counters.maxDrawCalls, counters.drawCalls);
    counters.uploaded = this.renderer.uploaded;
    counters.items = scene.items();
    counters.blocks = scene.blockCount;
    counters.renderer = this.renderer.name;
    this.top.setTransform(ratio, 0, 0, ratio, 0, 0);
    // Arrows of many flows take as long as all else: they come with the frame after the first.
    const isFirst = counters.frames === 0;
    counters.flows = drawOverlay(this.top, view, this.composer, isFirst ? null : this.places, this.marks, this.paint, this.fitting);
    if (isFirst) this.ask();
    counters.frames += 1;
    counters.time = performance.now() - began;
    this.after(this);
    if (isFirst) this.settle();
    else if (this.settleTimer === 0) this.settleTimer = window.setTimeout(() => this.settle(), 200);
  }
}
