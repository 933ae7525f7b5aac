#include "tables/references.h"

#include <algorithm>

namespace tracebraid {
namespace {

struct Reference {
  std::string_view column, table;
};
constexpr Reference kReferences[] = {
    {"machine_id", "__intrinsic_machine"},
    {"from_machine_id", "__intrinsic_machine"},
    {"to_machine_id", "__intrinsic_machine"},
    {"utid", "__intrinsic_thread"},
    {"waker_utid", "__intrinsic_thread"},
    {"begin_utid", "__intrinsic_thread"},
    {"end_utid", "__intrinsic_thread"},
    {"upid", "__intrinsic_process"},
    {"parent_upid", "__intrinsic_process"},
    {"group_upid", "__intrinsic_process"},
    {"track_id", "__intrinsic_track"},
    {"slice_id", "__intrinsic_slice"},
    {"slice_out", "__intrinsic_slice"},
    {"slice_in", "__intrinsic_slice"},
    {"waker_id", "__intrinsic_thread_state"},
    {"thread_state_id", "__intrinsic_thread_state"},
    {"ucpu", "__intrinsic_cpu"},
    {"callsite_id", "__intrinsic_stack_profile_callsite"},
    {"frame_id", "__intrinsic_stack_profile_frame"},
    {"mapping", "__intrinsic_stack_profile_mapping"},
    {"task_context_id", "__intrinsic_profiler_task_context"},
    {"execution_context_id", "__intrinsic_profiler_execution_context"},
    {"async_context_id", "__intrinsic_profiler_async_context"},
    {"session_id", "__intrinsic_profiler_session"},
    {"clock_id", "__intrinsic_clock"},
    {"from_clock", "__intrinsic_clock"},
    {"to_clock", "__intrinsic_clock"},
    {"clock_a", "__intrinsic_clock"},
    {"clock_b", "__intrinsic_clock"},
    {"next_clock", "__intrinsic_clock"},
    {"set_id", "__intrinsic_clock_match_set"},
    {"trace_id", "__intrinsic_trace_file"},
    {"trace_a", "__intrinsic_trace_file"},
    {"trace_b", "__intrinsic_trace_file"},
    {"trace_file_id", "__intrinsic_trace_file"},
    {"from_trace_id", "__intrinsic_trace_file"},
    {"to_trace_id", "__intrinsic_trace_file"},
    {"instance_id", "__intrinsic_json_object_instance"},
};

// Numbers from the trace, which are no row numbers.
constexpr Reference kNumbersOfTheTrace[] = {{"clock_id", "__intrinsic_clock_snapshot"},
                                            {"trace_id", "__intrinsic_flow"},
                                            {"trace_id", "__intrinsic_flow_violation"}};

}  // namespace

std::string_view referenced_table(std::string_view table, std::string_view column) {
  if (column == "parent_id") return table;
  const auto of_trace = [&](const Reference& number) {
    return number.column == column && number.table == table;
  };
  if (std::ranges::any_of(kNumbersOfTheTrace, of_trace)) return {};
  const auto* found = std::ranges::find(kReferences, column, &Reference::column);
  return found == std::end(kReferences) ? std::string_view() : found->table;
}

}  // namespace tracebraid
