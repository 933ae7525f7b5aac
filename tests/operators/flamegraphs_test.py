#!/usr/bin/env python3
"""Flamegraphs against sums over whole stacks, on random trees."""
import re
import unittest

from checks import Checks, literal


class Flamegraphs(Checks):
    def tree(self):
        """A random tree. Returns the stack (names, root first), value and weight of each node."""
        rows, stacks = [], []
        for node in range(self.random.randrange(1, 18)):
            parent = self.random.randrange(node) if node > 0 and self.random.random() < 0.85 else None
            name = self.random.choice(['a', 'b', 'c', 'aa', None] if node % 9 == 8 else ['a', 'b', 'c', 'aa'])
            value = self.random.randrange(4)
            weight = self.random.randrange(5) if value != 0 else 0  # of hidden nodes
            rows.append((node, parent, name, value, weight))
            stacks.append(((stacks[parent][0] if parent is not None else ()) + (name,), value, weight))
        self.random.shuffle(rows)
        self.table('t', ['id', 'parent_id', 'name', 'value', 'weight'], rows)
        self.sql('DROP TABLE IF EXISTS fg')
        self.sql('CREATE VIRTUAL TABLE fg USING __intrinsic_flamegraph((SELECT * FROM t))')
        return stacks

    @staticmethod
    def matches(pattern, name):
        """A pattern in capitals is one with the flag i."""
        return name is not None and re.search(pattern, name, re.I if pattern.isupper() else 0) is not None

    @staticmethod
    def with_flags(pattern):
        return f"'{pattern}', '{'i' if pattern.isupper() else ''}'"

    def filtered(self, stacks, filters):
        kept = []
        for stack, value, weight in stacks:
            keep = True
            shown = stack
            for kind, pattern in filters:
                hit = any(self.matches(pattern, name) for name in stack)
                if kind == 'HIDE_FRAME':
                    shown = tuple(name for name in shown if not self.matches(pattern, name))
                elif hit != (kind == 'SHOW_STACK'):
                    keep = False
            if keep and shown:
                kept.append((shown, value, weight))
        return kept

    def viewed(self, stacks, view, pattern):
        """(direction, names from the root of the result) -> self and cumulative sums."""
        nodes = {}

        def add(direction, path, is_self, value, weight):
            node = nodes.setdefault((direction, path), [0, 0, 0, 0])
            for i, amount in enumerate((value, weight)):
                node[2 * i] += amount if is_self else 0
                node[2 * i + 1] += amount

        for stack, value, weight in stacks:
            first = next((i for i, name in enumerate(stack) if pattern and self.matches(pattern, name)), None)
            if view in ('PIVOT', 'FROM_FRAME') and first is None:
                continue
            down = stack[first or 0:]
            if view != 'BOTTOM_UP':
                for i in range(len(down)):
                    add(1, down[:i + 1], i + 1 == len(down), value, weight)
            # Only nodes with a value of their own are roots.
            if view == 'PIVOT' or (view == 'BOTTOM_UP' and value != 0):
                up = tuple(reversed(stack[:first + 1] if view == 'PIVOT' else stack))
                for i in range(len(up)):
                    add(-1, up[:i + 1], i == 0, value, weight)
        return {key: node for key, node in nodes.items() if node[1] != 0}

    def check(self, stacks, filters, view, pattern):
        config = ["'value', 'value'", "'value', 'weight'", f"'view', '{view}'"]
        if pattern:
            config.append(f"'view_pattern', {self.with_flags(pattern)}")
        config += [f"'filter', '{kind}', {self.with_flags(of)}" for kind, of in filters]
        nodes = self.viewed(self.filtered(stacks, filters), view, pattern)
        rows = [f'SELECT {literal("/".join(name or "-" for name in path))} AS path, {direction * len(path)} AS depth, '
                + ', '.join(map(str, sums)) for (direction, path), sums in nodes.items()]
        self.sql('DROP TABLE IF EXISTS r')
        self.sql(f'CREATE TABLE r AS SELECT * FROM fg(__intrinsic_flamegraph_config({", ".join(config)}))')
        self.same('''WITH RECURSIVE n(id, path) AS (SELECT _tree_id, coalesce(name, '-') FROM r
            WHERE _tree_parent_id IS NULL UNION ALL
            SELECT _tree_id, path || '/' || coalesce(name, '-') FROM n JOIN r ON _tree_parent_id = n.id)
            SELECT path, depth, CAST(self_value AS INT), CAST(cumulative_value AS INT), CAST(self_weight AS INT),
            CAST(cumulative_weight AS INT) FROM n JOIN r ON _tree_id = n.id''',
                  ' UNION ALL '.join(rows) if rows else 'SELECT 1 WHERE 0')
        # Rows come breadth first; children lie side by side within their parent, the largest first.
        self.same('''SELECT count(*) FROM r AS a JOIN r AS b ON a._tree_parent_id IS b._tree_parent_id
            AND (a.depth > 0) = (b.depth > 0) AND a._tree_id < b._tree_id
            AND (a.x_end > b.x_start OR a.cumulative_value < b.cumulative_value)''', 'SELECT 0')
        self.same('''SELECT count(*) FROM r AS a JOIN r AS p ON a._tree_parent_id = p._tree_id
            WHERE a.x_start < p.x_start OR a.x_end > p.x_end OR abs(a.depth) != abs(p.depth) + 1
            OR a.parent_cumulative_value != p.cumulative_value OR a._tree_id <= p._tree_id''', 'SELECT 0')
        self.same('SELECT count(*) FROM r WHERE x_end - x_start != cumulative_value', 'SELECT 0')
        if view == 'TOP_DOWN':  # filters leave the sum of all
            self.same(f'''SELECT depth, name, cumulative_value FROM fg(__intrinsic_flamegraph_config({", ".join(config)}))
                WHERE __intrinsic_flamegraph_find(_tree_id, 'SUPER_ROOT')''',
                      f'SELECT 0, NULL, {float(sum(value for _, value, _ in stacks))}')

    def test_views(self):
        for _ in range(12):
            stacks = self.tree()
            for view, pattern in (('TOP_DOWN', None), ('BOTTOM_UP', None), ('PIVOT', 'a'), ('PIVOT', '^b$'),
                                  ('FROM_FRAME', 'a'), ('FROM_FRAME', '^aa$'), ('PIVOT', 'A'), ('FROM_FRAME', 'B')):
                self.check(stacks, [], view, pattern)
        self.run_all()

    def test_filters(self):
        for _ in range(20):
            stacks = self.tree()
            filters = [(kind, self.random.choice(['a', 'b', '^a$', 'x', 'C', 'X']))
                       for kind in self.random.sample(['SHOW_STACK', 'HIDE_STACK', 'HIDE_FRAME', 'SHOW_STACK'],
                                                      self.random.randrange(1, 3))]
            self.check(stacks, filters, self.random.choice(['TOP_DOWN', 'BOTTOM_UP']), None)
            self.check(stacks, filters, self.random.choice(['PIVOT', 'FROM_FRAME']), self.random.choice(['a', '^b$', 'B']))
        self.run_all()

    def test_aggregates(self):
        for _ in range(10):
            self.tree()
            self.sql('ALTER TABLE t ADD COLUMN file')
            self.sql("UPDATE t SET file = iif(weight = 0, NULL, 'f' || weight)")
            self.sql('DROP TABLE fg')
            self.sql('CREATE VIRTUAL TABLE fg USING __intrinsic_flamegraph((SELECT * FROM t))')
            joined = """WITH RECURSIVE p(id, path) AS (SELECT id, coalesce(name, '-') FROM t WHERE parent_id IS NULL
                UNION ALL SELECT t.id, path || '/' || coalesce(name, '-') FROM p JOIN t ON t.parent_id = p.id),
                n(id, path) AS (SELECT _tree_id, coalesce(name, '-') FROM r WHERE _tree_parent_id IS NULL UNION ALL
                SELECT _tree_id, path || '/' || coalesce(name, '-') FROM n JOIN r ON _tree_parent_id = n.id)"""
            for kind, column, expected in (
                    ('SUM', 'weight', 'sum(weight)'), ('CONCAT_WITH_COMMA', 'file', 'group_concat(file)'),
                    ('ONE_OR_SUMMARY', 'file', '''CASE count(DISTINCT file) WHEN 0 THEN NULL WHEN 1 THEN min(file)
                      ELSE (SELECT file FROM t AS first JOIN p AS q USING (id) WHERE q.path = s.path AND file NOT NULL
                        ORDER BY first.rowid LIMIT 1) || ' and ' || count(file) || ' others' END''')):
                self.sql('DROP TABLE IF EXISTS r')
                self.sql(f"""CREATE TABLE r AS SELECT * FROM fg(__intrinsic_flamegraph_config('value', 'value',
                    'aggregate', '{kind}', '{column}', '{column}'))""")
                self.same(f'{joined} SELECT path, {column} FROM n JOIN r ON _tree_id = n.id', f'''{joined}
                    SELECT path, {expected} FROM (SELECT p.path, t.* FROM t JOIN p USING (id) ORDER BY t.rowid) AS s
                    WHERE path IN (SELECT path FROM n) GROUP BY path''')
        self.run_all()

    def test_groups(self):
        for _ in range(10):
            self.tree()
            # Grouping by a column is the same as its value in the name.
            self.sql('DROP TABLE IF EXISTS named')
            self.sql("""CREATE VIRTUAL TABLE named USING __intrinsic_flamegraph((SELECT id, parent_id,
                coalesce(name, '-') || weight AS name, value FROM t))""")
            self.same("""SELECT coalesce(name, '-') || weight, depth, self_value, cumulative_value
                FROM fg(__intrinsic_flamegraph_config('value', 'value', 'grouping', 'weight'))""",
                      """SELECT name, depth, self_value, cumulative_value
                FROM named(__intrinsic_flamegraph_config('value', 'value'))""")
        self.run_all()

    def test_errors(self):
        source = 'CREATE VIRTUAL TABLE f USING __intrinsic_flamegraph((SELECT {} AS id, {} AS parent_id, {} AS name, ' \
                 '{} AS value))'
        select = "SELECT * FROM f(__intrinsic_flamegraph_config('value', 'value'))"
        self.assertIn('non-negative', self.error(source.format(1, 'NULL', "'a'", -1), select))
        self.assertIn('numeric', self.error(source.format(1, 'NULL', "'a'", "'x'"), select))
        self.error(source.format(1, 1, "'a'", 1), select)
        empty = 'CREATE VIRTUAL TABLE f USING __intrinsic_flamegraph((SELECT id, parent_id, name, dur AS value FROM ' \
                'slice))'
        self.sql(empty)
        self.same('SELECT count(*) + 1 FROM f(__intrinsic_flamegraph_config(\'value\', \'value\'))', 'SELECT 1')
        self.run_all()


if __name__ == '__main__':
    unittest.main()
