SELECT count(*) AS samples FROM perf_sample;
SELECT name, value FROM stats WHERE name = 'perf_data_bad_record';
