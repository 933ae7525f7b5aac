#!/usr/bin/env python3
"""Critical paths of wakeups against a recursive query, on random spans of threads."""
import unittest

from checks import Checks

BRUTE_FORCE = '''
      WITH RECURSIVE
        _cp_node AS MATERIALIZED (
          SELECT id, ts, dur, utid, idle_dur, waker_id FROM nodes
        ),
        _cp_root AS MATERIALIZED (
          SELECT n.id, n.ts, n.dur, n.utid, n.ts - n.idle_dur AS sleep_ts, n.waker_id
          FROM (SELECT DISTINCT id FROM roots) AS r
          CROSS JOIN _cp_node AS n ON n.id = r.id
        ),
        _cp_walk(_root, _root_utid, _low, _id, _utid, _start, _end, _next, _depth) AS (
          SELECT r.id, r.utid, r.sleep_ts, w.id, w.utid, max(w.ts, r.sleep_ts), r.ts, w.waker_id, 1
          FROM _cp_root AS r
          CROSS JOIN _cp_node AS w ON w.id = r.waker_id
          WHERE r.sleep_ts < r.ts AND w.ts < r.ts
          UNION ALL
          SELECT
            p._root, p._root_utid, p._low, w.id, w.utid, max(w.ts, p._low), p._start, w.waker_id,
            p._depth + 1
          FROM _cp_walk AS p
          CROSS JOIN _cp_node AS w ON w.id = p._next
          WHERE p._start > p._low AND w.ts < p._start
        ),
        _cp_rest AS (
          SELECT r.id, r.utid, r.sleep_ts, coalesce(min(p._start), r.ts) AS end_ts
          FROM _cp_root AS r
          LEFT JOIN _cp_walk AS p ON p._root = r.id
          WHERE r.sleep_ts < r.ts
          GROUP BY r.id
        )
      SELECT
        r.id AS root_id, r.utid AS root_utid, r.id, r.ts, r.dur, r.utid, 0 AS depth
      FROM _cp_root AS r
      UNION ALL
      SELECT _root, _root_utid, _id, _start, _end - _start, _utid, _depth FROM _cp_walk
      UNION ALL
      SELECT id, utid, id, sleep_ts, end_ts - sleep_ts, utid, 0
      FROM _cp_rest
      WHERE end_ts > sleep_ts'''


class CriticalPaths(Checks):
    def spans(self):
        """Spans of some threads in the order of time; wakers are spans of other threads, mostly open at the wakeup."""
        ends, spans, number = {}, [], 0
        for _ in range(self.random.randrange(1, 20)):
            utid = self.random.randrange(1, 5)
            idle = self.random.randrange(8) if utid in ends else None
            ts = ends.get(utid, self.random.randrange(20)) + (idle or 0)
            dur = self.random.randrange(12)
            ends[utid] = ts + dur
            spans.append([ts, dur, utid, idle])
        spans.sort()
        rows = []
        for i, (ts, dur, utid, idle) in enumerate(spans):
            open_ = [j for j, other in enumerate(spans[:i]) if other[2] != utid and other[0] + other[1] >= ts]
            waker = self.random.choice(open_) if open_ and self.random.random() < 0.8 else \
                self.random.choice([None, self.random.randrange(len(spans)), 77])
            rows.append((i, ts, dur, utid, idle, waker))
        self.random.shuffle(rows)
        self.table('nodes', ['id', 'ts', 'dur', 'utid', 'idle_dur', 'waker_id'], rows)
        self.table('roots', ['id'], [(self.random.randrange(22),) for _ in range(self.random.randrange(6))])

    def test_paths(self):
        self.include('sched.thread_executing_span')
        for _ in range(40):
            self.spans()
            self.same('SELECT * FROM _critical_path_with_depth_by_roots!(roots, nodes)', BRUTE_FORCE)
            self.same('SELECT root_id, root_utid, id, ts, dur, utid FROM _critical_path_by_roots!(roots, nodes)',
                      f'SELECT root_id, root_utid, id, ts, dur, utid FROM ({BRUTE_FORCE})')
            # The pieces of a root cover its sleep and its span once.
            self.same('SELECT root_id, sum(dur) FROM _critical_path_by_roots!(roots, nodes) GROUP BY root_id',
                      'SELECT id, dur + coalesce(idle_dur, 0) FROM nodes WHERE id IN (SELECT id FROM roots)')
        self.run_all()

    def test_intervals(self):
        self.include('sched.thread_executing_span')
        for _ in range(20):
            self.spans()
            self.table('asked', ['utid', 'ts', 'dur'], [(utid, self.random.randrange(20), self.random.randrange(1, 20))
                                                        for utid in self.random.sample(range(1, 5), 2)])
            self.sql('DELETE FROM roots')
            self.sql('INSERT INTO roots SELECT id FROM nodes')
            self.same('SELECT root_id, root_utid, id, ts, dur, utid FROM _critical_path_by_intervals!(asked, nodes)',
                      f'''SELECT p.root_id, p.root_utid, p.id, max(p.ts, a.ts),
                      min(p.ts + p.dur, a.ts + a.dur) - max(p.ts, a.ts), p.utid FROM ({BRUTE_FORCE}) AS p JOIN asked AS a
                      ON a.utid = p.root_utid AND p.ts < a.ts + a.dur AND p.ts + p.dur > a.ts''')
        self.run_all()

    def test_empty(self):
        self.include('sched.thread_executing_span')
        self.table('nodes', ['id', 'ts', 'dur', 'utid', 'idle_dur', 'waker_id'], [])
        self.table('roots', ['id'], [(1,), (None,)])
        self.same('SELECT count(*) FROM _critical_path_by_roots!(roots, nodes)', 'SELECT 0')
        self.run_all()


if __name__ == '__main__':
    unittest.main()
