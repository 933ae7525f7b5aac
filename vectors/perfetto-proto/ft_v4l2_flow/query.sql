select s.ts, s.dur, s.name, s.category from slice s order by s.ts;
select o.name as o, o.ts as o_ts, i.name as i, i.ts as i_ts, f.trace_id from flow f join slice o on o.id=f.slice_out join slice i on i.id=f.slice_in order by o.ts;
