SELECT s.ts, t.tid FROM json_sample s JOIN thread t USING (utid);
SELECT name, sum(value) AS value FROM stats WHERE name IN ('v8_profile_without_start') GROUP BY name ORDER BY name;
