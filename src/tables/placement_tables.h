// Placement of the clocks on the timeline, and its bounds; all tables are additions of tracebraid.
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
  C(label, StringId, None, "Name in reports, such as BOOTTIME of phone.")          \
  C(next_clock, OptRow, None, "Row of the next clock to trace time.")              \
  C(next_kind, StringId, None, "Kind of the edge to next_clock.")
TB_TABLE(ClockTable, "__intrinsic_clock", "Nodes of the clock graph (ours).", TB_CLOCK_COLUMNS,
         {"clock"})

#define TB_CLOCK_EDGE_COLUMNS(C)                                                        \
  C(from_clock, uint32_t, None, "Row of clock.")                                        \
  C(to_clock, uint32_t, None, "Row of clock.")                                          \
  C(kind, StringId, None, "measured, relayed, manifest, rendezvous, guessed.")          \
  C(source, StringId, None,                                                             \
    "snapshot, sync_marker, messages, manifest, wall_clock, start_time, date, "         \
    "same_machine, guess, or a kind of --align.")                                       \
  C(observations, int64_t, None, "Number of moments at which both were read.")          \
  C(uncertainty_ns, OptInt, None, "Uncertainty of one observation; NULL is unbounded.") \
  C(trace_id, OptRow, None, "Row of trace_file of the first observation.")              \
  C(byte_offset, OptInt, None, "Offset in that file, bytes.")                           \
  C(is_used, uint8_t, None, "1 if it is on the path of a placed clock.")
TB_TABLE(ClockEdgeTable, "__intrinsic_clock_edge", "Evidence that relates two clocks (ours).",
         TB_CLOCK_EDGE_COLUMNS, {"clock_edge"})

#define TB_CLOCK_CONTRADICTION_COLUMNS(C)                                          \
  C(clock_a, uint32_t, None, "Row of clock.")                                      \
  C(clock_b, uint32_t, None, "Row of clock.")                                      \
  C(kind, StringId, None, "Kind of the contradicting evidence, as in clock_edge.") \
  C(observations, int64_t, None, "Number of moments with a contradiction.")        \
  C(apart_ns, int64_t, None, "Largest distance of the two on the timeline, ns.")   \
  C(bound_ns, int64_t, None, "Largest distance that the bounds allow, ns.")        \
  C(reading_a, int64_t, None, "Reading of clock_a at the worst moment, ns.")       \
  C(reading_b, int64_t, None, "Reading of clock_b at the worst moment, ns.")       \
  C(path_a, StringId, None, "Clocks from clock_a to trace time.")                  \
  C(path_b, StringId, None, "Clocks from clock_b to trace time.")                  \
  C(trace_id, OptRow, None, "Row of trace_file that has the evidence.")            \
  C(byte_offset, OptInt, None, "Offset in that file, bytes.")
TB_TABLE(ClockContradictionTable, "__intrinsic_clock_contradiction",
         "Evidence that contradicts the chosen paths by more than their bounds (ours).",
         TB_CLOCK_CONTRADICTION_COLUMNS, {"clock_contradiction"})

#define TB_CLOCK_MATCH_SET_COLUMNS(C)                                                        \
  C(kind, StringId, None, "What both recordings have in common: a kind of --align.")         \
  C(match_class, StringId, None, "id, counted, text, run or shape: what proves a match.")    \
  C(clock_a, OptRow, None, "Row of clock.")                                                  \
  C(clock_b, OptRow, None, "Row of clock.")                                                  \
  C(trace_a, uint32_t, None, "Row of trace_file of clock_a.")                                \
  C(trace_b, uint32_t, None, "Row of trace_file of clock_b.")                                \
  C(candidates, int64_t, None, "Pairs of events with one key.")                              \
  C(used, int64_t, None, "Pairs among these that the fit uses.")                             \
  C(outliers, int64_t, None, "Pairs far from the fit.")                                      \
  C(verdict, StringId, None, "used, verified (places nothing) or refused.")                  \
  C(reason, StringId, None,                                                                  \
    "Why the set places nothing: too_few, not_same, other_job, out_of_order, inconsistent, " \
    "ambiguous, aliased, rate, one_sided, no_gain, contradicted; NULL if it may.")           \
  C(detail, StringId, None, "The reason in words.")                                          \
  C(surprise_bits, OptInt, None, "How unlikely the matches are by chance, bits.")            \
  C(alias_period_ns, OptInt, None, "Period of a pattern that fits at several places, ns.")   \
  C(alias_count, OptInt, None, "Number of these places.")                                    \
  C(assumes, StringId, None, "What the estimate assumes; NULL if nothing.")                  \
  C(offset_ns, OptInt, None, "Reading of clock_b minus that of clock_a in the middle, ns.")  \
  C(rate_ppb, OptInt, None, "By how much clock_b runs faster than clock_a, 1e-9.")           \
  C(bound_ns, OptInt, None, "Bound of offset_ns, ns.")                                       \
  C(band_low_ns, OptInt, None, "Least offset that causes and effects allow, ns.")            \
  C(band_high_ns, OptInt, None, "Greatest offset that causes and effects allow, ns.")        \
  C(least_ab_ns, OptInt, None, "Shortest way from clock_a to clock_b, ns.")                  \
  C(least_ba_ns, OptInt, None, "Shortest way from clock_b to clock_a, ns.")                  \
  C(loop_residual_ns, OptInt, None, "Sum of the offsets around the best loop, ns.")
TB_TABLE(
    ClockMatchSetTable, "__intrinsic_clock_match_set",
    "What pairs of recordings have in common, and whether it relates their clocks (ours).",
    TB_CLOCK_MATCH_SET_COLUMNS,
    {"clock_match_set",
     "id, kind, match_class AS class, clock_a, clock_b, trace_a, trace_b, candidates, used, "
     "outliers, verdict, reason, detail, surprise_bits, alias_period_ns, alias_count, assumes, "
     "offset_ns, rate_ppb, bound_ns, band_low_ns, band_high_ns, least_ab_ns, least_ba_ns, "
     "loop_residual_ns"})

#define TB_CLOCK_MATCH_COLUMNS(C)                                                               \
  C(set_id, uint32_t, None, "Row of clock_match_set.")                                          \
  C(key, StringId, None, "What both recordings have in common: group and number, or id.")       \
  C(reading_a, int64_t, None, "Reading of clock_a of the set, ns.")                             \
  C(reading_b, int64_t, None, "Reading of clock_b of the set, ns.")                             \
  C(form, StringId, None, "equal: one moment; a_before_b, b_before_a: a cause and its effect.") \
  C(residual_ns, OptInt, None,                                                                  \
    "reading_b minus what clock_b shows by the fit when clock_a shows reading_a, ns; NULL "     \
    "without a fit.")                                                                           \
  C(used, uint8_t, None, "1 if the fit uses the match.")                                        \
  C(reason, StringId, None, "outlier: far from the fit; NULL if the fit may use the match.")
TB_TABLE(ClockMatchTable, "__intrinsic_clock_match",
         "Matches of the sets of clock_match_set, at most 10000 of each set (ours).",
         TB_CLOCK_MATCH_COLUMNS, {"clock_match"})

#define TB_CLOCK_RESIDUAL_COLUMNS(C)                                                 \
  C(set_id, uint32_t, None, "Row of clock_match_set.")                               \
  C(ts, int64_t, None, "Trace time, ns.")                                            \
  C(residual_ns, int64_t, None, "Of the match, as in clock_match, ns; 0 at a knot.") \
  C(band_low_ns, int64_t, None, "Least residual within the bound of the fit, ns.")   \
  C(band_high_ns, int64_t, None, "Greatest residual within the bound of the fit, ns.")
TB_TABLE(ClockResidualTable, "__intrinsic_clock_residual",
         "Used matches and knots of the fits of clock_match_set on the timeline (ours).",
         TB_CLOCK_RESIDUAL_COLUMNS, {"clock_residual"})

#define TB_PLACEMENT_COLUMNS(C)                                                                  \
  C(trace_id, OptRow, None, "Row of trace_file.")                                                \
  C(machine_id, OptRow, None, "Row of machine.")                                                 \
  C(clock_id, OptRow, None, "Row of clock of the events; NULL: trace time itself.")              \
  C(rule, StringId, None,                                                                        \
    "is_timeline, same_clock, measured, relayed, manifest, rendezvous, guessed, unplaced, raw; " \
    "without_time: of events without a time of their own.")                                      \
  C(path, StringId, None, "Clocks from the event's to trace time.")                              \
  C(offset_start_ns, OptInt, None, "Trace time minus reading at the first event.")               \
  C(offset_end_ns, OptInt, None, "Trace time minus reading at the last event.")                  \
  C(uncertainty_ns, OptInt, None, "Largest bound of the placed times, ns; NULL is unbounded.")   \
  C(matched, OptInt, None, "Matches of content on the path; NULL if none is on it.")             \
  C(assumes, StringId, None, "Assumptions of the content on the path; NULL if none.")            \
  C(by_order, int64_t, None,                                                                     \
    "Placed events whose reading a clock showed before and after it was set back: the order of " \
    "the file decides.")                                                                         \
  C(placed, int64_t, None, "Events on the timeline.")                                            \
  C(dropped_no_path, int64_t, None, "Dropped events of a clock without a path to trace time.")   \
  C(dropped_ambiguous, int64_t, None, "Dropped events with an ambiguous reading.")               \
  C(dropped_range, int64_t, None, "Dropped events whose time does not fit into 64 bits.")        \
  C(negative, int64_t, None, "Placed events before the start of trace time.")                    \
  C(first_ts, OptInt, None, "Trace time of the earliest event, ns; NULL without_time.")          \
  C(last_ts, OptInt, None, "Trace time of the latest event, ns.")
TB_TABLE(PlacementTable, "__intrinsic_placement", "How each file and machine was placed (ours).",
         TB_PLACEMENT_COLUMNS, {"placement"})

#define TB_SOURCE_CLOCK_COLUMNS(C)                                                     \
  C(table_name, StringId, None, "sched, thread_state, ftrace_event, logs or samples.") \
  C(trace_id, OptRow, None, "Row of trace_file of the events.")                        \
  C(machine_id, uint32_t, None, "Row of machine of the events.")                       \
  C(clock_id, OptRow, None, "Row of clock of the events; NULL: trace time itself.")
TB_TABLE(SourceClockTable, "__intrinsic_source_clock",
         "Clocks of events that are on no track, of each table, file and machine (ours).",
         TB_SOURCE_CLOCK_COLUMNS, {"source_clock"})

#define TB_FLOW_VIOLATION_COLUMNS(C)                                       \
  C(trace_id, OptInt, None, "The flow's id in the traces (not a file).")   \
  C(slice_out, OptRow, None, "Row of slice that it starts in.")            \
  C(slice_in, OptRow, None, "Row of slice that it ends in.")               \
  C(start_ts, int64_t, None, "Trace time of its start, ns.")               \
  C(end_ts, int64_t, None, "Trace time of its end, ns: before the start.") \
  C(off_by_at_least_ns, int64_t, None,                                     \
    "By how much at least the file of the end is early against the file of the start, ns.")
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
    "Duration of the shortest flow, ns: `to` may be earlier by at most this.")
TB_TABLE(FlowBoundTable, "__intrinsic_flow_bound",
         "Bounds that flows between two files or machines set on their clocks (ours).",
         TB_FLOW_BOUND_COLUMNS, {"flow_bound"})

#define TB_CAUSALITY_COLUMNS(C)                                                               \
  C(kind, StringId, None, "Kind of cause and effect: a kind of --align.")                     \
  C(from_trace_id, uint32_t, None, "Row of trace_file of the causes.")                        \
  C(from_machine_id, uint32_t, None, "Row of machine of the causes.")                         \
  C(to_trace_id, uint32_t, None, "Row of trace_file of the effects.")                         \
  C(to_machine_id, uint32_t, None, "Row of machine of the effects.")                          \
  C(pairs, int64_t, None, "Pairs of a cause and its effect.")                                 \
  C(ok, int64_t, None, "Pairs in order.")                                                     \
  C(within, int64_t, None, "Pairs out of order by no more than the bound of the two clocks.") \
  C(certain, int64_t, None, "Pairs out of order by more than the bound of the two clocks.")   \
  C(unknown, int64_t, None, "Pairs out of order, of clocks that have no bound.")              \
  C(least_gap_ns, int64_t, None, "Time of the effect minus that of the cause, least, ns.")    \
  C(p1_gap_ns, int64_t, None, "The same of the pair at 1 percent, ns.")                       \
  C(median_gap_ns, int64_t, None, "The same of the pair in the middle, ns.")                  \
  C(before_certain, OptInt, None,                                                             \
    "Pairs that would be certain or unknown without content; NULL if content moves nothing.") \
  C(before_median_gap_ns, OptInt, None, "median_gap_ns without content; NULL likewise.")
TB_TABLE(CausalityTable, "__intrinsic_causality",
         "Causes and effects in different files or machines: whether their order holds (ours).",
         TB_CAUSALITY_COLUMNS, {"causality"})

#define TB_CAUSALITY_VIOLATION_COLUMNS(C)                                            \
  C(kind, StringId, None, "Kind of cause and effect: a kind of --align.")            \
  C(key, StringId, None, "What cause and effect have in common, as in clock_match.") \
  C(slice_out, OptRow, None, "Row of slice of the cause; NULL if not known.")        \
  C(slice_in, OptRow, None, "Row of slice of the effect; NULL if not known.")        \
  C(cause_ts, int64_t, None, "Trace time of the cause, ns.")                         \
  C(effect_ts, int64_t, None, "Trace time of the effect, ns.")                       \
  C(gap_ns, int64_t, None, "effect_ts minus cause_ts, ns: negative.")                \
  C(uncertainty_ns, OptInt, None, "Bound of the two clocks, ns; NULL is unbounded.") \
  C(verdict, StringId, None, "within, certain or unknown, as in causality.")
TB_TABLE(CausalityViolationTable, "__intrinsic_causality_violation",
         "Pairs of causality out of order, worst first, at most 100000 (ours).",
         TB_CAUSALITY_VIOLATION_COLUMNS, {"causality_violation"})

#define TB_JSON_CLOCK_SYNC_MARKER_COLUMNS(C)                                     \
  C(trace_file_id, uint32_t, None, "Row of trace_file.")                         \
  C(domain, StringId, None, "Name of the clock of the marker.")                  \
  C(sync_id, StringId, None, "Sync id: equal for markers of one moment.")        \
  C(start_ts, int64_t, None, "Earliest reading of the clock at the moment, ns.") \
  C(end_ts, int64_t, None, "Latest reading of the clock at the moment, ns.")     \
  C(role, StringId, None, "issuer or receiver.")
TB_TABLE(JsonClockSyncMarkerTable, "__intrinsic_json_clock_sync_marker",
         "Moments that several recordings have in common (ours).",
         TB_JSON_CLOCK_SYNC_MARKER_COLUMNS, {"json_clock_sync_marker"})

#define TB_JSON_CLOCK_EDGE_COLUMNS(C)                                               \
  C(from_domain, StringId, None, "The alphabetically first of the two domains.")    \
  C(to_domain, StringId, None, "The other domain.")                                 \
  C(offset_ns, int64_t, None, "Marker of to_domain minus that of from_domain, ns.") \
  C(error_ns, int64_t, None, "Sum of the lengths of the two markers.")              \
  C(sync_id, StringId, None, "Sync id of both markers.")                            \
  C(is_used, uint8_t, None, "1 if it is on the path of a placed clock.")
TB_TABLE(JsonClockEdgeTable, "__intrinsic_json_clock_edge",
         "Pairs of recordings with a common moment (ours).", TB_JSON_CLOCK_EDGE_COLUMNS,
         {"json_clock_edge"})

#define TB_JSON_TRACE_CLOCK_COLUMNS(C)                                                  \
  C(trace_file_id, uint32_t, None, "Row of trace_file.")                                \
  C(domain, StringId, None, "Name of the clock in the file.")                           \
  C(offset_ns, OptInt, None, "Trace time minus the file's time, ns; NULL if unplaced.") \
  C(slope, double, None, "ns of trace time for each ns of the file's clock.")           \
  C(error_ns, OptInt, None, "Bound of the offset, ns; NULL is unbounded.")              \
  C(path, StringId, None, "Clocks from the file's to trace time.")
TB_TABLE(JsonTraceClockTable, "__intrinsic_json_trace_clock",
         "How the files with named clocks were placed (ours).", TB_JSON_TRACE_CLOCK_COLUMNS,
         {"json_trace_clock"})

#define TB_PLACEMENT_TABLES(TABLE, PLAIN)                  \
  TABLE(ClockTable, clocks)                                \
  TABLE(ClockEdgeTable, clock_edges)                       \
  TABLE(ClockContradictionTable, clock_contradictions)     \
  TABLE(ClockMatchSetTable, clock_match_sets)              \
  TABLE(ClockMatchTable, clock_matches)                    \
  TABLE(ClockResidualTable, clock_residuals)               \
  TABLE(PlacementTable, placements)                        \
  TABLE(SourceClockTable, source_clocks)                   \
  TABLE(FlowViolationTable, flow_violations)               \
  TABLE(FlowBoundTable, flow_bounds)                       \
  TABLE(CausalityTable, causality)                         \
  TABLE(CausalityViolationTable, causality_violations)     \
  TABLE(JsonClockSyncMarkerTable, json_clock_sync_markers) \
  TABLE(JsonClockEdgeTable, json_clock_edges)              \
  TABLE(JsonTraceClockTable, json_trace_clocks)

}  // namespace tracebraid
