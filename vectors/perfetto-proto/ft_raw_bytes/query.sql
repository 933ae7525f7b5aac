select f.ts, f.name, a.key, a.value_type, a.int_value, a.string_value from ftrace_event f join args a using (arg_set_id) order by f.id, a.key;
