SELECT name, value, is_platform_specific FROM json_memory_total ORDER BY name;
