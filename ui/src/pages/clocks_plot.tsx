/** The picture of an edge's readings: offsets over time on the band of the map's bound. */
import type { JSX } from 'preact';
import { signed, ticks, unitOf, type Fit } from '../lib/clock_fit';

const width = 460;
const height = 190;
const left = 56;
const right = 10;
const top = 10;
const bottom = 22;

/** Returns the decimals that a step of an axis needs. */
const decimalsOf = (step: number): number => (step > 0 ? Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) : 0);

const axisOf = (from: number, to: number, count: number): { values: number[]; decimals: number } => {
  const values = ticks(from, to, count);
  return { values, decimals: decimalsOf((values[1] ?? 0) - (values[0] ?? 0)) };
};

export function FitPlot({ fit, label }: { fit: Fit; label: string }): JSX.Element {
  const ys = [...fit.points.map((p) => p.y), ...fit.band.flatMap((b) => [b.low, b.high])];
  const largest = Math.max(1, ...ys.map(Math.abs));
  const unit = unitOf(largest);
  const low = Math.min(0, ...ys);
  const high = Math.max(0, ...ys);
  const room = Math.max((high - low) * 0.06, 0.5);
  const lastX = Math.max(...fit.points.map((p) => p.x), ...fit.band.map((b) => b.x));
  const firstX = Math.min(0, ...fit.points.map((p) => p.x));
  const xUnit = unitOf(lastX - firstX);
  const x = (v: number): number => left + ((v - firstX) / Math.max(1, lastX - firstX)) * (width - left - right - 12) + 6;
  const y = (v: number): number => top + ((high + room - v) / (high - low + 2 * room)) * (height - top - bottom);
  const yAxis = axisOf((low - room) / unit.size, (high + room) / unit.size, 4);
  const xAxis = axisOf(firstX / xUnit.size, lastX / xUnit.size, 5);
  const at = (p: { x: number }, v: number): string => `${x(p.x).toFixed(1)} ${y(v).toFixed(1)}`;
  const band = fit.band.length > 1 ? `M${fit.band.map((b) => at(b, b.high)).join('L')}L${[...fit.band].reverse().map((b) => at(b, b.low)).join('L')}Z` : '';
  return (
    <svg class="fit" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {yAxis.values.map((v, i) => (
        <g key={v}>
          <path class={Math.abs(v) < 1e-9 ? 'zero' : 'grid'} d={`M${left} ${y(v * unit.size).toFixed(1)}H${width - right}`} />
          <text x={left - 6} y={y(v * unit.size) + 3.5} text-anchor="end">{signed(v, yAxis.decimals)}{i === yAxis.values.length - 1 && <tspan class="unit"> {unit.name}</tspan>}</text>
        </g>
      ))}
      {xAxis.values.map((v, i) => <text key={v} x={x(v * xUnit.size)} y={height - 6} text-anchor="middle">{v.toFixed(xAxis.decimals)}{i === 0 && <tspan class="unit"> {xUnit.name}</tspan>}</text>)}
      {fit.points.map((p, i) => {
        const before = fit.points[i - 1];
        if (!p.jump || !before) return null;
        // Nobody recorded when it happened: between both observations.
        const [from, to] = [Math.min(x(before.x), x(p.x)), Math.max(x(before.x), x(p.x))];
        return <rect key={`jump ${i}`} class={`jump ${p.jump.kind.replace(' ', '-')}`} x={from.toFixed(1)} y={top} width={Math.max(2, to - from).toFixed(1)} height={height - top - bottom}><title>{p.jump.kind}</title></rect>;
      })}
      {band !== '' && <path class="band" d={band} />}
      {fit.points.length > 1 && <path class="line" d={`M${fit.points.map((p) => at(p, p.y)).join('L')}`} />}
      {fit.points.map((p, i) => (
        <circle key={i} class={p.isOutside ? 'outside' : 'seen'} cx={x(p.x)} cy={y(p.y)} r={p.isOutside ? 4 : 2.75} />
      ))}
      {fit.points.map((p, i) => p.isOutside && <text key={i} class="outside" x={x(p.x) + 7} y={y(p.y) + 3.5}>{i + 1}</text>)}
    </svg>
  );
}
