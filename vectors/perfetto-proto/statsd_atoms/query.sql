select ts, dur, s.name, t.type, t.name as track from slice s join track t on s.track_id = t.id order by s.id; select name, value from stats where name like 'atom_%' order by name;
