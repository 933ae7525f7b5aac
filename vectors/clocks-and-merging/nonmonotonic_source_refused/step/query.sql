SELECT sum(placed) AS placed, sum(dropped_no_path) AS no_path, sum(dropped_ambiguous) AS ambiguous, sum(dropped_range) AS range FROM placement;
SELECT name, value FROM stats WHERE name = 'ambiguous_clock_reading';
