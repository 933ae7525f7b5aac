select ts,dur,s.name,t.type,tid,pid from slice s join track t on t.id=s.track_id left join thread_track tt on tt.id=t.id left join thread using(utid) left join process using(upid) order by ts;
