#!/usr/bin/env python3
"""Ancestors, descendants, flows and layouts of slices against plain SQL, on random traces."""
import json
import pathlib
import tempfile
import unittest

from checks import Checks

UP = '''WITH RECURSIVE up(id, above, n) AS (SELECT id, parent_id, 1 FROM slice WHERE parent_id IS NOT NULL
  UNION ALL SELECT up.id, slice.parent_id, n + 1 FROM up JOIN slice ON slice.id = up.above
  WHERE slice.parent_id IS NOT NULL)'''


class Slices(Checks):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def trace(self, instants):
        """Nested slices of three threads, of which some never end, and flows between random slices."""
        events, slices = [], []
        for thread in range(1, 4):
            self.nest(thread, 10 * thread, 400, 0, events, slices, instants)
            if self.random.random() < 0.7:  # two open slices at the end
                for ts in (500, 510):
                    events.append({'ph': 'B', 'ts': ts, 'pid': 1, 'tid': thread, 'name': f'open {ts}'})
                    slices.append((thread, ts + 1))
        for flow in range(self.random.randrange(4, 12)):
            ends = sorted(self.random.sample(slices, self.random.randrange(2, 4)), key=lambda place: place[1])
            for i, (thread, ts) in enumerate(ends):
                phase = 's' if i == 0 else 'f' if i == len(ends) - 1 else 't'
                events.append({'ph': phase, 'ts': ts, 'pid': 1, 'tid': thread, 'id': flow, 'name': 'x', 'cat': 'x',
                               'bp': 'e'})
        path = pathlib.Path(self.folder.name, 'trace.json')
        path.write_text(json.dumps(sorted(events, key=lambda event: event['ts'])))
        self.inputs = [str(path)]

    def nest(self, thread, ts, end, depth, events, slices, instants):
        while ts < end and self.random.random() < 0.85:
            ts += self.random.randrange(1, 12)
            dur = self.random.randrange(0 if instants else 2, max(3, (end - ts) // 2 + 1))
            if ts + dur >= end:
                return
            events.append({'ph': 'X', 'ts': ts, 'dur': dur, 'pid': 1, 'tid': thread,
                           'name': self.random.choice('abc')})
            slices.append((thread, ts + dur // 2))
            if depth < 4 and dur > 4:
                self.nest(thread, ts, ts + dur, depth + 1, events, slices, instants)
            ts += dur + self.random.randrange(2)

    def test_relatives(self):
        for _ in range(3):
            self.statements, self.checks = [], []
            self.trace(False)
            self.same('SELECT s.id, a.id, a.depth, a.name, a.ts FROM slice AS s JOIN ancestor_slice(s.id) AS a',
                      UP + 'SELECT up.id, above, depth, name, ts FROM up JOIN slice ON slice.id = above '
                      'ORDER BY up.id, depth', True)
            self.same('SELECT s.id, d.id FROM slice AS s JOIN descendant_slice(s.id) AS d',
                      UP + 'SELECT above, id FROM up ORDER BY above, id', True)
            self.same('SELECT a.id, d.id FROM slice AS a, slice AS d WHERE slice_is_ancestor(a.id, d.id)',
                      UP + 'SELECT above, id FROM up')
            self.include('slices.hierarchy', 'slices.self_dur', 'slices.stack')
            self.same('SELECT s.id, a.id FROM slice AS s JOIN _slice_ancestor_and_self(s.id) AS a',
                      UP + 'SELECT id, above FROM up UNION ALL SELECT id, id FROM slice')
            self.same('SELECT s.id, a.id FROM slice AS s JOIN _slice_descendant_and_self(s.id) AS a',
                      UP + 'SELECT above, id FROM up UNION ALL SELECT id, id FROM slice')
            self.same('SELECT id, self_dur FROM slice_self_dur', '''SELECT id, dur -
                coalesce((SELECT sum(dur) FROM slice AS c WHERE c.parent_id = slice.id), 0) FROM slice''')
            self.same("SELECT id, parent_id FROM _slice_remove_nulls_and_reparent!("
                      "(SELECT id, parent_id, depth, iif(name = 'a', NULL, name) AS name FROM slice), name)",
                      UP + '''SELECT id, (SELECT above FROM up JOIN slice AS a ON a.id = above
                        WHERE up.id = slice.id AND a.name != 'a' ORDER BY n LIMIT 1) FROM slice WHERE name != 'a' ''')
            path = '''WITH RECURSIVE path(id, text) AS (SELECT id, name FROM slice WHERE parent_id IS NULL
                UNION ALL SELECT slice.id, text || '/' || name FROM path JOIN slice ON slice.parent_id = path.id)'''
            self.same('''SELECT a.id, b.id FROM slice_with_stack_id AS a JOIN slice_with_stack_id AS b
                USING (stack_id)''', path + 'SELECT a.id, b.id FROM path AS a JOIN path AS b USING (text)')
            self.same('''SELECT id, parent_stack_id FROM slice_with_stack_id''',
                      '''SELECT s.id, coalesce(p.stack_id, 0) FROM slice AS s
                      LEFT JOIN slice_with_stack_id AS p ON p.id = s.parent_id''')
            self.run_all()

    def test_flows(self):
        # The slices from which a search follows flows: the start, what flows reach, and their relatives.
        # Closure of sets without regard to the order: every flow at its end is in the result once per search.
        def search(relatives, out, back):
            steps = [f'SELECT found.start, {relatives[1]} FROM found JOIN rel ON {relatives[0]} = found.id'] \
                if relatives else []
            steps.append(f'SELECT found.start, flow.{back} FROM found JOIN flow ON flow.{out} = found.id')
            return f'''{UP}, rel(low, high) AS (SELECT id, above FROM up), found(start, id) AS (SELECT id, id FROM slice
                UNION {' UNION '.join(steps)})
                SELECT start, slice_out, slice_in FROM found JOIN flow ON flow.{out} = found.id'''

        for _ in range(4):
            self.statements, self.checks = [], []
            self.trace(False)
            self.same('SELECT s.id, f.slice_out, f.slice_in FROM slice AS s JOIN following_flow(s.id) AS f',
                      search(('rel.high', 'rel.low'), 'slice_out', 'slice_in'))
            self.same('SELECT s.id, f.slice_out, f.slice_in FROM slice AS s JOIN preceding_flow(s.id) AS f',
                      search(('rel.low', 'rel.high'), 'slice_in', 'slice_out'))
            both = [search(None, out, back) for out, back in (('slice_out', 'slice_in'), ('slice_in', 'slice_out'))]
            self.same('SELECT DISTINCT s.id, f.slice_out, f.slice_in FROM slice AS s '
                      'JOIN directly_connected_flow(s.id) AS f',
                      f'SELECT * FROM ({both[0]}) UNION SELECT * FROM ({both[1]})')
            self.same('SELECT f.id, count(*) FROM slice AS s JOIN following_flow(s.id) AS f GROUP BY f.id',
                      '''WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM n WHERE id < 200)
                      SELECT n.id, count(*) FROM n JOIN (SELECT s.id, count(*) AS flows FROM slice AS s
                      JOIN following_flow(s.id) AS f GROUP BY s.id) AS c ON c.flows > n.id GROUP BY n.id''')
            self.run_all()

    def test_layouts(self):
        for _ in range(3):
            self.statements, self.checks = [], []
            self.trace(True)
            # Two slices of one layout row do not overlap; a child is one row below its parent; a tree whose time is
            # free of all trees begins at row 0.
            layout = "experimental_slice_layout((SELECT group_concat(id) FROM track))"
            self.same(f'SELECT id FROM {layout}', 'SELECT id FROM slice', True)
            self.sql(f'CREATE TABLE l AS SELECT * FROM {layout} JOIN slice USING (id)')
            self.same('''SELECT count(*) FROM l AS a JOIN l AS b ON a.layout_depth = b.layout_depth AND a.id < b.id
                AND b.ts < a.ts + iif(a.dur < 0, 10000000, a.dur) AND a.ts < b.ts + iif(b.dur < 0, 10000000, b.dur)''',
                      'SELECT 0')
            self.same('SELECT l.layout_depth FROM l JOIN l AS p ON p.id = l.parent_id ORDER BY l.id',
                      'SELECT p.layout_depth + 1 FROM l JOIN l AS p ON p.id = l.parent_id ORDER BY l.id', True)
            self.same('SELECT min(layout_depth) FROM l', 'SELECT 0')
            # One track: the rows are the depths.
            self.same('''SELECT t.id, s.id, s.layout_depth FROM thread_track AS t
                JOIN experimental_slice_layout(CAST(t.id AS TEXT)) AS s''', 'SELECT track_id, id, depth FROM slice')
            # The innermost slice at each moment.
            moments = 'WITH RECURSIVE m(t) AS (SELECT 5000 UNION ALL SELECT t + 7000 FROM m WHERE t < 300000)'
            self.same(f'''{moments}, f AS MATERIALIZED (SELECT * FROM experimental_flat_slice(5000, 300000))
                SELECT t, f.track_id, f.source_id, f.name FROM m JOIN f ON t >= f.ts AND t < f.ts + f.dur''',
                      f'''{moments}, tracks AS (SELECT DISTINCT track_id FROM slice WHERE ts < 300000 AND dur != 0
                        AND (dur < 0 OR ts + dur > 5000)),
                      inner AS (SELECT t, track_id, (SELECT id FROM slice AS s WHERE s.track_id = tracks.track_id
                        AND t >= s.ts AND (s.dur < 0 OR t < s.ts + s.dur) ORDER BY depth DESC LIMIT 1) AS id
                        FROM m JOIN tracks WHERE t < 300000)
                      SELECT t, inner.track_id, id, (SELECT name FROM slice WHERE slice.id = inner.id) FROM inner''')
            self.run_all()

    def test_internal_layout(self):
        for _ in range(20):
            rows = sorted((self.random.randrange(30), i, self.random.choice((-1, 0, 1, 3, 9)))
                          for i in range(self.random.randrange(16)))
            self.table('s', ['ts', 'id', 'dur'], rows)
            self.sql('DROP TABLE IF EXISTS l')
            self.sql('''CREATE TABLE l AS SELECT id, ts, dur, internal_layout(ts, dur) OVER (ORDER BY ts, id
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS row FROM s''')
            # Each slice has the lowest row that no earlier open slice has.
            open_ = '''EXISTS (SELECT 1 FROM l AS o WHERE (o.ts, o.id) < (l.ts, l.id) AND o.row = {}
                AND o.dur != 0 AND (o.dur = -1 OR o.ts + o.dur > l.ts))'''
            self.same('SELECT id, row FROM l',
                      '''WITH RECURSIVE n(row) AS (SELECT 0 UNION ALL SELECT row + 1 FROM n WHERE row < 20)
                      SELECT id, (SELECT min(n.row) FROM n WHERE NOT ''' + open_.format('n.row') + ') FROM l')
        self.run_all()


if __name__ == '__main__':
    unittest.main()
