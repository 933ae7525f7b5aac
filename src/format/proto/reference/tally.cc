#include "format/proto/reference/tally.h"

#include <numeric>

namespace tracebraid::reference {

std::string_view stat_of(LossCause cause) {
  switch (cause) {
    case LossCause::UnknownSource:
      return "clock_sync_failure_unknown_source_clock";
    case LossCause::UnknownTarget:
      return "clock_sync_failure_unknown_target_clock";
    case LossCause::NoPath:
      return "clock_sync_failure_no_path";
    case LossCause::BeforeZero:
      return "trace_sorter_negative_timestamp_dropped";
    case LossCause::NoState:
      return "packet_skipped_seq_needs_incremental_state_invalid";
  }
  return "";
}

uint64_t total(const EventCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

}  // namespace tracebraid::reference
