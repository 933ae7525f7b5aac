select s.name as out, i.name as "in", f.trace_id from flow f join slice s on s.id = f.slice_out join slice i on i.id = f.slice_in order by f.id;
select name, value from stats where name glob 'flow*' and value != 0 order by name;
