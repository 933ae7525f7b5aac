SELECT group_name, title, arg_set_id FROM json_user_timing;
