SELECT count(*) AS n, sum(CAST(name AS INT) = rn) AS in_order FROM (SELECT name, row_number() OVER (ORDER BY id) - 1 AS rn FROM slice WHERE depth = 1);
