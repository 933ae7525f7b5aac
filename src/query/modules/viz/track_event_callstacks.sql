-- Callstacks that track events carry.

-- Tracks whose slices carry callstacks: track_id, callstack_count.
CREATE PERFETTO TABLE _track_event_tracks_with_callstacks AS
SELECT track_id, count(*) AS callstack_count
FROM __intrinsic_track_event_callstacks
WHERE callsite_id IS NOT NULL OR end_callsite_id IS NOT NULL
GROUP BY track_id
ORDER BY track_id;
