/** The placement report as the API gives it: the members of `check --json`. */

/** A 64-bit integer of the API: decimal text, or a number where that is exact. */
export type Int = string | number;

export interface Placement {
  file: string;
  machine: string;
  clock: string;
  sequence: Int | null;
  rule: string;
  source: string;
  path: string;
  observations: Int;
  offset_start_ns: Int | null;
  offset_end_ns: Int | null;
  uncertainty_ns: Int | null;
  first_ts: Int | null;
  last_ts: Int | null;
  placed: Int;
  lost: Int;
  lost_no_path: Int;
  lost_ambiguous: Int;
  lost_out_of_range: Int;
  before_start: Int;
}

export interface Loss {
  stat: string;
  severity: string;
  level: string;
  file: string;
  machine: string;
  count: Int;
  description: string;
  example: string;
}

export interface OtherLosses {
  file: string;
  machine: string;
  read: Int;
  built: Int;
  causes: Record<string, Int>;
}

export interface BrokenFlows {
  from: string;
  to: string;
  flows: Int;
  violations: Int;
  off_by_at_least_ns: Int;
  off_by_at_most_ns: Int | null;
}

/** Causes in one file or machine with effects in another. */
export interface CausalPairs {
  kind: string;
  from: string;
  to: string;
  pairs: Int;
  certain: Int;
  unknown: Int;
}

export interface Report {
  timeline: { clock: string; machine: string; start_ts: Int; end_ts: Int; start_utc_ns: Int | null };
  placements: Placement[];
  kept: Int;
  lost: Int;
  other_losses: OtherLosses[];
  losses: Loss[];
  broken_flows: BrokenFlows[];
  causality?: CausalPairs[];
  not_imported: { file: string; what: string; count: Int; bytes: Int }[];
  /** Without a level a problem is a loss. */
  problems: { file: string; message: string; level?: string }[];
  lines_up: boolean;
  trouble: string[];
}

export const big = (value: Int): bigint => BigInt(value);
export const bigOrNull = (value: Int | null): bigint | null => (value === null ? null : BigInt(value));
