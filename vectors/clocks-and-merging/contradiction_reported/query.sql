SELECT a.name AS a, b.name AS b, c.kind, c.observations, c.apart_ns, c.reading_a, c.reading_b FROM clock_contradiction c JOIN clock a ON a.id = c.clock_a JOIN clock b ON b.id = c.clock_b;
