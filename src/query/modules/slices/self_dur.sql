-- Duration of slices without their children.

-- Sum of the durations of the children of a slice; open children count -1.
CREATE PERFETTO TABLE _slice_children_dur AS
SELECT parent_id AS id, sum(dur) AS children_dur
FROM slice
WHERE parent_id IS NOT NULL
GROUP BY parent_id;

-- Time that each slice spent outside of its children.
CREATE PERFETTO TABLE slice_self_dur(
  -- Slice.
  id ID(slice.id),
  -- Duration without the children, ns.
  self_dur DURATION
) AS
SELECT slice.id, slice.dur - coalesce(children.children_dur, 0) AS self_dur
FROM slice
LEFT JOIN _slice_children_dur AS children USING (id)
ORDER BY slice.id;
