SELECT s.name, s.ts, s.dur, p.name AS process, t.name AS thread FROM slice s JOIN thread_track tt ON tt.id = s.track_id JOIN thread t USING (utid) JOIN process p USING (upid);
