select s.ts, a.key, a.int_value from slice s join args a using(arg_set_id) where a.key like '%_time' and s.name like 'P%' order by a.key;
