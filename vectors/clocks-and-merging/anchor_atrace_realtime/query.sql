SELECT name, ts, dur FROM slice ORDER BY ts, name;
SELECT f.name, p.rule, p.uncertainty_ns FROM placement p JOIN trace_file f ON p.trace_id = f.id ORDER BY f.name;
