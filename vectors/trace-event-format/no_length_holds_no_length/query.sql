SELECT s.ts, s.dur, s.name, s.depth, p.name AS parent FROM slice s LEFT JOIN slice p ON p.id = s.parent_id ORDER BY s.id
