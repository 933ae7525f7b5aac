/** Numbers with units, as the command line prints them. Times are integers of nanoseconds (bigint). */

/** Returns an integer with commas: 1,204,331. */
export function countText(count: bigint | number): string {
  const digits = BigInt(typeof count === 'number' ? Math.trunc(count) : count).toString();
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns a count with its noun: "1 event", "2 events". */
export function counted(count: bigint | number, noun: string, plural = `${noun}s`): string {
  return `${countText(count)} ${BigInt(count) === 1n ? noun : plural}`;
}

/** Returns a size with a decimal unit: 412 B, 1.5 MB. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? Math.floor(value).toString() : (Math.floor(value * 10) / 10).toFixed(1);
  return `${digits} ${units[unit] ?? 'B'}`;
}

/** Returns value / unit with up to three decimals, cut, without trailing zeros. */
function decimal(value: bigint, unit: bigint, width = 1): string {
  const thousandths = unit >= 1000n ? (value % unit) / (unit / 1000n) : ((value % unit) * 1000n) / unit;
  const whole = (value / unit).toString().padStart(width, '0');
  return `${whole}.${thousandths.toString().padStart(3, '0')}`.replace(/\.?0+$/, '');
}

const micro = 1000n;
const milli = 1000n * micro;
const second = 1000n * milli;
const minute = 60n * second;
const hour = 60n * minute;
const day = 24n * hour;

function magnitudeText(ns: bigint): string {
  if (ns === 0n) return '0';
  if (ns < micro) return `${ns} ns`;
  if (ns < milli) return `${decimal(ns, micro)} µs`;
  if (ns < second) return `${decimal(ns, milli)} ms`;
  if (ns < minute) return `${decimal(ns, second)} s`;
  const seconds = decimal(ns % minute, second, 2);
  if (ns < hour) return `${ns / minute}m${seconds}s`;
  const minutes = ((ns % hour) / minute).toString().padStart(2, '0');
  if (ns < day) return `${ns / hour}h${minutes}m${seconds}s`;
  return `${ns / day}d${((ns % day) / hour).toString().padStart(2, '0')}h${minutes}m`;
}

/** Returns a length of time: 250 ms, 147.757 s, 3h12m04.2s, 12d03h05m. */
export function spanText(ns: bigint): string {
  return ns < 0n ? `−${magnitudeText(-ns)}` : magnitudeText(ns);
}

/** Returns spanText() with a sign also for positive values. */
export function offsetText(ns: bigint): string {
  return ns > 0n ? `+${spanText(ns)}` : spanText(ns);
}

/** Returns a point of wall-clock time with `decimals` (0 to 9) places of seconds: 2026-11-20 12:05:32.000 UTC. */
export function utcText(unixNs: bigint, decimals = 3): string {
  const seconds = unixNs / second - (unixNs % second < 0n ? 1n : 0n);
  const rest = unixNs - seconds * second;
  const date = new Date(Number(seconds) * 1000).toISOString().replace('T', ' ').replace(/\.000Z$/, '');
  const fraction = decimals > 0 ? `.${rest.toString().padStart(9, '0').slice(0, decimals)}` : '';
  return `${date}${fraction} UTC`;
}

/** Returns nanoseconds as seconds with all nine places: 147.757169866. */
export function secondsText(ns: bigint): string {
  const magnitude = ns < 0n ? -ns : ns;
  const fraction = (magnitude % second).toString().padStart(9, '0');
  return `${ns < 0n ? '−' : ''}${magnitude / second}.${fraction}`;
}

/** Returns how long ago a moment was, in words: "now", "4 min ago", "yesterday", "18 Nov". */
export function agoText(then: number, now: number): string {
  const elapsed = Math.max(0, now - then) / 1000;
  if (elapsed < 60) return 'now';
  if (elapsed < 3600) return `${Math.floor(elapsed / 60)} min ago`;
  if (elapsed < 86400) return `${Math.floor(elapsed / 3600)} h ago`;
  if (elapsed < 2 * 86400) return 'yesterday';
  const date = new Date(then);
  const text = `${date.getDate()} ${date.toLocaleString('en', { month: 'short' })}`;
  return date.getFullYear() === new Date(now).getFullYear() ? text : `${text} ${date.getFullYear()}`;
}

/** Returns milliseconds for people: 38 ms, 1.25 s. */
export function elapsedText(ms: number): string {
  if (ms < 1) return '<1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(2)} s`;
  return spanText(BigInt(Math.round(ms / 1000)) * second);
}
