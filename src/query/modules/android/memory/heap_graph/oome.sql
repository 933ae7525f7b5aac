-- Out-of-memory errors of Java heaps.

-- Details of heap dumps that an out-of-memory error caused.
CREATE PERFETTO VIEW android_heap_graph_java_oome_details(
  -- Row number.
  id ID,
  -- Heap dump.
  heap_graph_id JOINID(heap_graph.id),
  -- Size of the failed allocation, bytes.
  allocation_size_bytes LONG,
  -- Free memory, bytes.
  total_bytes_free LONG,
  -- Memory that could still be allocated, bytes.
  free_bytes_until_oom LONG,
  -- Text of the error.
  error_msg STRING
) AS
SELECT
  id, heap_graph_id, allocation_size_bytes, total_bytes_free, free_bytes_until_oom, error_msg
FROM __intrinsic_heap_graph_java_oome_details;
