select name, idx, value from stats where name glob 'ftrace_*' and value != 0 order by name, idx;
