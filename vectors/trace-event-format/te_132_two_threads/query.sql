SELECT s.dur, x.tid AS begin_tid, y.tid AS end_tid FROM json_async_slice a JOIN slice s ON s.id = a.slice_id JOIN thread x ON x.utid = a.begin_utid JOIN thread y ON y.utid = a.end_utid;
