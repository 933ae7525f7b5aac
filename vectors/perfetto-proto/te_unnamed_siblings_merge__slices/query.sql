select s.ts, s.dur, s.name, t.name as track, extract_arg(t.dimension_arg_set_id, 'track_compressor_idx') as idx from slice s join track t on t.id=s.track_id order by s.ts;
