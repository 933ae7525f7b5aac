select s.name, t.tid, p.pid from slice s join thread_track tt on tt.id=s.track_id join thread t using(utid) left join process p using(upid) order by s.id;
