-- Dumps of Java heaps after an out-of-memory error.

-- Errors that caused a dump.
CREATE PERFETTO VIEW android_heap_graph_java_oome_details(
  -- Row number.
  id LONG,
  -- Heap dump.
  heap_graph_id JOINID(heap_graph.id),
  -- Size of the allocation that failed, bytes.
  allocation_size_bytes LONG,
  -- Free memory of the heap, bytes.
  total_bytes_free LONG,
  -- Memory that the heap may still grow, bytes.
  free_bytes_until_oom LONG,
  -- Message of the error.
  error_msg STRING
) AS
SELECT
  id, heap_graph_id, allocation_size_bytes, total_bytes_free, free_bytes_until_oom, error_msg
FROM __intrinsic_heap_graph_java_oome_details;
