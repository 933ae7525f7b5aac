select s.name as out, s.ts as out_ts, i.name as "in", i.ts as in_ts, f.trace_id from flow f join slice s on s.id = f.slice_out join slice i on i.id = f.slice_in order by f.id;
select ts, dur, name, extract_arg(arg_set_id, 'Jank type') as jank from slice order by ts;
