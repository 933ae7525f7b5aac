select name, value from stats where value > 0 and severity <> 'info' or name like 'cpu_info%' and value > 0 order by name; select tid, name from thread order by id;
