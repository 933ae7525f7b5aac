#!/usr/bin/env python3
"""Reduction of counters and slices to steps of time, and windows, against plain SQL on random tables."""
import unittest

from checks import Checks

STEPS = 'WITH RECURSIVE step(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM step WHERE k < 60)'


class Mipmaps(Checks):
    def window(self):
        start = self.random.randrange(-5, 30)
        return start, start + self.random.randrange(1, 40), self.random.randrange(1, 9)

    def test_counters(self):
        for _ in range(25):
            times = sorted(self.random.sample(range(50), self.random.randrange(25)))
            self.table('c', ['ts', 'value'], [(ts, float(self.random.randrange(-9, 9))) for ts in times])
            self.sql('DROP TABLE IF EXISTS m')
            self.sql('CREATE VIRTUAL TABLE m USING __intrinsic_counter_mipmap((SELECT ts, value FROM c))')
            for _ in range(4):
                start, end, step = self.window()
                # The last sample before the start counts for the first step.
                self.same(f'SELECT min_value, max_value, last_ts, last_value FROM m({start}, {end}, {step})', f'''
                    {STEPS}, sample AS (SELECT max(ts, {start}) AS at, ts, value FROM c
                      WHERE ts >= coalesce((SELECT max(ts) FROM c WHERE ts <= {start}), {start})),
                    reduced AS (SELECT k, min(value) AS least, max(value) AS most, max(ts) AS last FROM step JOIN sample
                      ON at >= {start} + k * {step} AND at < {start} + (k + 1) * {step}
                      WHERE {start} + k * {step} < {end} GROUP BY k)
                    SELECT least, most, last, (SELECT value FROM c WHERE ts = last) FROM reduced ORDER BY k''', True)
        self.run_all()

    def test_slices(self):
        for _ in range(25):
            rows, end = [], {}
            for i in range(self.random.randrange(25)):
                depth = self.random.randrange(3)
                ts = end.get(depth, 0) + self.random.randrange(4)
                dur = self.random.randrange(7)
                end[depth] = ts + dur + (dur == 0)
                rows.append((i, ts, dur, depth))
            self.table('s', ['id', 'ts', 'dur', 'depth'], rows)
            self.sql('DROP TABLE IF EXISTS m')
            self.sql('CREATE VIRTUAL TABLE m USING __intrinsic_slice_mipmap((SELECT id, ts, dur, depth FROM s))')
            for _ in range(4):
                start, end_, step = self.window()
                self.same(f'SELECT ts, id, count, dur, depth FROM m({start}, {end_}, {step})', f'''
                    {STEPS}, piece AS (SELECT *, max(ts, {start}) AS at FROM s
                      WHERE ts >= {start} OR ts + dur > {start}),
                    numbered AS (SELECT k, id, ts, dur, depth, count(*) OVER (PARTITION BY depth, k) AS n,
                      row_number() OVER (PARTITION BY depth, k ORDER BY dur DESC, ts) AS number FROM step JOIN piece
                      ON at >= {start} + k * {step} AND at < {start} + (k + 1) * {step}
                      WHERE {start} + k * {step} < {end_})
                    SELECT ts, id, n, dur, depth FROM numbered WHERE number = 1 ORDER BY depth, k''', True)
        self.run_all()

    def test_module(self):
        self.include('intervals.mipmap')
        for _ in range(20):
            self.table('s', ['id', 'ts', 'dur', 'p'],
                       [(i, self.random.randrange(40), self.random.randrange(12), self.random.randrange(2))
                        for i in range(self.random.randrange(15))])
            best = f'''{STEPS}, cut AS (SELECT k, id, p, min(ts + dur, 5 + (k + 1) * 6, 35) - max(ts, 5 + k * 6) AS part
                  FROM step JOIN s ON ts < min(5 + (k + 1) * 6, 35) AND ts + dur > 5 + k * 6 AND dur > 0
                  WHERE 5 + k * 6 < 35),
                best AS (SELECT *, row_number() OVER (PARTITION BY p, k ORDER BY part DESC, id) AS number FROM cut)'''
            of = '(s, _mipmap_buckets!(5, 35, 6), (p))'
            self.same(f'SELECT bucket_id, id, ts, dur, covered_dur, p FROM _mipmap_dominant!{of}',
                      f'{best} SELECT k, id, 5 + k * 6, min(6, 35 - 5 - k * 6), part, p FROM best WHERE number = 1')
            self.same(f'{STEPS} SELECT id, p, k FROM _mipmap_merged!{of} AS m '
                      'JOIN step ON 5 + 6 * k >= ts AND 5 + 6 * k < ts + dur',
                      f'{best} SELECT id, p, k FROM best WHERE number = 1')
            self.same(f'SELECT count(*) FROM _mipmap_merged!{of} AS m JOIN _mipmap_merged!{of} AS n '
                      'ON m.id = n.id AND m.p = n.p AND m.ts + m.dur = n.ts', 'SELECT 0')
        self.run_all()

    def test_windows(self):
        for i in range(20):
            start, dur, quantum = (self.random.randrange(50) for _ in range(3))
            self.sql(f'CREATE VIRTUAL TABLE w{i} USING __intrinsic_window({start}, {dur}, {quantum})')
            self.same(f'SELECT ts, dur, quantum_ts FROM w{i}',
                      f'SELECT {start}, {dur}, 0' if quantum == 0 else
                      f'{STEPS} SELECT {start} + k * {quantum}, {quantum}, k FROM step WHERE k * {quantum} < {dur}', True)
        self.run_all()

    def test_errors(self):
        table = 'CREATE TABLE t(id, ts, dur, depth, value)'
        module = 'CREATE VIRTUAL TABLE m USING __intrinsic_{0}_mipmap((SELECT * FROM t))'
        for kind in ('counter', 'slice'):
            self.assertIn('the step must be positive',
                          self.error(table, module.format(kind), 'SELECT * FROM m(0, 9, 0)'))
            self.assertIn('no query solution', self.error(table, module.format(kind), 'SELECT * FROM m(0, 9)'))
        self.assertIn('slice_mipmap: id 5000000000 is too large to fit in 32 bits',
                      self.error(table, 'INSERT INTO t VALUES (5000000000, 1, 1, 1, 1)', module.format('slice')))


if __name__ == '__main__':
    unittest.main()
