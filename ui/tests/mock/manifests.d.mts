/** Returns the report with the offsets and machines that a manifest states. */
export function placedBy(report: unknown, manifest: unknown): unknown;
