SELECT name, ts FROM slice ORDER BY ts, name;
SELECT f.name, p.rule, p.uncertainty_ns FROM placement p JOIN trace_file f ON p.trace_id = f.id ORDER BY f.name;
SELECT source, uncertainty_ns FROM clock_edge WHERE is_used ORDER BY source, uncertainty_ns;
SELECT count(*) AS contradictions FROM clock_contradiction;
