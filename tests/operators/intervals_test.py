#!/usr/bin/env python3
"""Macros on intervals and counters against plain SQL: intersections, overlaps, unions, gaps, flattened trees."""
import json
import pathlib
import tempfile
import unittest

from checks import Checks

SAMPLES = 30  # moments at which coverage is compared
MOMENTS = f'WITH RECURSIVE moment(t) AS (SELECT 0 UNION ALL SELECT t + 1 FROM moment WHERE t < {SAMPLES})'


class Intervals(Checks):
    def intervals(self, name, most, least_dur=0, parts=(1, 2, None, 'b')):
        rows = [(i + 1, self.random.randrange(25), max(least_dur, self.random.randrange(8) - 1),
                 self.random.choice(parts)) for i in range(self.random.randrange(most))]
        self.table(name, ['id', 'ts', 'dur', 'p'], rows)

    def test_intersections(self):
        self.include('intervals.intersect')
        for _ in range(12):
            for name in ('a', 'b', 'c'):
                self.intervals(name, 14)
            meets = '({0}.ts = {1}.ts OR ({0}.ts < {1}.ts + {1}.dur AND {1}.ts < {0}.ts + {0}.dur))'
            cut = 'max({0}) AS ts, min({1}) - max({0}) AS dur'
            two = cut.format('a.ts, b.ts', 'a.ts + a.dur, b.ts + b.dur')
            self.same('SELECT ts, dur, id_0, id_1, p FROM _interval_intersect!((a, b), (p))',
                      f'SELECT {two}, a.id, b.id, a.p FROM a JOIN b ON a.p IS b.p AND {meets.format("a", "b")}')
            three = cut.format('a.ts, b.ts, c.ts', 'a.ts + a.dur, b.ts + b.dur, c.ts + c.dur')
            self.same('SELECT ts, dur, id_0, id_1, id_2 FROM _interval_intersect!((a, b, c), ())',
                      f'SELECT {three}, a.id, b.id, c.id FROM a JOIN b ON {meets.format("a", "b")} '
                      f'JOIN c ON {meets.format("a", "c")} AND {meets.format("b", "c")}')
            self.same('SELECT id, ts, dur FROM _interval_intersect_single!(6, 9, a)',
                      f'SELECT id, max(ts, 6), min(ts + dur, 15) - max(ts, 6) FROM a WHERE ts < 15 AND '
                      '(ts + dur > 6 OR ts = 6)')
            self.same('SELECT ts, dur, id_0, id_1 FROM _interval_intersect_with_col_names!('
                      '(SELECT id AS x, ts AS y, dur AS z, p FROM a), x, y, z, b, id, ts, dur, (p))',
                      f'SELECT {two}, a.id, b.id FROM a JOIN b ON a.p IS b.p AND {meets.format("a", "b")}')
            self.same('SELECT * FROM interval_self_intersect!(a)', '''
                WITH point AS (SELECT ts FROM a UNION SELECT ts + dur FROM a),
                  segment AS (SELECT ts, (SELECT count(*) FROM point AS o WHERE o.ts <= point.ts) AS number,
                    coalesce((SELECT min(o.ts) FROM point AS o WHERE o.ts > point.ts) - ts, 0) AS dur FROM point)
                SELECT s.ts, s.dur, s.number, a.id, 0 FROM segment AS s
                  JOIN a ON a.ts <= s.ts AND a.ts + a.dur >= s.ts + s.dur AND a.dur > 0 AND s.dur > 0
                UNION ALL SELECT s.ts, s.dur, s.number, a.id, 1 FROM segment AS s JOIN a ON a.ts + a.dur = s.ts''')
        self.run_all()

    def test_intersections_of_many_tables(self):
        self.include('intervals.intersect')
        names = [f't{i}' for i in range(15)]
        for name in names:
            self.table(name, ['id', 'ts', 'dur', 'p'],
                       [(i, self.random.randrange(20), 5 + self.random.randrange(60), 1) for i in range(2)])
        starts, ends = ', '.join(f'{n}.ts' for n in names), ', '.join(f'{n}.ts + {n}.dur' for n in names)
        self.same(f'SELECT count(*), sum(dur), sum(ts) FROM _interval_intersect!(({", ".join(names)}), (p))',
                  f'SELECT count(*), sum(min({ends}) - max({starts})), sum(max({starts})) FROM {", ".join(names)} '
                  f'WHERE max({starts}) < min({ends})')
        self.run_all()

    def test_overlaps(self):
        self.include('intervals.overlap')
        for _ in range(20):
            self.intervals('a', 14, -1, (1, 2, 3))
            self.same('SELECT ts, value FROM intervals_overlap_count!(a, ts, dur)', '''
                SELECT ts, (SELECT count(*) FROM a WHERE a.ts <= point.ts AND (dur = -1 OR a.ts + dur > point.ts))
                FROM (SELECT ts FROM a UNION SELECT ts + dur FROM a WHERE dur != -1) AS point ORDER BY ts''', True)
            self.same('SELECT ts, value, group_name FROM intervals_overlap_count_by_group!(a, ts, dur, p)', '''
                SELECT ts, (SELECT count(*) FROM a
                  WHERE a.p = point.p AND a.ts <= point.ts AND (dur = -1 OR a.ts + dur > point.ts)), p
                FROM (SELECT ts, p FROM a UNION SELECT ts + dur, p FROM a WHERE dur != -1) AS point''')
            self.same('SELECT _intervals_overlap_in_table!(a)', '''
                SELECT EXISTS (SELECT 1 FROM a JOIN a AS b ON (a.ts, a.id) < (b.ts, b.id) AND a.dur != -1
                  AND a.ts + a.dur > b.ts AND NOT EXISTS (SELECT 1 FROM a AS c
                  WHERE (a.ts, a.id) < (c.ts, c.id) AND (c.ts, c.id) < (b.ts, b.id)))''')
        self.run_all()

    def test_unions(self):
        self.include('intervals.overlap')
        # A moment t stands for the time from t to t + 1. A gap up to epsilon is closed, so a moment belongs to the
        # union if an interval ends at most epsilon before it or covers it, and one begins behind it as near.
        for round_ in range(20):
            epsilon = round_ % 4
            self.intervals('a', 12, 1, (1, 2, None))
            self.same(f'''{MOMENTS} SELECT t FROM moment
                JOIN interval_merge_overlapping!(a, {epsilon}) AS u ON t >= u.ts AND t < u.ts + u.dur''', f'''
                {MOMENTS} SELECT t FROM moment WHERE EXISTS (SELECT 1 FROM a WHERE t >= ts AND t < ts + dur)
                OR (SELECT min(ts) FROM a WHERE ts > t) - (SELECT max(ts + dur) FROM a WHERE ts <= t) <= {epsilon}''')
            # Results are disjoint, with gaps of more than epsilon.
            self.same(f'''SELECT count(*) FROM interval_merge_overlapping!(a, {epsilon}) AS u
                JOIN interval_merge_overlapping!(a, {epsilon}) AS v ON u.ts < v.ts AND u.ts + u.dur + {epsilon} >= v.ts''',
                      'SELECT 0')
            self.same(f'''{MOMENTS} SELECT t, p FROM moment
                JOIN interval_merge_overlapping_partitioned!(a, (p)) AS u ON t >= u.ts AND t < u.ts + u.dur''', f'''
                {MOMENTS} SELECT DISTINCT t, p FROM moment JOIN a ON t >= ts AND t < ts + dur''')
            self.same('''SELECT count(*) FROM interval_merge_overlapping_partitioned!(a, (p)) AS u
                JOIN interval_merge_overlapping_partitioned!(a, (p)) AS v
                ON u.p IS v.p AND u.ts < v.ts AND u.ts + u.dur >= v.ts''', 'SELECT 0')
        self.run_all()

    def test_creation(self):
        self.include('intervals.create_intervals')
        for _ in range(20):
            for name in ('starts', 'ends'):
                self.table(name, ['ts'], [(self.random.randrange(30),) for _ in range(self.random.randrange(12))])
            self.same('SELECT ts, dur FROM _interval_create!((SELECT ts FROM starts ORDER BY ts), '
                      '(SELECT ts FROM ends ORDER BY ts))',
                      'SELECT ts, (SELECT min(e.ts) FROM ends AS e WHERE e.ts > starts.ts) - ts AS dur FROM starts '
                      'WHERE dur IS NOT NULL')
        self.run_all()

    def test_counters(self):
        self.include('counters.intervals')
        for _ in range(20):
            times = sorted(self.random.sample(range(40), self.random.randrange(20)))
            self.table('c', ['id', 'ts', 'track_id', 'value'],
                       [(i, ts - 40, self.random.randrange(4), self.random.choice((1.0, 2.5, -3.0)))
                        for i, ts in enumerate(times)])
            near = '(SELECT {0} FROM c AS o WHERE o.track_id = c.track_id AND o.ts {1} c.ts ORDER BY o.ts {2} LIMIT 1)'
            following = near.format('{0}', '>', 'ASC')
            self.same('SELECT id, ts, dur, track_id, value, next_value, delta_value FROM counter_leading_intervals!(c)',
                      f'SELECT id, ts, coalesce({following.format("ts")}, trace_end()) - ts, track_id, value, '
                      f'{following.format("value")}, value - {near.format("value", "<", "DESC")} FROM c')
        self.run_all()


class Gaps(Checks):
    """Within a trace from 0 to 30 us."""
    inputs = ['-']

    def query(self, statements):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder, 'trace.json')
            trace.write_text(json.dumps([{'ph': 'X', 'ts': 0, 'dur': 0.03, 'pid': 1, 'tid': 1, 'name': 'x'}]))
            self.inputs = [str(trace)]
            return super().query(statements)

    def test_gaps(self):
        self.include('intervals.fill_gaps')
        for _ in range(20):
            rows, ends = [], {}
            for i in range(self.random.randrange(10)):
                group = self.random.randrange(3)
                ts = ends.get(group, 0) + self.random.randrange(4)
                dur = 1 + self.random.randrange(4)
                ends[group] = ts + dur
                if ts + dur <= 30:
                    rows.append((ts, dur, group, i))
            self.table('a', ['ts', 'dur', 'g', 'd'], rows)
            # The moments of each group that no row covers, as maximal runs.
            self.same(f'{MOMENTS} SELECT t, g, d FROM moment JOIN _intervals_fill_gaps!((g), (d), a) AS f '
                      'ON t >= ts AND t < ts + dur',
                      f'{MOMENTS} SELECT t, g.g, a.d FROM moment JOIN (SELECT DISTINCT g FROM a UNION ALL '
                      'SELECT NULL WHERE NOT EXISTS (SELECT 1 FROM a)) AS g '
                      'LEFT JOIN a ON a.g = g.g AND t >= a.ts AND t < a.ts + a.dur WHERE t < 30')
            self.same('SELECT count(*) FROM _intervals_fill_gaps!((g), (d), a) AS x '
                      'JOIN _intervals_fill_gaps!((g), (d), a) AS y ON x.g IS y.g AND x.d IS NULL AND y.d IS NULL '
                      'AND x.ts + x.dur = y.ts', 'SELECT 0')
        self.run_all()


class Trees(Checks):
    """Roots with nested intervals below them."""

    def tree(self):
        """Disjoint roots, and intervals that nest."""
        roots, children = [], []
        end = 0
        for root in range(1, 1 + self.random.randrange(1, 4)):
            ts = end + self.random.randrange(3)
            dur = 1 + self.random.randrange(9)
            end = ts + dur
            roots.append((root, ts, dur, root % 2))
            self.nest(root, None, ts, end, children, 0)
        self.table('root', ['id', 'ts', 'dur', 'k'], roots)
        self.table('child', ['root_id', 'id', 'parent_id', 'ts', 'dur', 'k'], children)

    def nest(self, root, parent, ts, end, children, depth):
        while ts < end and self.random.random() < 0.7:
            ts += self.random.randrange(2)
            dur = self.random.randrange(1, max(2, end - ts + 1))
            if ts + dur > end:
                return
            child = 100 + len(children)
            children.append((root, child, parent, ts, dur, root % 2))
            if depth < 3:
                self.nest(root, child, ts, ts + dur, children, depth + 1)
            ts += dur

    def test_flattening(self):
        self.include('intervals.overlap')
        deepest = f'''{MOMENTS} SELECT t, root.id, coalesce((SELECT c.id FROM child AS c
            WHERE c.root_id = root.id AND t >= c.ts AND t < c.ts + c.dur ORDER BY c.dur, c.id DESC LIMIT 1), root.id)
            FROM moment JOIN root ON t >= root.ts AND t < root.ts + root.dur'''
        for _ in range(25):
            self.tree()
            self.same(f'''{MOMENTS} SELECT t, root_id, id FROM moment JOIN
                _intervals_flatten!(_intervals_merge_root_and_children!(root, child)) AS f
                ON t >= f.ts AND t < f.ts + f.dur''', deepest)
            # Only pieces of one node that a child parts are apart.
            self.same('''WITH f AS (SELECT * FROM
                _intervals_flatten!(_intervals_merge_root_and_children!(root, child)))
                SELECT count(*) FROM f JOIN f AS g ON f.root_id = g.root_id AND f.id = g.id AND f.ts + f.dur = g.ts''',
                      'SELECT 0')
            self.same('SELECT root_id, root_ts, root_dur, id, parent_id, ts, dur FROM '
                      '_intervals_merge_root_and_children!(root, child)',
                      'SELECT root.id, root.ts, root.dur, c.id, c.parent_id, c.ts, c.dur FROM root '
                      'LEFT JOIN child AS c ON c.root_id = root.id')
            self.same('SELECT root_id, root_ts, root_dur, id, parent_id, ts, dur FROM '
                      '_intervals_merge_root_and_children_by_intersection!(root, child, k)',
                      'SELECT root.id, root.ts, root.dur, c.id, iif(c.id IS NULL, NULL, coalesce(c.parent_id, root.id)),'
                      'max(c.ts, root.ts), min(c.ts + c.dur, root.ts + root.dur) - max(c.ts, root.ts) FROM root '
                      'LEFT JOIN child AS c ON c.k = root.k AND c.ts < root.ts + root.dur AND root.ts < c.ts + c.dur')
        self.run_all()


class Errors(Checks):
    def test_negative_durations(self):
        error = self.error('INCLUDE PERFETTO MODULE intervals.intersect', 'CREATE TABLE a(id, ts, dur)',
                           'INSERT INTO a VALUES (1, 5, -1)',
                           'SELECT * FROM _interval_intersect!((a, a), ())')
        self.assertIn('Interval intersect only works on intervals with non negative duration.', error)

    def test_empty_tables(self):
        self.include('intervals.intersect', 'intervals.overlap', 'intervals.create_intervals', 'counters.intervals')
        self.table('a', ['id', 'ts', 'dur', 'p'], [])
        self.table('one', ['id', 'ts', 'dur', 'p', 'track_id', 'value'], [(1, 2, 3, 4, 5, 6)])
        for operator in ('_interval_intersect!((a, one), (p))', '_interval_intersect!((one, a), ())',
                         'interval_self_intersect!(a)', '_interval_create!(a, one)', '_interval_create!(one, a)',
                         'intervals_overlap_count!(a, ts, dur)', 'interval_merge_overlapping!(a, 0)',
                         'intervals_overlap_count_by_group!(a, ts, dur, p)',
                         'interval_merge_overlapping_partitioned!(a, (p))',
                         'counter_leading_intervals!((SELECT * FROM one WHERE 0))'):
            self.same(f'SELECT count(*) FROM {operator}', 'SELECT 0')
        self.run_all()


if __name__ == '__main__':
    unittest.main()
