/** Offsets as texts in any unit. No DOM. */

const units: Readonly<Record<string, bigint>> = { ns: 1n, us: 1_000n, 'µs': 1_000n, 'μs': 1_000n, ms: 1_000_000n, s: 1_000_000_000n, m: 60_000_000_000n, min: 60_000_000_000n, h: 3_600_000_000_000n, d: 86_400_000_000_000n };

/** Returns an offset in ns: `-3h12m04.197s`, `250 ms`, `1_500 ns`, `2.5` (seconds); null if the text is none. */
export function parseOffset(text: string): bigint | null {
  const plain = text.trim().replace(/[\s_]/g, '').replace(/^−/, '-');
  const sign = plain.startsWith('-') ? -1n : 1n;
  const body = plain.replace(/^[+-]/, '');
  if (body === '') return null;
  const parts = [...(/[a-zµμ]/i.test(body) ? body : `${body}s`).matchAll(/(\d+)(?:\.(\d+))?([a-zµμ]+)/giy)];
  if (parts.reduce((length, part) => length + part[0].length, 0) !== (/[a-zµμ]/i.test(body) ? body.length : body.length + 1)) return null;
  let ns = 0n;
  for (const [, whole = '0', fraction = '', unit = ''] of parts) {
    const size = units[unit];
    if (size === undefined) return null;
    const scaled = BigInt(fraction === '' ? 0 : fraction) * size;
    const divisor = 10n ** BigInt(fraction.length);
    if (scaled % divisor !== 0n) return null; // less than a nanosecond
    ns += BigInt(whole) * size + scaled / divisor;
  }
  return ns > 9_007_199_254_740_991n ? null : sign * ns;
}

/** Returns an offset exactly, in the largest unit that divides it or in seconds: 250 ms, 148.007 s, -11524.197 s. */
export function exactOffset(ns: bigint): string {
  const magnitude = ns < 0n ? -ns : ns;
  const sign = ns < 0n ? '-' : '';
  const [name, size] = magnitude >= 1_000_000_000n ? ['s', 1_000_000_000n] as const : magnitude >= 1_000_000n ? ['ms', 1_000_000n] as const : magnitude >= 1_000n ? ['us', 1_000n] as const : ['ns', 1n] as const;
  const fraction = (magnitude % size).toString().padStart(size.toString().length - 1, '0').replace(/0+$/, '');
  return `${sign}${magnitude / size}${fraction === '' || size === 1n ? '' : `.${fraction}`} ${name}`;
}
