// Events on tracks: slices, counters, states, and the flows between slices.
#pragma once

#include <cstdint>

#include "tables/declare.h"

namespace tracebraid {

#define TB_TRACK_COLUMNS(C)                                                                        \
  C(name, StringId, None, "Display name.")                                                         \
  C(parent_id, OptRow, None, "Row of track.")                                                      \
  C(source_arg_set_id, OptRow, None, "Args about the source of the track.")                        \
  C(machine_id, uint32_t, None, "Row of machine.")                                                 \
  C(type, StringId, None, "Type of the track.")                                                    \
  C(dimension_arg_set_id, OptRow, None, "Args that distinguish it from other tracks of its type.") \
  C(track_group_id, OptRow, None, "Equal for the lanes of one logical track.")                     \
  C(event_type, StringId, None, "slice, counter or state.")                                        \
  C(counter_unit, StringId, None, "Unit of a counter.")                                            \
  C(utid, OptRow, None, "Row of thread, if it is a thread's.")                                     \
  C(upid, OptRow, None, "Row of process, if it is a process's.")                                   \
  C(trace_id, OptRow, None, "Row of trace_file of its events (ours).")                             \
  C(clock_id, OptRow, None,                                                                        \
    "Row of clock of all its events; NULL if several, or if their times are trace time (ours).")
TB_TABLE(TrackTable, "__intrinsic_track", "Tracks: events of one kind, one row in a viewer.",
         TB_TRACK_COLUMNS,
         {"track",
          "id, name, type, dimension_arg_set_id, parent_id, source_arg_set_id, machine_id, "
          "track_group_id"})

#define TB_SLICE_COLUMNS(C)                                                     \
  C(ts, PackedColumn<int64_t>, Sorted, "Start, ns of trace time.")              \
  C(dur, PackedColumn<int64_t>, None, "Duration, ns; -1 if it never ended.")    \
  C(track_id, PackedColumn<uint32_t>, None, "Row of track.")                    \
  C(category, PackedColumn<StringId>, None, "Category.")                        \
  C(name, PackedColumn<StringId>, None, "Name.")                                \
  C(depth, PackedColumn<uint32_t>, None, "0 for the outermost.")                \
  C(parent_id, PackedColumn<OptRow>, None, "Row of slice that contains it.")    \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args.")                            \
  C(thread_ts, SparseColumn, None, "Start in CPU time of the thread, ns.")      \
  C(thread_dur, SparseColumn, None, "Duration in CPU time of the thread, ns.")  \
  C(thread_instruction_count, SparseColumn, None, "Instructions at the start.") \
  C(thread_instruction_delta, SparseColumn, None, "Instructions during the slice.")
// Slices inside of each other, at most; those deeper are dropped or become siblings.
inline constexpr uint32_t kMaxSliceDepth = 512;
TB_TABLE(SliceTable, "__intrinsic_slice", "Named intervals of time on tracks.", TB_SLICE_COLUMNS,
         {"slice", "*, category AS cat, id AS slice_id"},
         {"slices", "*, category AS cat, id AS slice_id", kAlias})

#define TB_COUNTER_COLUMNS(C)                                \
  C(ts, PackedColumn<int64_t>, Sorted, "ns of trace time.")  \
  C(track_id, PackedColumn<uint32_t>, None, "Row of track.") \
  C(value, double, None, "Value from ts on.")                \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args.")
TB_TABLE(CounterTable, "__intrinsic_counter",
         "Values of counters; each lasts until the next one of its track.", TB_COUNTER_COLUMNS,
         {"counter"})

#define TB_STATE_COLUMNS(C)                          \
  C(ts, int64_t, Sorted, "Start, ns.")               \
  C(dur, int64_t, None, "Duration, ns; -1 if open.") \
  C(track_id, uint32_t, None, "Row of track.")       \
  C(category, StringId, None, "Category.")           \
  C(value, StringId, None, "State.")                 \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(StateTable, "__intrinsic_state", "States of a track, one after the other.",
         TB_STATE_COLUMNS, {"state"})

#define TB_FLOW_COLUMNS(C)                                                         \
  C(slice_out, PackedColumn<uint32_t>, None, "Row of slice that the flow leaves.") \
  C(slice_in, PackedColumn<uint32_t>, None, "Row of slice that the flow enters.")  \
  C(trace_id, OptInt, None, "The flow's id in the trace (not a file).")            \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args.")
TB_TABLE(FlowTable, "__intrinsic_flow", "Flows between slices.", TB_FLOW_COLUMNS, {"flow"})

#define TB_TRACK_EVENT_CALLSTACKS_COLUMNS(C)                \
  C(slice_id, uint32_t, None, "Row of slice.")              \
  C(track_id, uint32_t, None, "Row of track.")              \
  C(callsite_id, OptRow, None, "Callstack at the begin.")   \
  C(end_callsite_id, OptRow, None, "Callstack at the end.") \
  C(weight, double, None, "Weight of the callstack.")
TB_TABLE(TrackEventCallstacksTable, "__intrinsic_track_event_callstacks", "Callstacks of slices.",
         TB_TRACK_EVENT_CALLSTACKS_COLUMNS)

#define TB_CHROME_RAW_COLUMNS(C)            \
  C(ts, int64_t, Sorted, "ns.")             \
  C(name, StringId, None, "Kind.")          \
  C(utid, uint32_t, None, "Row of thread.") \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(ChromeRawTable, "__intrinsic_chrome_raw", "Legacy events without a table of their own.",
         TB_CHROME_RAW_COLUMNS)

#define TB_GPU_COUNTER_GROUP_COLUMNS(C)      \
  C(group_id, int64_t, None, "Number.")      \
  C(track_id, OptRow, None, "Row of track.") \
  C(name, StringId, None, "Name.")           \
  C(description, StringId, None, "Description.")
TB_TABLE(GpuCounterGroupTable, "__intrinsic_gpu_counter_group", "Groups of counters.",
         TB_GPU_COUNTER_GROUP_COLUMNS, {"gpu_counter_group"})

#define TB_SLICE_TABLES(TABLE, PLAIN)                      \
  TABLE(TrackTable, tracks)                                \
  TABLE(SliceTable, slices)                                \
  TABLE(CounterTable, counters)                            \
  TABLE(StateTable, states)                                \
  TABLE(FlowTable, flows)                                  \
  TABLE(TrackEventCallstacksTable, track_event_callstacks) \
  TABLE(ChromeRawTable, chrome_raw)                        \
  PLAIN(GpuCounterGroupTable, gpu_counter_group)

}  // namespace tracebraid
