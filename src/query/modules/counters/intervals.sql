-- Samples of counters as intervals.

-- Each sample of a counter as the interval up to the next sample of its track.
CREATE PERFETTO MACRO counter_leading_intervals(
  -- Samples: id, ts, track_id, value.
  counter_table TableOrSubquery
)
-- Rows: id, ts, dur (up to the next sample, or to the end of the trace), track_id, value,
-- next_value (NULL for the last sample), delta_value (from the previous sample; NULL for the first).
RETURNS TableOrSubquery AS
(
  SELECT
    c0 AS id, c1 AS ts, c2 AS dur, c3 AS track_id, c4 AS value, c5 AS next_value, c6 AS delta_value
  FROM __intrinsic_table_ptr(
    __intrinsic_counter_intervals(
      'leading',
      trace_end(),
      (SELECT __intrinsic_counter_per_track_agg(id, ts, track_id, value) FROM $counter_table)
    )
  )
  WHERE
    __intrinsic_table_ptr_bind(c0, 'id')
    AND __intrinsic_table_ptr_bind(c1, 'ts')
    AND __intrinsic_table_ptr_bind(c2, 'dur')
    AND __intrinsic_table_ptr_bind(c3, 'track_id')
    AND __intrinsic_table_ptr_bind(c4, 'value')
    AND __intrinsic_table_ptr_bind(c5, 'next_value')
    AND __intrinsic_table_ptr_bind(c6, 'delta_value')
);
