SELECT s.ts, f.name, y.source_file, y.line_number FROM cpu_profile_stack_sample s JOIN stack_profile_callsite c ON s.callsite_id = c.id JOIN stack_profile_frame f ON c.frame_id = f.id LEFT JOIN stack_profile_symbol y USING (symbol_set_id) ORDER BY s.ts;
SELECT name, value FROM stats WHERE name LIKE 'perf_text%' ORDER BY name;
