select name, idx, value from stats where name = 'perf_guardrail_stop_ts' and value!=0;
