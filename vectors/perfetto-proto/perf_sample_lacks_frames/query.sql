select p.ts, f.name as leaf, c.depth from perf_sample p left join stack_profile_callsite c on c.id = p.callsite_id left join stack_profile_frame f on f.id = c.frame_id order by p.ts;
select name, value from stats where name glob 'stackprofile*' and value != 0 order by name;
