SELECT ts, sum(value) AS total FROM counter GROUP BY ts ORDER BY ts;
