SELECT pid FROM process ORDER BY coalesce(extract_arg(arg_set_id, 'process_sort_index_hint'), 0), pid;
SELECT tid FROM thread JOIN process USING (upid) WHERE pid = 10 ORDER BY coalesce(extract_arg(thread.arg_set_id, 'thread_sort_index_hint'), 0), tid;
