-- Scans of graphs: values handed from node to node.

-- The name and the value of a column.
CREATE PERFETTO MACRO _graph_scan_df_agg(x ColumnName, y ColumnName)
RETURNS _ProjectionFragment AS __intrinsic_stringify!($x), input.$y;

-- Names a column.
CREATE PERFETTO MACRO _graph_scan_select(x ColumnName, y ColumnName)
RETURNS _ProjectionFragment AS $x AS $y;

-- Names a column of a table pointer.
CREATE PERFETTO MACRO _graph_scan_bind(x ColumnName, y ColumnName)
RETURNS Expr AS __intrinsic_table_ptr_bind($x, __intrinsic_stringify!($y));

-- The start rows, and those that the step makes of the rows of the source of each edge. The step
-- reads $table: id of the destination, and the columns of the source.
CREATE PERFETTO MACRO _graph_scan(
  graph_table TableOrSubquery, init_table TableOrSubquery, scan_columns ColumnNameList,
  step_query TableOrSubquery
)
RETURNS TableOrSubquery AS
(
  SELECT c0 AS id
    __intrinsic_token_apply_prefix!(
      _graph_scan_select, (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15),
      $scan_columns
    )
  FROM __intrinsic_table_columns(
    __intrinsic_graph_scan(
      (SELECT __intrinsic_graph_agg(source_node_id, dest_node_id) FROM $graph_table),
      (
        SELECT __intrinsic_row_dataframe_agg(
          'id', input.id __intrinsic_token_apply_prefix!(_graph_scan_df_agg, $scan_columns, $scan_columns)
        )
        FROM $init_table AS input
      ),
      __intrinsic_stringify_ignore_table!($step_query),
      __intrinsic_stringify!($scan_columns)
    )
  )
);

-- The start rows, and those that the step makes of the rows of all edges to a node at once. The
-- step groups $table by id.
CREATE PERFETTO MACRO _graph_aggregating_scan(
  graph_table TableOrSubquery, init_table TableOrSubquery, agg_columns ColumnNameList,
  agg_query TableOrSubquery
)
RETURNS TableOrSubquery AS
(
  SELECT c0 AS id
    __intrinsic_token_apply_prefix!(
      _graph_scan_select, (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15),
      $agg_columns
    )
  FROM __intrinsic_table_columns(
    __intrinsic_graph_aggregating_scan(
      (SELECT __intrinsic_graph_agg(source_node_id, dest_node_id) FROM $graph_table),
      (
        SELECT __intrinsic_row_dataframe_agg(
          'id', input.id __intrinsic_token_apply_prefix!(_graph_scan_df_agg, $agg_columns, $agg_columns)
        )
        FROM $init_table AS input
      ),
      __intrinsic_stringify_ignore_table!($agg_query),
      __intrinsic_stringify!($agg_columns)
    )
  )
);
