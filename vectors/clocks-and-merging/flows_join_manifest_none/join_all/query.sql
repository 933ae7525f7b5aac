SELECT o.name AS out, i.name AS "in" FROM flow f JOIN slice o ON f.slice_out = o.id JOIN slice i ON f.slice_in = i.id ORDER BY o.ts;
SELECT o.name AS out, i.name AS "in", v.start_ts, v.end_ts, v.off_by_at_least_ns FROM flow_violation v JOIN slice o ON v.slice_out = o.id JOIN slice i ON v.slice_in = i.id;
SELECT f.name AS "from", t.name AS "to", b.flows, b.violations, b.least_ns FROM flow_bound b JOIN trace_file f ON b.from_trace_id = f.id JOIN trace_file t ON b.to_trace_id = t.id ORDER BY 1;
