#!/usr/bin/env python3
"""Callsites, experimental_flamegraph and call trees against plain SQL, on random profiles."""
import pathlib
import sys
import tempfile
import unittest

from checks import Checks

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from vectors import textproto  # pylint: disable=wrong-import-position

# Each callsite with its callers, itself included.
UP = '''WITH RECURSIVE up(start, id) AS (SELECT id, id FROM stack_profile_callsite
  UNION ALL SELECT start, c.parent_id FROM up JOIN stack_profile_callsite AS c ON c.id = up.id
  WHERE c.parent_id IS NOT NULL)'''
# The functions with their binaries from the root to each callsite, as a text.
PATHS = UP + ''', frame AS (SELECT f.id, f.name, m.name AS map_name FROM stack_profile_frame AS f
    JOIN stack_profile_mapping AS m ON m.id = f.mapping),
  path(id, depth, text) AS (SELECT c.id, depth, name || ' of ' || map_name FROM stack_profile_callsite AS c
    JOIN frame ON frame.id = c.frame_id WHERE parent_id IS NULL
    UNION ALL SELECT c.id, c.depth, text || ' > ' || name || ' of ' || map_name FROM path
    JOIN stack_profile_callsite AS c ON c.parent_id = path.id JOIN frame ON frame.id = c.frame_id)'''
# The same of the nodes of a tree `f`.
DRAWN = '''WITH RECURSIVE f AS MATERIALIZED ({}),
  drawn(id, text) AS (SELECT id, name || ' of ' || map_name FROM f WHERE parent_id IS NULL
    UNION ALL SELECT f.id, text || ' > ' || name || ' of ' || map_name FROM drawn JOIN f ON f.parent_id = drawn.id)'''
SUMS = ('count', 'size', 'alloc_count', 'alloc_size')
NAMES = ['main', 'Work', 'a', 'b']
BINARIES = ['app', 'libart.so', 'base.apk', 'boot.oat', 'jit-cache', 'kernel', 'libc.so']
CLASSES = ['A', 'B', 'C[]']


class Profiles(Checks):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def open(self, text):
        path = pathlib.Path(self.folder.name, 'trace.pb')
        path.write_bytes(textproto.encode(text, textproto.project_schema()))
        self.inputs = [str(path)]
        self.statements, self.checks = [], []

    def stacks(self, functions, paths):
        """Interned frames, some of which differ by their place only, and callstacks; and how many of these."""
        text = ' '.join(f'{functions} {{ iid: {i} str: "{name}" }}' for i, name in enumerate(NAMES, 1))
        text += ' '.join(f'{paths} {{ iid: {i} str: "{name}" }}' for i, name in enumerate(BINARIES, 11))
        text += ' '.join(f'mappings {{ iid: {i + 1} start: {i * 100} end: {i * 100 + 100} path_string_ids: {i + 11} }}'
                         for i in range(len(BINARIES)))
        frames = self.random.randrange(2, 10)
        for i in range(frames):
            binary = self.random.randrange(len(BINARIES))
            text += f'''frames {{ iid: {i + 1} function_name_id: {1 + self.random.randrange(len(NAMES))}
                mapping_id: {binary + 1} rel_pc: {self.random.randrange(99)} }}'''
        count = self.random.randrange(1, 8)
        for i in range(count):
            ids = ' '.join(f'frame_ids: {1 + self.random.randrange(frames)}' for _ in range(self.random.randrange(1, 6)))
            text += f'callstacks {{ iid: {i + 1} {ids} }}'
        return text, count

    def open_samples(self):
        """Samples of threads of two processes."""
        text, count = self.stacks('function_names', 'mapping_paths')
        text = f'''packet {{ timestamp: 1 trusted_packet_sequence_id: 1 sequence_flags: 1 interned_data {{ {text} }}
            trace_packet_defaults {{ perf_sample_defaults {{ timebase {{ frequency: 100 counter: SW_CPU_CLOCK }} }} }} }}'''
        for i in range(self.random.randrange(1, 20)):
            pid = 5 + self.random.randrange(2)
            text += f'''packet {{ timestamp: {10 + i} trusted_packet_sequence_id: 1 sequence_flags: 2 perf_sample {{
                cpu: 0 pid: {pid} tid: {pid + 10 * self.random.randrange(2)}
                callstack_iid: {1 + self.random.randrange(count)} cpu_mode: MODE_USER timebase_count: {i} }} }}'''
        self.open(text)

    def open_heap_profile(self):
        """Heaps of two processes. Each dump has the sums since the start of the profile."""
        stacks, count = self.stacks('strings', 'strings')
        sums = {}
        text = ''
        for i in range(self.random.randrange(1, 6)):
            dumps = ''
            for pid in (5, 6):
                samples = ''
                for stack in range(count):
                    known = sums.setdefault((pid, stack), [0, 0, 0, 0])
                    for k, most in enumerate((50, 30, 5, 3)):
                        known[k] += self.random.randrange(most)
                    samples += f'''samples {{ callstack_id: {stack + 1} self_allocated: {known[0]} self_freed: {known[1]}
                        alloc_count: {known[2]} free_count: {known[3]} }}'''
                dumps += f'process_dumps {{ pid: {pid} timestamp: {100 * i + pid} heap_name: "malloc" {samples} }}'
            text += f'''packet {{ timestamp: {1000 * i + 1} trusted_packet_sequence_id: 1
                profile_packet {{ {stacks} {dumps} index: {i} }} }}'''
        self.open(text)

    def open_heap_graph(self):
        objects = self.random.randrange(1, 14)
        text = ''
        for i in range(objects):
            targets = self.random.sample(range(1, objects + 2), self.random.randrange(min(4, objects)))
            text += f'''objects {{ id: {i + 1} type_id: {1 + self.random.randrange(len(CLASSES))}
                self_size: {self.random.randrange(9)} {" ".join(f"reference_field_id: 1 reference_object_id: {t}" for t in targets)} }}'''
        for kind in ('ROOT_JAVA_FRAME', 'ROOT_STICKY_CLASS'):
            ids = ' '.join(f'object_ids: {1 + self.random.randrange(objects)}' for _ in range(2))
            text += f'roots {{ {ids} root_type: {kind} }}'
        text += ' '.join(f'types {{ id: {i} class_name: "{name}" }}' for i, name in enumerate(CLASSES, 1))
        self.open(f'''packet {{ timestamp: 10 trusted_packet_sequence_id: 1
            [com.android.art.tracing.ArtHeapGraphTracePacket.heap_graph] {{ pid: 2 {text}
            field_names {{ iid: 1 str: "A next" }} continued: false index: 0 }} }}''')

    def same_tree(self, arguments, values, focus=''):
        """`values`: a SELECT of callsite_id and SUMS."""
        where = f'''WHERE EXISTS (SELECT 1 FROM up JOIN stack_profile_callsite AS c ON c.id = up.id
            JOIN frame ON frame.id = c.frame_id WHERE start = callsite_id AND lower(name) LIKE '%{focus}%')'''
        sums = ', '.join(f'sum({name}) AS {name}' for name in SUMS)
        self.same(f'''{DRAWN.format(f"SELECT * FROM experimental_flamegraph({arguments})")}
            SELECT text, depth, {", ".join(SUMS)}, {", ".join(f"cumulative_{name}" for name in SUMS)}
            FROM drawn JOIN f USING (id)''', f'''
            {PATHS}, v AS MATERIALIZED (SELECT * FROM ({values}) {where if focus else ""}),
            own AS (SELECT text, {sums} FROM v JOIN path ON path.id = callsite_id GROUP BY text),
            whole AS (SELECT text, depth, {sums} FROM v JOIN up ON start = callsite_id JOIN path USING (id)
              GROUP BY text, depth)
            SELECT text, depth, {", ".join(f"coalesce(own.{name}, 0)" for name in SUMS)},
            {", ".join(f"whole.{name}" for name in SUMS)} FROM whole LEFT JOIN own USING (text)''')

    def test_callsites(self):
        for _ in range(4):
            self.open_samples()
            chain = 'SELECT s.id, a.id, a.depth, a.parent_id, a.frame_id'
            of = 'FROM stack_profile_callsite AS s JOIN'
            above = UP + '''SELECT start, c.id, c.depth, c.parent_id, c.frame_id FROM up
                JOIN stack_profile_callsite AS c ON c.id = up.id {} ORDER BY start, depth'''
            self.same(f'{chain} {of} experimental_ancestor_stack_profile_callsite(s.id) AS a',
                      above.format('WHERE up.id != start'), True)
            self.same(f'{chain} {of} experimental_annotated_callstack(s.id) AS a', above.format(''), True)
            # Frames of the runtime outside of managed code belong to the start of a thread.
            self.same(f'SELECT s.id, a.id, a.annotation {of} experimental_annotated_callstack(s.id) AS a', PATHS + '''
                , chain AS (SELECT start, c.id, c.depth, map_name, CASE map_name WHEN '/jit-cache' THEN 'jit'
                  WHEN '/base.apk' THEN 'interp' WHEN '/boot.oat' THEN 'aot' END AS managed FROM up
                  JOIN stack_profile_callsite AS c ON c.id = up.id JOIN frame ON frame.id = c.frame_id)
                SELECT start, id, CASE map_name WHEN '/kernel' THEN 'kernel' WHEN '/libart.so' THEN
                  iif(EXISTS (SELECT 1 FROM chain AS inner WHERE inner.start = chain.start
                    AND inner.depth > chain.depth AND inner.managed NOT NULL), 'common-frame', NULL)
                  ELSE managed END FROM chain''')
            self.run_all()

    def test_samples(self):
        values = '''SELECT callsite_id, 1 AS count, 1 AS size, 0 AS alloc_count, 0 AS alloc_size FROM perf_sample
            JOIN thread USING (utid) WHERE callsite_id NOT NULL AND {}'''
        for _ in range(4):
            self.open_samples()
            every, five = '(SELECT group_concat(upid) FROM process)', '(SELECT upid FROM process WHERE pid = 5)'
            self.same_tree(f"'perf', 100, NULL, NULL, {every}, NULL", values.format('1'))
            self.same_tree(f"'perf', NULL, '>=0,<=100', NULL, {every} || ',77', ''", values.format('1'))
            for check in (lambda: self.same_tree(f"'perf', 100, NULL, NULL, {every}, 'WOR'", values.format('1'), 'wor'),
                          lambda: self.same_tree(f"'perf', NULL, '>=12,<16', NULL, {every}, NULL",
                                                 values.format('ts >= 12 AND ts < 16')),
                          lambda: self.same_tree(f"'perf', 20, NULL, {five}, NULL, NULL",
                                                 values.format(f'ts <= 20 AND upid = {five}'))):
                self.run_unless_nothing(check)
            self.run_all()

    def run_unless_nothing(self, check):
        """Adds a check, unless its flamegraph has no callstack, which is an error."""
        before = len(self.statements)
        check()
        if not self.query([self.statements[before + 1]])[0]:
            del self.statements[before:]
            self.checks.pop()

    def test_call_trees(self):
        self.random.seed(1)
        for module, table, values in (
                ('stacks.cpu_profiling', 'cpu_profiling_summary_tree', 'cpu_profiling_samples'),
                ('linux.perf.samples', 'linux_perf_samples_summary_tree', 'perf_sample')):
            for _ in range(3):
                self.open_samples()
                self.include(module)
                self.same(f'''{DRAWN.format(f"SELECT *, mapping_name AS map_name FROM {table}")}
                    SELECT text, sum(self_count), sum(cumulative_count) FROM drawn JOIN f USING (id) GROUP BY text''',
                          f'''{PATHS} SELECT text, sum(up.start = up.id), count(*)
                    FROM {values} AS v JOIN up ON up.start = v.callsite_id JOIN path ON path.id = up.id GROUP BY text''')
                self.run_all()

    def test_heap_profiles(self):
        values = '''SELECT callsite_id, count, size, iif(size > 0, count, 0) AS alloc_count,
            iif(size > 0, size, 0) AS alloc_size FROM heap_profile_allocation WHERE {}'''
        for _ in range(4):
            self.open_heap_profile()
            every = '(SELECT group_concat(upid) FROM process)'
            last = '(SELECT max(ts) FROM heap_profile_allocation)'
            first = '(SELECT min(ts) FROM heap_profile_allocation)'
            for check in (lambda: self.same_tree(f"'native', {last}, NULL, NULL, {every}, NULL", values.format('1')),
                          lambda: self.same_tree(f"'native', {last}, NULL, NULL, {every}, 'work'", values.format('1'),
                                                 'work'),
                          lambda: self.same_tree(f"'native', NULL, '>' || {first}, 1, NULL, NULL",
                                                 values.format(f'ts > {first} AND upid = 1'))):
                self.run_unless_nothing(check)
            self.run_all()

    def test_heap_graphs(self):
        # Which of several shortest paths an object has is left open: sums by class and by depth are not.
        for _ in range(8):
            self.open_heap_graph()
            graph = '''WITH RECURSIVE f AS MATERIALIZED (SELECT * FROM experimental_flamegraph('graph', 10, NULL,
                (SELECT upid FROM process WHERE pid = 2), NULL, NULL)),
                reached(id, depth) AS (SELECT id, 0 FROM heap_graph_object WHERE root_type NOT NULL
                  UNION SELECT owned_id, depth + 1 FROM reached JOIN heap_graph_reference ON owner_id = reached.id
                  JOIN heap_graph_object AS o ON o.id = owned_id WHERE o.type_id NOT NULL AND depth < 20),
                object AS (SELECT o.id, min(depth) AS depth, self_size, c.name || iif(root_type NOT NULL,
                  ' [' || root_type || ']', '') AS name FROM reached JOIN heap_graph_object AS o USING (id)
                  JOIN heap_graph_class AS c ON c.id = o.type_id GROUP BY o.id)'''
            self.same(graph + 'SELECT depth, name, sum(count), sum(size) FROM f GROUP BY depth, name',
                      graph + 'SELECT depth, name, count(*), sum(self_size) FROM object GROUP BY depth, name')
            self.same(graph + 'SELECT sum(cumulative_count), sum(cumulative_size) FROM f WHERE depth = 0',
                      graph + 'SELECT count(*), sum(self_size) FROM object')
            self.same(graph + '''SELECT count(*) FROM f WHERE cumulative_size != size + (SELECT
                coalesce(sum(cumulative_size), 0) FROM f AS below WHERE below.parent_id = f.id)''', 'SELECT 0')
            self.run_all()


if __name__ == '__main__':
    unittest.main()
