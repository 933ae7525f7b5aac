/** What a manifest does to the mock's report: offsets and machines of files that it names. */

export function placedBy(report, manifest) {
  const files = manifest.perfetto_manifest.files ?? [];
  const placements = report.placements.map((p) => {
    const entry = files.find((f) => p.file === f.path || p.file.endsWith(`/${f.path}`));
    if (p.clock !== 'private') return entry?.machine ? { ...p, machine: entry.machine.name } : p;
    const offset = entry?.clocks?.offset_ns;
    const place = (ns) => ({ offset_start_ns: String(ns), offset_end_ns: String(ns), first_ts: String(BigInt(p.first_ts) - BigInt(p.offset_start_ns) + BigInt(ns)), last_ts: String(BigInt(p.last_ts) - BigInt(p.offset_start_ns) + BigInt(ns)) });
    const machine = entry?.machine?.name ?? p.machine;
    if (offset === undefined) return { ...p, ...place(0), machine, rule: 'guessed', source: 'guess', uncertainty_ns: null };
    return { ...p, ...place(offset), machine, rule: 'manifest', source: 'manifest', uncertainty_ns: 0 };
  });
  return { ...report, placements };
}
