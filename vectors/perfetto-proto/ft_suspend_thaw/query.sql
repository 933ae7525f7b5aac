select s.ts, s.dur, s.name from slice s order by s.ts;
