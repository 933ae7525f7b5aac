/** The axes of counters: own ones, those of all counters of a unit, and those of stacks, which grow with what is loaded. */
import type { CounterFrame, StackedFrame } from '../lib/tile_frame';
import { axisOf, widened, type Axis } from './prepare';
import type { Layer } from './rows';

export const noAxis: Axis = { low: 0, high: 0, isLog: false };

/** An axis is another object as soon as it shows another range, so that what was made for the old one is recognised. */
export class Axes {
  private readonly own = new WeakMap<CounterFrame, Axis>();
  private readonly stacks = new Map<number, Axis>();
  /** By unit, mode and kind of axis. */
  private readonly shared = new Map<string, Axis>();
  /** The growing axis that has room for a frame, by its key. */
  private readonly counted = new WeakMap<CounterFrame | StackedFrame, string | number>();
  private readonly keys = new WeakMap<Layer, string>();

  /** Returns the axis on which a layer shows a frame. A frame that is new widens a growing axis. */
  of(layer: Layer, frame: CounterFrame | StackedFrame): Axis {
    if (frame.kind === 4) return this.grown(this.stacks, layer.node.node, false, frame);
    const isLog = layer.isLog ?? false;
    if (layer.isShared === true) return this.grown(this.shared, this.keyOf(layer), isLog, frame);
    const known = this.own.get(frame);
    if (known?.isLog === isLog) return known;
    const made = { ...axisOf(frame.low, frame.high), isLog };
    this.own.set(frame, made);
    return made;
  }

  /** Returns the axis of a stacked counter so far. */
  ofStack(node: number): Axis | undefined {
    return this.stacks.get(node);
  }

  private keyOf(layer: Layer): string {
    const known = this.keys.get(layer);
    if (known !== undefined) return known;
    // Counters without a unit share their axis with those of the same name; frequencies, whose titles have the CPU, with each other.
    const { unit, track_type, title } = layer.node;
    const made = JSON.stringify([unit ?? (track_type === 'cpu_frequency' ? track_type : title), layer.mode, layer.isLog]);
    this.keys.set(layer, made);
    return made;
  }

  private grown<K extends string | number>(axes: Map<K, Axis>, key: K, isLog: boolean, frame: CounterFrame | StackedFrame): Axis {
    const known = axes.get(key);
    if (known && this.counted.get(frame) === key) return known;
    this.counted.set(frame, key);
    const before = known ?? { low: 0, high: 0, isLog };
    const next = frame.kind === 4 ? widened(before, frame) : union(before, axisOf(frame.low, frame.high));
    if (known && next.low === known.low && next.high === known.high) return known;
    const made = { ...next, isLog };
    axes.set(key, made);
    return made;
  }
}

type Range = Pick<Axis, 'low' | 'high'>;

const union = (a: Range, b: Range): Range => ({ low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) });
