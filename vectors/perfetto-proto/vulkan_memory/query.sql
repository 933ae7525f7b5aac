SELECT c.ts, t.name, t.type, p.pid, c.value FROM counter c JOIN process_counter_track t ON t.id = c.track_id JOIN process p USING (upid) ORDER BY c.ts;
SELECT source, operation, timestamp, memory_address, memory_size, device, device_memory, memory_type, heap, object_handle, function_name, scope FROM vulkan_memory_allocations ORDER BY id;
SELECT key, display_value FROM args JOIN vulkan_memory_allocations USING (arg_set_id) ORDER BY args.id;
SELECT name, value FROM stats WHERE name = 'vulkan_allocations_invalid_string_id';
