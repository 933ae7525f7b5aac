SELECT dump_id, level_of_detail FROM json_memory_dump WHERE upid IS NOT NULL ORDER BY dump_id;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('memory_dump_parse_error') GROUP BY name ORDER BY name;
