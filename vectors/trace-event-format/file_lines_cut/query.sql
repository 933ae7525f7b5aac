SELECT name, ts FROM slice ORDER BY ts;
SELECT name, sum(value) AS value FROM stats WHERE name IN ('json_tokenizer_failure', 'json_skipped_bytes') GROUP BY name HAVING sum(value) != 0 ORDER BY name;
