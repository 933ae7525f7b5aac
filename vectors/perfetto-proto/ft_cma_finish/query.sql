select s.ts, s.dur, s.name, s.category, s.depth, t.name as track, t.type as track_type,
  (select group_concat(k||'='||v, ' ') from (select key as k, display_value as v from args a where a.arg_set_id=s.arg_set_id order by a.id)) as args
from slice s join track t on s.track_id=t.id order by s.ts, s.id;
