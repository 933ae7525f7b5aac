select c.ts, t.name, p.pid, c.value from counter c join process_counter_track t on t.id=c.track_id join process p using(upid) order by c.id;
select name, value from stats where value!=0 order by name;
