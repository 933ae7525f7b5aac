-- Trees as values: tables with a row for each node.

-- The name and the value of a column.
CREATE PERFETTO MACRO _tree_value(name ColumnName)
RETURNS _ProjectionFragment AS __intrinsic_stringify!($name), input.$name;

-- Names a column.
CREATE PERFETTO MACRO _tree_alias(column ColumnName, name ColumnName)
RETURNS _ProjectionFragment AS $column AS $name;

-- A table as a tree.
CREATE PERFETTO MACRO _tree_from_table(
  -- Nodes: id, parent_id (NULL for a root), and the columns.
  source_table TableOrSubquery,
  -- Further columns of the nodes.
  columns ColumnNameList
)
-- Expression that gives the tree, for _tree_to_table; NULL for a table without rows.
RETURNS Expr AS
(
  SELECT __intrinsic_tree_from_table(
    'id', input.id, 'parent_id', input.parent_id
    __intrinsic_token_apply_prefix!(_tree_value, $columns)
  )
  FROM $source_table AS input
);

-- A tree as a table.
CREATE PERFETTO MACRO _tree_to_table(
  -- Tree of _tree_from_table.
  tree Expr,
  -- The columns that the tree was made with, at most 14.
  columns ColumnNameList
)
-- Rows: id, parent_id, and the columns, in the order in which they came.
RETURNS TableOrSubquery AS
(
  SELECT c0 AS id, c1 AS parent_id
    __intrinsic_token_apply_prefix!(
      _tree_alias, (c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15), $columns
    )
  FROM __intrinsic_table_columns(__intrinsic_tree_to_table($tree))
);
