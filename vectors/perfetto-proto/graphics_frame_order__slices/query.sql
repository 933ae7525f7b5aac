select ts,dur,s.name,t.name as track from slice s join track t on t.id=s.track_id order by ts, t.name;
