#include "merge/locate/located.h"

#include "merge/locate/stats.h"

namespace tracebraid {

LostCause Located::why(size_t batch, uint32_t clock) const {
  const ClockId source = clocks[batch][clock].node, target = placement.trace_time();
  LostCause cause{.stat = stats::clock_sync_failure_no_path,
                  .loses_packet = clocks[batch][clock].loses_packet,
                  .source = graph.key(source),
                  .target = graph.key(target)};
  if (placement.node(source).placed()) return cause;  // the reading was ambiguous
  if (!graph.was_read(source))
    cause.stat = stats::clock_sync_failure_unknown_source_clock;
  else if (!graph.was_read(target))
    cause.stat = stats::clock_sync_failure_unknown_target_clock;
  return cause;
}

std::string Located::path_text(ClockId clock) const {
  std::string text;
  for (const ClockId at : placement.path(clock)) {
    if (!text.empty()) text += " > ";
    text += labels[at.row];
  }
  return text;
}

std::string_view Located::rule(ClockId clock) const {
  if (!placement.node(clock).placed()) return "unplaced";
  if (clock == placement.trace_time()) return "is_timeline";
  return name_of(placement.node(clock).weakest);
}

}  // namespace tracebraid
