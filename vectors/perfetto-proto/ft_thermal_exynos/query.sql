select c.ts, c.value, t.name, t.type from counter c join track t on c.track_id=t.id order by c.ts, c.id;
select name, value from stats where value != 0 and name in ('ftrace_thermal_exynos_acpm_unknown_tz_id') order by name;
