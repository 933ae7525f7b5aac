select ts, dur, cpu, end_state from sched order by ts;
select ts, name, cpu from ftrace_event order by ts, id;
