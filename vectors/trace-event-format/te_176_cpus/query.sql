SELECT int_value FROM metadata WHERE name = 'json_num_cpus';
