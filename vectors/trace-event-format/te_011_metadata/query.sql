SELECT name, int_value, str_value FROM metadata WHERE name LIKE 'json_metadata.%' ORDER BY name;
