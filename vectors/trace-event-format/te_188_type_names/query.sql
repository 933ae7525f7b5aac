SELECT type_name, size FROM json_heap_entry ORDER BY size;
