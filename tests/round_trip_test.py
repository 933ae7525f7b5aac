#!/usr/bin/env python3
"""Import, export as a protobuf trace, import again: every table has equal rows.

  round_trip_test.py TRACEBRAID [GENERATE] TRACE...

Each TRACE is a file, or files with '+' between them that are merged; 'made:KIND' is made by GENERATE. Rows are compared
without row ids: the row that an id refers to replaces the id. docs/exports.md lists what the format cannot represent.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

ARGS = """(SELECT group_concat(a.flat_key || '|' || a.key || '|' || a.value_type || '|' ||
    coalesce(a.int_value, a.string_value, a.real_value, 'NULL'), char(10)) FROM args a
    WHERE a.arg_set_id = {} AND a.key NOT GLOB '*upid' AND a.key NOT GLOB '*utid' AND a.key <> 'ugpu')"""
ARGS_FULL = """(SELECT group_concat(a.key || '|' || a.value_type || '|' ||
    coalesce(a.int_value, a.string_value, a.real_value, 'NULL'), char(10)) FROM args_full a
    WHERE a.arg_set_id = {} AND a.key NOT GLOB '*upid' AND a.key NOT GLOB '*utid' AND a.key <> 'ugpu')"""
TRACK = """track_of AS (SELECT k.id AS track, m.name AS machine, k.name, k.type, k.event_type, k.counter_unit AS unit,
    t.tid, coalesce(tp.pid, p.pid) AS pid, """ + ARGS.format('k.dimension_arg_set_id') + """ AS dimensions
    FROM __intrinsic_track k JOIN __intrinsic_machine m ON m.id = k.machine_id
    LEFT JOIN __intrinsic_thread t ON t.id = k.utid LEFT JOIN __intrinsic_process tp ON tp.id = t.upid
    LEFT JOIN __intrinsic_process p ON p.id = k.upid)"""
OF_TRACK = 'k.machine, k.name, k.type, k.unit, k.tid, k.pid, k.dimensions'
THREAD = 't.tid, t.name AS thread, p.pid, m.name AS machine'
OF_THREAD = """LEFT JOIN __intrinsic_thread t ON t.id = x.utid LEFT JOIN __intrinsic_process p ON p.id = t.upid
    LEFT JOIN __intrinsic_machine m ON m.id = t.machine_id"""
# Callstacks, keyed by the row of their innermost frame.
STACKS = """stack(leaf, at, n) AS (SELECT id, id, 0 FROM __intrinsic_stack_profile_callsite
    UNION ALL SELECT s.leaf, c.parent_id, n + 1 FROM stack s JOIN __intrinsic_stack_profile_callsite c ON c.id = s.at
    WHERE c.parent_id IS NOT NULL),
    frames AS (SELECT s.leaf, group_concat(coalesce(f.name, '') || '|' || f.rel_pc || '|' || coalesce(f.type, '') || '|' ||
    coalesce(m.name, '') || '|' || coalesce(m.build_id, '') || '|' || m.start || '|' || m.exact_offset || '|' ||
    coalesce((SELECT coalesce(y.source_file, '') || ':' || coalesce(y.line_number, '')
    FROM __intrinsic_stack_profile_symbol y WHERE y.symbol_set_id = f.symbol_set_id LIMIT 1), ''), char(10)) AS stack
    FROM (SELECT * FROM stack ORDER BY leaf, n) s JOIN __intrinsic_stack_profile_callsite c ON c.id = s.at
    JOIN __intrinsic_stack_profile_frame f ON f.id = c.frame_id
    JOIN __intrinsic_stack_profile_mapping m ON m.id = f.mapping GROUP BY s.leaf),
    async(leaf, at, n, one) AS (SELECT id, parent_id, 0, coalesce(name, '') || ':' || coalesce(kind, '')
    FROM __intrinsic_profiler_async_context
    UNION ALL SELECT a.leaf, c.parent_id, n + 1, coalesce(c.name, '') || ':' || coalesce(c.kind, '')
    FROM async a JOIN __intrinsic_profiler_async_context c ON c.id = a.at)"""
PROCESS = """JOIN __intrinsic_process p ON p.id = x.upid JOIN __intrinsic_machine m ON m.id = p.machine_id"""
QUERIES = {
    'machine': 'SELECT name, sysname, release, version, arch, num_cpus, android_build_fingerprint, '
               'android_device_manufacturer, android_sdk_version, system_ram_bytes FROM __intrinsic_machine',
    'process': f"""SELECT m.name, p.pid, p.name, p.start_ts, p.end_ts, q.pid, p.uid, p.cmdline, {ARGS.format('p.arg_set_id')}
        FROM __intrinsic_process p JOIN __intrinsic_machine m ON m.id = p.machine_id
        LEFT JOIN __intrinsic_process q ON q.id = p.parent_upid""",
    'thread': f"""SELECT m.name, t.tid, t.name, t.start_ts, t.end_ts, p.pid, t.is_main_thread, t.is_idle,
        {ARGS.format('t.arg_set_id')} FROM __intrinsic_thread t JOIN __intrinsic_machine m ON m.id = t.machine_id
        LEFT JOIN __intrinsic_process p ON p.id = t.upid WHERE NOT t.is_idle""",
    'track': f"""SELECT m.name, k.name, k.type, k.event_type, k.counter_unit, t.tid, p.pid, q.name, q.type,
        k.track_group_id IS NULL, {ARGS.format('k.dimension_arg_set_id')}, {ARGS.format('k.source_arg_set_id')}
        FROM __intrinsic_track k JOIN __intrinsic_machine m ON m.id = k.machine_id
        LEFT JOIN __intrinsic_track q ON q.id = k.parent_id LEFT JOIN __intrinsic_thread t ON t.id = k.utid
        LEFT JOIN __intrinsic_process p ON p.id = k.upid
        WHERE k.id IN (SELECT track_id FROM __intrinsic_slice UNION SELECT track_id FROM __intrinsic_counter
        UNION SELECT track_id FROM __intrinsic_state)""",
    'slice': f"""WITH {TRACK} SELECT s.ts, s.dur, s.category, s.name, s.depth, q.ts, q.name, {OF_TRACK}, s.thread_ts,
        s.thread_dur, s.thread_instruction_count, s.thread_instruction_delta, {ARGS.format('s.arg_set_id')},
        {ARGS_FULL.format('s.arg_set_id')}
        FROM __intrinsic_slice s JOIN track_of k ON k.track = s.track_id
        LEFT JOIN __intrinsic_slice q ON q.id = s.parent_id""",
    'counter': f"""WITH {TRACK} SELECT c.ts, c.value, {OF_TRACK}, {ARGS.format('c.arg_set_id')}
        FROM __intrinsic_counter c JOIN track_of k ON k.track = c.track_id""",
    'state': f"""WITH {TRACK} SELECT s.ts, s.dur, s.category, s.value, {OF_TRACK}, {ARGS.format('s.arg_set_id')}
        FROM __intrinsic_state s JOIN track_of k ON k.track = s.track_id""",
    'flow': """SELECT a.ts, a.name, b.ts, b.name, f.trace_id FROM __intrinsic_flow f
        JOIN __intrinsic_slice a ON a.id = f.slice_out JOIN __intrinsic_slice b ON b.id = f.slice_in""",
    'sched': f"""SELECT x.ts, x.dur, x.end_state, x.priority, x.ucpu % 4096, {THREAD}
        FROM __intrinsic_sched_slice x {OF_THREAD}""",
    'thread_state': f"""SELECT x.ts, x.dur, x.state, x.io_wait, x.blocked_function, x.irq_context, x.ucpu % 4096,
        w.tid, v.ts, {THREAD} FROM __intrinsic_thread_state x {OF_THREAD}
        LEFT JOIN __intrinsic_thread w ON w.id = x.waker_utid
        LEFT JOIN __intrinsic_thread_state v ON v.id = x.waker_id""",
    'spurious': f"""SELECT x.ts, x.irq_context, v.ts, w.tid, {THREAD} FROM __intrinsic_spurious_sched_wakeup x {OF_THREAD}
        LEFT JOIN __intrinsic_thread w ON w.id = x.waker_utid
        LEFT JOIN __intrinsic_thread_state v ON v.id = x.thread_state_id""",
    'ftrace_event': f"""SELECT x.ts, x.name, x.common_flags, x.ucpu % 4096, {THREAD}, {ARGS.format('x.arg_set_id')}
        FROM __intrinsic_ftrace_event x {OF_THREAD}""",
    'logs': f"""SELECT x.ts, x.prio, x.log_source, x.tag, x.msg, {THREAD}, {ARGS.format('x.arg_set_id')}
        FROM __intrinsic_logs x {OF_THREAD}""",
    'sample': f"""WITH RECURSIVE {STACKS}
        SELECT x.ts, x.source, x.unwind_error, e.ucpu % 4096, e.cpu_mode, d.source, d.timebase_unit, d.cmdline, g.stack,
        o.process_priority, (SELECT group_concat(one) FROM (SELECT one FROM async a WHERE a.leaf = x.async_context_id
        ORDER BY n)), {THREAD}, q.pid FROM (SELECT p.*, c.utid, c.upid AS task_upid, c.async_context_id
        FROM __intrinsic_profiler_sample p
        LEFT JOIN __intrinsic_profiler_task_context c ON c.id = p.task_context_id) x {OF_THREAD}
        LEFT JOIN __intrinsic_profiler_execution_context e ON e.id = x.execution_context_id
        LEFT JOIN __intrinsic_profiler_session d ON d.id = x.session_id LEFT JOIN frames g ON g.leaf = x.callsite_id
        LEFT JOIN __intrinsic_chrome_stack_sample_extras o ON o.profiler_sample_id = x.id
        LEFT JOIN __intrinsic_process q ON q.id = x.task_upid""",
    'json_sample': f"""WITH RECURSIVE {STACKS} SELECT x.ts, x.cpu, x.name, x.weight, x.source, g.stack, {THREAD}
        FROM __intrinsic_json_sample x {OF_THREAD} LEFT JOIN frames g ON g.leaf = x.callsite_id""",
    'slice_stack': f"""WITH RECURSIVE {STACKS}, {TRACK} SELECT s.ts, s.name, {OF_TRACK}, g.stack, h.stack, x.weight
        FROM __intrinsic_track_event_callstacks x JOIN __intrinsic_slice s ON s.id = x.slice_id
        JOIN track_of k ON k.track = x.track_id
        LEFT JOIN frames g ON g.leaf = x.callsite_id LEFT JOIN frames h ON h.leaf = x.end_callsite_id""",
    'heap_profile': f"""SELECT x.ts, x.ts_end, x.dur, x.heap_name, p.pid, m.name FROM __intrinsic_heap_profile x {PROCESS}""",
    'heap_profile_allocation': f"""WITH RECURSIVE {STACKS}
        SELECT x.ts, x.heap_name, x.count, x.size, g.stack, p.pid, m.name
        FROM __intrinsic_heap_profile_allocation x {PROCESS} LEFT JOIN frames g ON g.leaf = x.callsite_id""",
    'heap_graph': f"""SELECT x.ts, x.heap_size, x.truncated, p.pid, m.name FROM __intrinsic_heap_graph x {PROCESS}""",
    'heap_graph_class': """SELECT x.name, x.location, x.classloader_id, x.kind, s.name
        FROM __intrinsic_heap_graph_class x LEFT JOIN __intrinsic_heap_graph_class s ON s.id = x.superclass_id""",
    'heap_graph_object': f"""SELECT x.graph_sample_ts, x.self_size, x.native_size, x.reachable, x.heap_type, x.root_type,
        t.name, t.location, (SELECT group_concat(r.field_name || ' ' || coalesce(r.field_type_name, '') || ' ' ||
        coalesce(o.self_size, '-') || ' ' || coalesce(ot.name, '-'), char(10))
        FROM __intrinsic_heap_graph_reference r LEFT JOIN __intrinsic_heap_graph_object o ON o.id = r.owned_id
        LEFT JOIN __intrinsic_heap_graph_class ot ON ot.id = o.type_id WHERE r.reference_set_id = x.reference_set_id),
        p.pid, m.name FROM __intrinsic_heap_graph_object x {PROCESS}
        LEFT JOIN __intrinsic_heap_graph_class t ON t.id = x.type_id""",
    'cpu': """SELECT m.name, c.cpu, c.processor, c.capacity FROM __intrinsic_cpu c
        JOIN __intrinsic_machine m ON m.id = c.machine_id WHERE c.cpu IS NOT NULL""",
}


def fail(message):
    print('FAIL:', message)
    sys.exit(1)


class Trip:
    def __init__(self, program, folder):
        self.program, self.folder, self.checked = program, folder, 0

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            fail(f'{arguments}: {done.stderr}')
        return done.stdout

    def tables(self, files):
        """Returns each query's rows, as a multiset."""
        sql = self.folder / 'queries.sql'
        sql.write_text(';\n'.join(QUERIES.values()))
        sets = self.run('query', *files, '-q', '--no-progress', '--format', 'jsonl', '--sql-file', str(sql)).split('\n\n')
        if len(sets) != len(QUERIES):
            fail(f'{files}: {len(sets)} result sets of {len(QUERIES)} queries')
        return {name: collections.Counter(rows.strip('\n').split('\n')[1:]) for name, rows in zip(QUERIES, sets)}

    def check(self, files):
        """Returns the missing and the additional rows, by table."""
        out = str(self.folder / 'out.pftrace')
        self.run('export', *files, '-q', '--no-progress', '--to', 'perfetto', '-o', out, '--force')
        before, after = self.tables(files), self.tables([out])
        differs = {}
        for name in QUERIES:
            lost, new = before[name] - after[name], after[name] - before[name]
            self.checked += before[name].total()
            if lost or new:
                differs[name] = (lost, new)
        return differs


def main():
    program, *rest = sys.argv[1:]
    generate = rest.pop(0) if rest and 'generate' in rest[0] else None
    bad = 0
    with tempfile.TemporaryDirectory(prefix='round-trip-') as folder:
        trip = Trip(program, pathlib.Path(folder))
        for trace in rest:
            files = trace.split('+')
            if trace.startswith('made:'):
                kind = trace.removeprefix('made:')
                files = [f'{folder}/{kind}']
                subprocess.run([generate, kind, '--size', '200K', '-o', files[0]], check=True, capture_output=True)
            differs = trip.check(files)
            for table, (lost, new) in differs.items():
                bad += 1
                print(f'FAIL: {trace}: {table}: {lost.total()} rows lost, {new.total()} new')
                for sign, rows in (('-', lost), ('+', new)):
                    for row in list(rows)[:3]:
                        print(sign, json.dumps(json.loads(row))[:600])
        print(f'{trip.checked} rows of {len(rest)} traces compared')
    if bad:
        fail(f'{bad} tables differ')


if __name__ == '__main__':
    main()
