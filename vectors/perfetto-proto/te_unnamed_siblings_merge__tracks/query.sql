select t.id, t.name, t.track_group_id, extract_arg(t.dimension_arg_set_id, 'merge_key_value') as key, extract_arg(t.dimension_arg_set_id, 'track_compressor_idx') as idx from track t order by t.id;
