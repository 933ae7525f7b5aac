select s.ts, s.dur, s.name from slice s order by s.ts;
select name, value from stats where value != 0 and name in ('systrace_parse_failure') order by name;
