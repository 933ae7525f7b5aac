select s.name, key, display_value from slice s left join args using (arg_set_id) order by s.id, key; select name, value from stats where value > 0 order by name;
