SELECT name, ts FROM slice ORDER BY ts, name;
SELECT count(*) AS machines FROM machine;
