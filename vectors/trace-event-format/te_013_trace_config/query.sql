SELECT name, str_value FROM metadata WHERE name LIKE 'json%';
