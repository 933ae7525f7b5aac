// How each clock was placed on the timeline, and its bounds; all tables are additions of
// tracebraid.
#pragma once

#include "tables/declare.h"

namespace tracebraid {

#define TB_CLOCK_COLUMNS(C)                                                        \
  C(domain, int64_t, None, "Clock id.")                                            \
  C(name, StringId, None, "REALTIME ... BOOTTIME, PRIVATE, or the number.")        \
  C(machine_id, OptRow, None, "Row of machine.")                                   \
  C(trace_id, OptRow, None, "Row of trace_file, if it is private to one.")         \
  C(sequence, OptInt, None, "Writer, if it is private to one.")                    \
  C(readings, int64_t, None, "Readings of the clock in snapshots.")                \
  C(segments, int64_t, None, "Segments: runs in which the clock never went back.") \
  C(label, StringId, None, "What reports call it: BOOTTIME of phone.")             \
  C(next_clock, OptRow, None, "Row of the next clock to trace time.")              \
  C(next_kind, StringId, None, "Kind of the edge to that one.")
TB_TABLE(ClockTable, "__intrinsic_clock", "Nodes of the clock graph (ours).", TB_CLOCK_COLUMNS,
         {"clock"})

#define TB_CLOCK_EDGE_COLUMNS(C)                                                        \
  C(from_clock, uint32_t, None, "Row of clock.")                                        \
  C(to_clock, uint32_t, None, "Row of clock.")                                          \
  C(kind, StringId, None, "measured, relayed, manifest, rendezvous, guessed.")          \
  C(source, StringId, None,                                                             \
    "snapshot, sync_marker, task_switches, messages, manifest, wall_clock, "            \
    "start_time, date, same_machine, guess.")                                           \
  C(observations, int64_t, None, "Moments at which both are known.")                    \
  C(uncertainty_ns, OptInt, None, "Uncertainty of one observation; NULL is unbounded.") \
  C(trace_id, OptRow, None, "Row of trace_file of the first of them.")                  \
  C(byte_offset, OptInt, None, "Where in that file.")                                   \
  C(is_used, uint8_t, None, "1 if on the path of some placed clock.")
TB_TABLE(ClockEdgeTable, "__intrinsic_clock_edge", "Evidence that relates two clocks (ours).",
         TB_CLOCK_EDGE_COLUMNS, {"clock_edge"})

#define TB_CLOCK_CONTRADICTION_COLUMNS(C)                                                 \
  C(clock_a, uint32_t, None, "Row of clock.")                                             \
  C(clock_b, uint32_t, None, "Row of clock.")                                             \
  C(kind, StringId, None, "Kind of the evidence that is not followed, as in clock_edge.") \
  C(observations, int64_t, None, "Moments at which it contradicts.")                      \
  C(apart_ns, int64_t, None, "How far apart the worst puts them on the timeline.")        \
  C(bound_ns, int64_t, None, "Bound on how far apart they can be.")                       \
  C(reading_a, int64_t, None, "What clock_a showed then, ns.")                            \
  C(reading_b, int64_t, None, "What clock_b showed then, ns.")                            \
  C(path_a, StringId, None, "Clocks from clock_a to trace time.")                         \
  C(path_b, StringId, None, "Clocks from clock_b to trace time.")                         \
  C(trace_id, OptRow, None, "Row of trace_file that has the evidence.")                   \
  C(byte_offset, OptInt, None, "Where in that file.")
TB_TABLE(ClockContradictionTable, "__intrinsic_clock_contradiction",
         "Evidence that contradicts the paths taken by more than their uncertainties (ours).",
         TB_CLOCK_CONTRADICTION_COLUMNS, {"clock_contradiction"})

#define TB_PLACEMENT_COLUMNS(C)                                                                  \
  C(trace_id, OptRow, None, "Row of trace_file.")                                                \
  C(machine_id, OptRow, None, "Row of machine.")                                                 \
  C(clock_id, OptRow, None, "Row of clock that the events were in; NULL: trace time itself.")    \
  C(rule, StringId, None,                                                                        \
    "is_timeline, same_clock, measured, relayed, manifest, rendezvous, guessed, unplaced, raw; " \
    "without_time: of events without a time of their own.")                                      \
  C(path, StringId, None, "Clocks from the event's to trace time.")                              \
  C(offset_start_ns, OptInt, None, "Trace time minus reading at the first event.")               \
  C(offset_end_ns, OptInt, None, "Trace time minus reading at the last event.")                  \
  C(uncertainty_ns, OptInt, None, "Half width of what is possible; NULL is unbounded.")          \
  C(placed, int64_t, None, "Events on the timeline.")                                            \
  C(dropped_no_path, int64_t, None, "Events of a clock that nothing relates to trace time.")     \
  C(dropped_ambiguous, int64_t, None, "Events with a reading that the clock showed twice.")      \
  C(dropped_range, int64_t, None, "Events whose time does not fit 64 bits.")                     \
  C(negative, int64_t, None, "Placed events before the start of trace time.")                    \
  C(first_ts, OptInt, None, "Trace time of the earliest event, ns; NULL without_time.")          \
  C(last_ts, OptInt, None, "Trace time of the latest event, ns.")
TB_TABLE(PlacementTable, "__intrinsic_placement", "How each file and machine was placed (ours).",
         TB_PLACEMENT_COLUMNS, {"placement"})

#define TB_FLOW_VIOLATION_COLUMNS(C)                                       \
  C(trace_id, OptInt, None, "The flow's id in the traces (not a file).")   \
  C(slice_out, OptRow, None, "Row of slice that it starts in.")            \
  C(slice_in, OptRow, None, "Row of slice that it ends in.")               \
  C(start_ts, int64_t, None, "Trace time of its start, ns.")               \
  C(end_ts, int64_t, None, "Trace time of its end, ns: before the start.") \
  C(off_by_at_least_ns, int64_t, None,                                     \
    "Least time by which the file of the end is early against the file of the start, ns.")
TB_TABLE(FlowViolationTable, "__intrinsic_flow_violation",
         "Flows between files or machines that end before they start (ours).",
         TB_FLOW_VIOLATION_COLUMNS, {"flow_violation"})

#define TB_FLOW_BOUND_COLUMNS(C)                                                 \
  C(from_trace_id, uint32_t, None, "Row of trace_file that the flows start in.") \
  C(from_machine_id, uint32_t, None, "Row of machine that they start on.")       \
  C(to_trace_id, uint32_t, None, "Row of trace_file that they end in.")          \
  C(to_machine_id, uint32_t, None, "Row of machine that they end on.")           \
  C(flows, int64_t, None, "Flows that start at `from` and end at `to`.")         \
  C(violations, int64_t, None, "Flows among these that end before they start.")  \
  C(least_ns, int64_t, None,                                                     \
    "The shortest time that one takes; the place of `to` may be earlier by this, no more.")
TB_TABLE(FlowBoundTable, "__intrinsic_flow_bound",
         "Bounds that flows between two files or machines set on their clocks (ours).",
         TB_FLOW_BOUND_COLUMNS, {"flow_bound"})

#define TB_JSON_CLOCK_SYNC_MARKER_COLUMNS(C)                                 \
  C(trace_file_id, uint32_t, None, "Row of trace_file.")                     \
  C(domain, StringId, None, "Clock that its times are in.")                  \
  C(sync_id, StringId, None, "The same for recordings of one moment.")       \
  C(start_ts, int64_t, None, "The moment is not earlier, ns of that clock.") \
  C(end_ts, int64_t, None, "The moment is not later.")                       \
  C(role, StringId, None, "issuer or receiver.")
TB_TABLE(JsonClockSyncMarkerTable, "__intrinsic_json_clock_sync_marker",
         "Moments that several recordings noted (ours).", TB_JSON_CLOCK_SYNC_MARKER_COLUMNS,
         {"json_clock_sync_marker"})

#define TB_JSON_CLOCK_EDGE_COLUMNS(C)                                           \
  C(from_domain, StringId, None, "The alphabetically first of the two.")        \
  C(to_domain, StringId, None, "The other.")                                    \
  C(offset_ns, int64_t, None, "Marker of to_domain minus that of from_domain.") \
  C(error_ns, int64_t, None, "Sum of the lengths of the two markers.")          \
  C(sync_id, StringId, None, "Sync id of both markers.")                        \
  C(is_used, uint8_t, None, "1 if on the path of some placed clock.")
TB_TABLE(JsonClockEdgeTable, "__intrinsic_json_clock_edge",
         "Pairs of recordings that noted one moment (ours).", TB_JSON_CLOCK_EDGE_COLUMNS,
         {"json_clock_edge"})

#define TB_JSON_TRACE_CLOCK_COLUMNS(C)                                         \
  C(trace_file_id, uint32_t, None, "Row of trace_file.")                       \
  C(domain, StringId, None, "As the file names its clock.")                    \
  C(offset_ns, OptInt, None, "Trace time minus the file's; NULL if unplaced.") \
  C(slope, double, None, "ns of trace time for each ns of the file's clock.")  \
  C(error_ns, OptInt, None, "How far off that may be; NULL is unbounded.")     \
  C(path, StringId, None, "Clocks from the file's to trace time.")
TB_TABLE(JsonTraceClockTable, "__intrinsic_json_trace_clock",
         "How the files with named clocks were placed (ours).", TB_JSON_TRACE_CLOCK_COLUMNS,
         {"json_trace_clock"})

#define TB_PLACEMENT_TABLES(TABLE, PLAIN)                  \
  TABLE(ClockTable, clocks)                                \
  TABLE(ClockEdgeTable, clock_edges)                       \
  TABLE(ClockContradictionTable, clock_contradictions)     \
  TABLE(PlacementTable, placements)                        \
  TABLE(FlowViolationTable, flow_violations)               \
  TABLE(FlowBoundTable, flow_bounds)                       \
  TABLE(JsonClockSyncMarkerTable, json_clock_sync_markers) \
  TABLE(JsonClockEdgeTable, json_clock_edges)              \
  TABLE(JsonTraceClockTable, json_trace_clocks)

}  // namespace tracebraid
