#!/usr/bin/env python3
"""Macros on graphs and trees against plain SQL, on random edges."""
import unittest

from checks import Checks


class Graphs(Checks):
    def graph(self, nodes=9, most=16, acyclic=False):
        edges = []
        for _ in range(1 + self.random.randrange(most)):
            source, target = self.random.randrange(nodes), self.random.randrange(nodes)
            if acyclic and source >= target:
                continue
            edges.append((source, target, self.random.randrange(6)))
        self.table('g', ['source_node_id', 'dest_node_id', 'edge_weight'], edges)
        self.table('starts', ['node_id', 'target'],
                   [(node, self.random.randrange(12)) for node in self.random.sample(range(nodes),
                                                                                     self.random.randrange(1, 3))])
        return edges

    REACHED = '''WITH RECURSIVE reached(id) AS (SELECT node_id FROM starts WHERE EXISTS (SELECT 1 FROM g)
        UNION SELECT dest_node_id FROM reached JOIN g ON source_node_id = id)'''

    def test_searches(self):
        self.include('graphs.search')
        for _ in range(30):
            self.graph()
            for order in ('dfs', 'bfs'):
                macro = f'graph_reachable_{order}!(g, starts)'
                self.same(f'SELECT node_id FROM {macro}', self.REACHED + 'SELECT id FROM reached')
                # Starts have no parent unless an earlier search reached them; others have one along an edge.
                self.same(f'''SELECT count(*) FROM {macro} AS r WHERE parent_node_id IS NOT NULL AND NOT EXISTS
                    (SELECT 1 FROM g WHERE source_node_id = parent_node_id AND dest_node_id = node_id)''', 'SELECT 0')
                self.same(f'''SELECT count(*) FROM {macro} WHERE parent_node_id IS NULL
                    AND node_id NOT IN (SELECT node_id FROM starts)''', 'SELECT 0')
        self.run_all()

    def test_breadth_first_is_shortest(self):
        self.include('graphs.search')
        for _ in range(20):
            self.graph()
            self.sql('DELETE FROM starts WHERE rowid > 1')
            self.sql('DROP TABLE IF EXISTS r')
            self.sql('CREATE TABLE r AS SELECT * FROM graph_reachable_bfs!(g, starts)')
            self.same('''WITH RECURSIVE d(id, n) AS (SELECT node_id, 0 FROM r WHERE parent_node_id IS NULL
                UNION ALL SELECT node_id, n + 1 FROM d JOIN r ON parent_node_id = id) SELECT id, n FROM d''',
                      '''WITH RECURSIVE d(id, n) AS (SELECT node_id, 0 FROM starts WHERE EXISTS (SELECT 1 FROM g)
                UNION SELECT dest_node_id, n + 1 FROM d JOIN g ON source_node_id = id WHERE n < 10)
                SELECT id, min(n) FROM d GROUP BY id''')
        self.run_all()

    def test_dominators(self):
        self.include('graphs.dominator_tree')
        for _ in range(20):
            edges = self.graph()
            root = edges[0][0]
            # a dominates b if b cannot be reached without a. The immediate one is dominated by the others.
            self.same(f'SELECT node_id, dominator_node_id FROM graph_dominator_tree!(g, {root})', f'''
                WITH RECURSIVE node(id) AS (SELECT source_node_id FROM g UNION SELECT dest_node_id FROM g
                  UNION SELECT -1),
                without(gone, id) AS (SELECT id, {root} FROM node WHERE id != {root} UNION
                  SELECT gone, dest_node_id FROM without JOIN g ON source_node_id = id WHERE dest_node_id != gone),
                reached AS (SELECT id FROM without WHERE gone = -1),
                dominates(a, b) AS (SELECT a.id, b.id FROM reached AS a JOIN reached AS b WHERE a.id != b.id
                  AND NOT EXISTS (SELECT 1 FROM without WHERE gone = a.id AND id = b.id))
                SELECT id, (SELECT a FROM dominates AS d WHERE b = reached.id AND
                  (SELECT count(*) FROM dominates WHERE b = d.a) = (SELECT count(*) FROM dominates WHERE b = reached.id)
                  - 1) FROM reached''')
        self.run_all()

    def test_bounded_weights(self):
        self.include('graphs.search')
        for _ in range(30):
            # Trees, where each node has one path.
            self.table('g', ['source_node_id', 'dest_node_id', 'edge_weight'],
                       [(self.random.randrange(node), node, self.random.randrange(6)) for node in range(1, 12)])
            self.table('starts', ['node_id', 'target'], [(0, self.random.randrange(14)),
                                                         (self.random.randrange(1, 12), self.random.randrange(8))])
            for floor in (0, 1):
                self.same(f'''SELECT root_node_id, node_id, parent_node_id FROM graph_reachable_weight_bounded_dfs!(g,
                    (SELECT node_id AS root_node_id, target AS root_target_weight FROM starts), {floor})''',
                          f'''WITH RECURSIVE walk(root, target, id, parent, weight) AS
                    (SELECT node_id, target, node_id, NULL, 0 FROM starts UNION ALL
                    SELECT root, target, dest_node_id, id, weight + edge_weight FROM walk
                    JOIN g ON source_node_id = id
                    WHERE {'weight <= target' if floor else 'weight + edge_weight <= target'})
                    SELECT root, id, parent FROM walk''')
        self.run_all()

    def test_scans(self):
        self.include('graphs.scan')
        for _ in range(20):
            self.graph(acyclic=True)
            self.table('init', ['id', 'value', 'name'], [(self.random.randrange(4), i + 1, 'x') for i in range(2)])
            # Every path of edges from a start hands on its value, plus one for each edge.
            self.same('''SELECT id, value, name FROM _graph_scan!(g, init, (value, name),
                (SELECT id, value + 1 AS value, name || value AS name FROM $table))''', '''
                WITH RECURSIVE walk(id, value, name) AS (SELECT id, value, name FROM init UNION ALL
                SELECT dest_node_id, value + 1, name || value FROM walk JOIN g ON source_node_id = walk.id)
                SELECT id, value, name FROM walk''')
        self.run_all()

    def test_aggregating_scans(self):
        self.include('graphs.scan')
        for _ in range(20):
            # Each node is a start, so that the edges of all arrive: the number of paths that end in a node, and the
            # length of the longest.
            edges = self.graph(acyclic=True)
            targets = {target for _, target, _ in edges}
            self.table('init', ['id', 'paths', 'length'],
                       [(node, 1, 0) for node in {source for source, _, _ in edges} - targets])
            self.same('''SELECT id, paths, length FROM _graph_aggregating_scan!(g, init, (paths, length),
                (SELECT id, sum(paths) AS paths, max(length) + 1 AS length FROM $table GROUP BY id))''', '''
                WITH RECURSIVE walk(id, length) AS (SELECT id, 0 FROM init UNION ALL
                SELECT dest_node_id, length + 1 FROM walk JOIN g ON source_node_id = walk.id)
                SELECT id, count(*), max(length) FROM walk GROUP BY id''')
        self.run_all()

    def test_errors(self):
        graph = 'CREATE TABLE g AS SELECT 1 AS source_node_id, {} AS dest_node_id'
        reach = 'SELECT * FROM graph_reachable_dfs!(g, (SELECT 1 AS node_id))'
        for bad in ('-1', "'a'", '5000000000', '1.5'):
            self.assertIn('node', self.error('INCLUDE PERFETTO MODULE graphs.search', graph.format(bad), reach))
        # A cycle has no topological order; its nodes are reached only by a step that hands rows round and round.
        self.include('graphs.scan')
        self.sql('CREATE TABLE g AS SELECT 1 AS source_node_id, 2 AS dest_node_id UNION ALL SELECT 2, 1')
        self.same('''SELECT count(*) FROM _graph_aggregating_scan!(g, (SELECT 5 AS id, 1 AS v), (v),
            (SELECT id, sum(v) AS v FROM $table GROUP BY id))''', 'SELECT 1')
        self.run_all()


class Trees(Checks):
    def tree(self):
        count = self.random.randrange(14)
        ids = self.random.sample(range(100), count)
        rows = [(ids[i], ids[self.random.randrange(i)] if i > 0 and self.random.random() < 0.85 else None,
                 self.random.randrange(3), self.random.choice('ab')) for i in range(count)]
        self.random.shuffle(rows)
        self.table('t', ['id', 'parent_id', 'group_key', 'name'], rows)
        return ids

    UP = '''WITH RECURSIVE up(id, above, n) AS (SELECT id, parent_id, 1 FROM t WHERE parent_id IS NOT NULL UNION ALL
        SELECT up.id, t.parent_id, n + 1 FROM up JOIN t ON t.id = up.above WHERE t.parent_id IS NOT NULL)'''

    def test_partitions(self):
        self.include('graphs.partition')
        for _ in range(25):
            self.tree()
            self.same('SELECT id, parent_id, group_key FROM tree_structural_partition_by_group!(t)', self.UP +
                      '''SELECT id, (SELECT above FROM up JOIN t AS a ON a.id = above WHERE up.id = t.id
                      AND a.group_key = t.group_key ORDER BY n LIMIT 1), group_key FROM t''')
        self.run_all()

    def test_hierarchies(self):
        self.include('graphs.hierarchy', 'graphs.search')
        for _ in range(25):
            ids = self.tree()
            starts = self.random.sample(ids, min(2, len(ids)))
            self.table('starts', ['id'], [(node,) for node in starts])
            self.same('SELECT id FROM _tree_reachable_ancestors_or_self!(t, starts)',
                      self.UP + '''SELECT above FROM up WHERE id IN (SELECT id FROM starts)
                      UNION SELECT id FROM starts''')
            self.same('''SELECT node_id, next_node_id FROM graph_next_sibling!((SELECT id AS node_id,
                parent_id AS node_parent_id, id * 7 % 11 * 100 + id AS sort_key FROM t))''',
                      '''SELECT id, (SELECT o.id FROM t AS o WHERE o.parent_id IS t.parent_id
                      AND o.id * 7 % 11 * 100 + o.id > t.id * 7 % 11 * 100 + t.id
                      ORDER BY o.id * 7 % 11 * 100 + o.id LIMIT 1) FROM t''')
        self.run_all()

    def test_conversion(self):
        self.include('std.trees.table_conversion')
        for _ in range(10):
            self.tree()
            self.same('''SELECT t2.id, p.name, t2.group_key, t2.name
                FROM _tree_to_table!(_tree_from_table!(t, (group_key, name)), (group_key, name)) AS t2
                LEFT JOIN t AS p ON p.id = t2.parent_id''',
                      'SELECT t.id, p.name, t.group_key, t.name FROM t LEFT JOIN t AS p ON p.id = t.parent_id')
        self.run_all()


if __name__ == '__main__':
    unittest.main()
