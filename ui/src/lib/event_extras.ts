/** Statements for what tables beside its own say of an event: the states of its thread meanwhile, and its callstacks. */

/**
 * Returns the statement for the time that a thread was in each state from `from` to `to`: state, I/O wait, ns as a text; the longest first.
 * A state ends at the latest when the next one begins: two files may have recorded the same thread.
 */
export const statesSql = (utid: number, from: bigint, to: bigint): string => `SELECT state, io_wait, CAST(sum(until - since) AS TEXT)
FROM (SELECT state, io_wait, max(${from}, ts) AS since, min(${to}, iif(dur < 0, ${to}, ts + dur), coalesce(lead(ts) OVER (ORDER BY ts, id), ${to})) AS until
FROM thread_state WHERE utid = ${utid} AND ts < ${to} AND ts >= coalesce((SELECT max(ts) FROM thread_state WHERE utid = ${utid} AND ts <= ${from}), ${from}))
WHERE until > since GROUP BY 1, 2 ORDER BY sum(until - since) DESC`;

const mostFrames = 200;

/** Returns the statement for the frames of callsites, the innermost first: which callsite, its name, its address as a text, its mapping. */
export const framesSql = (callsites: readonly [which: string, callsite: number | string][]): string => `WITH RECURSIVE stack(which, at, site) AS (
${callsites.map(([which, callsite]) => `SELECT '${which}', 0, (${callsite})`).join(' UNION ALL ')}
UNION ALL SELECT which, at + 1, c.parent_id FROM stack JOIN stack_profile_callsite c ON c.id = site WHERE c.parent_id IS NOT NULL AND at < ${mostFrames})
SELECT which, coalesce(f.deobfuscated_name, f.name), CAST(f.rel_pc AS TEXT), m.name FROM stack JOIN stack_profile_callsite c ON c.id = site JOIN stack_profile_frame f ON f.id = c.frame_id
LEFT JOIN stack_profile_mapping m ON m.id = f.mapping ORDER BY which DESC, at`;

/** Returns the callsites at the begin and the end of a slice. */
export const callsitesOfSlice = (slice: number): [string, string][] => ['start', 'end'].map((which) => [which, `SELECT ${which === 'start' ? 'callsite_id' : 'end_callsite_id'} FROM __intrinsic_track_event_callstacks WHERE slice_id = ${slice} LIMIT 1`]);

export interface StateTime {
  words: string;
  ns: bigint;
}

const stateWords: Readonly<Record<string, string>> = { Running: 'running', R: 'runnable', 'R+': 'runnable, preempted', S: 'sleeping', D: 'uninterruptible', I: 'idle', T: 'stopped', t: 'stopped by a tracer', X: 'dead', Z: 'zombie' };

/** Returns the name of an event of a kind: states of threads are letters of the kernel, which have words. */
export function eventName(kind: string, name: string): string {
  const words = kind === 'thread_state' ? stateWords[name] : undefined;
  return words === undefined || name === 'Running' ? name : `${words} (${name})`;
}

/** Returns the states of the rows of statesSql. */
export const statesOf = (rows: readonly (readonly unknown[])[]): StateTime[] => rows.map(([state, wait, ns]) => {
  const text = String(state ?? 'unknown');
  return { words: `${stateWords[text] ?? text}${Number(wait) === 1 ? ', waits for I/O' : ''}`, ns: BigInt(String(ns ?? '0')) };
});

export interface Frame {
  which: string;
  name: string;
  mapping: string;
}

/** Returns the frames of the rows of framesSql. A frame without a name has its address. */
export const framesOf = (rows: readonly (readonly unknown[])[]): Frame[] => rows.map(([which, name, address, mapping]) => ({
  which: String(which), name: name === null || name === '' ? `0x${BigInt.asUintN(64, BigInt(String(address ?? '0'))).toString(16)}` : String(name), mapping: String(mapping ?? ''),
}));
