select name, key_type, str_value, machine_id, trace_id from metadata where name='trace_config_pbtxt';
