/** A report with every kind of trouble: a guess, losses with several causes, a file that is not read, impossible flows. */

export function troubledReport(report) {
  const base = report.placements[0];
  const placement = (file, part) => ({ ...base, file, machine: 'gpu-node', clock: 'private', sequence: null, source: 'date', rule: 'measured', path: `private of ${file} > REALTIME of gpu-node > BOOTTIME of phone`, observations: 19, offset_start_ns: '-1795176184000000000', offset_end_ns: '-1795176184000000000', uncertainty_ns: 838112, placed: 2276, ...part });
  const loss = (stat, level, file, count, description, example = '') => ({ stat, severity: level === 'lost' ? 'data_loss' : 'info', level, file, machine: 'gpu-node', count, description, example });
  return {
    ...report,
    placements: [
      ...report.placements,
      ...Array.from({ length: 5 }, (_, i) => placement(`rank${i}.json`, {})),
      placement('rank5.json', { rule: 'guessed', source: '', uncertainty_ns: null, observations: 0, placed: 2241, lost: 29, lost_no_path: 12, lost_ambiguous: 17 }),
    ],
    kept: report.kept + 5 * 2276 + 2241,
    lost: 33,
    other_losses: [{ file: 'rank5.json', machine: 'gpu-node', read: 4, built: 0, causes: { json_end_without_begin: 4 } }],
    losses: [
      loss('clock_sync_failure_no_path', 'lost', 'rank5.json', 12, 'No path of clocks leads to the timeline.', 'a reading of GPU clock, 18 s after the last snapshot'),
      loss('clock_reading_ambiguous', 'lost', 'rank5.json', 17, 'The clock was set back and showed this reading twice.'),
      loss('json_end_without_begin', 'lost', 'rank5.json', 4, 'An end event has no begin event before it.', 'ph "E", tid 7, ts 1203'),
      loss('json_name_missing', 'repaired', 'rank2.json', 3, 'An event has no name; it is called "[No name]".'),
      ...report.losses,
    ],
    broken_flows: [{ from: 'rank2', to: 'rank5', flows: 19, violations: 7, off_by_at_least_ns: 18400, off_by_at_most_ns: 251000 }],
    not_imported: [{ file: 'phone.pftrace', what: 'packet field 42', count: 3, bytes: 1200 }],
    problems: [{ file: 'heap.pb.gz', message: 'gzip stream ends after 1.2 of 4.0 MiB' }],
    lines_up: false,
    trouble: ['33 events of rank5.json are lost', 'rank5.json is placed by a guess', 'heap.pb.gz could not be read'],
  };
}
