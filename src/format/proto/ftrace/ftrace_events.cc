// Ftrace events whose meaning the reader emits (spec proto 5.3, 5.4). Other events are emitted
// unchanged.
#include "format/common/proto_wire.h"
#include "format/proto/ftrace/ftrace.h"
#include "format/proto/generated/fields.h"
#include "kernel/stats.h"

namespace tracebraid::proto {

void FtraceReader::apply(const FtraceEvent& event) {
  using E = field::FtraceEvent;
  switch (event.number) {
    case E::kSchedSwitch:
      return apply_switch(event);
    case E::kSchedWaking:
      return apply_waking(event);
    case E::kSchedBlockedReason:
      return apply_blocked(event);
    case E::kTaskNewtask:
      return apply_new_task(event);
    case E::kTaskRename:
      return apply_rename(event);
    case E::kSchedProcessFree:
      return apply_process_free(event);
    case E::kPrint:
      return apply_print(event);
    default:
      if (is_marker(event.number)) apply_marker(event);
      return;  // assemble/kernel/ handles it, or it is only a row
  }
}

// Interprets the text of a print event.
void FtraceReader::apply_print(const FtraceEvent& event) {
  std::string_view text;
  for (Message fields(event.message); fields.next();)
    if (fields.number() == field::PrintFtraceEvent::kBuf) text = fields.bytes();
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.remove_suffix(1);
  if (text.starts_with("trace_event_clock_sync:")) return;
  if (!marks_.add(event.mark(), text))
    sink_.count(stats::systrace_parse_failure, event.packet.at, text, event.packet.machine);
}

}  // namespace tracebraid::proto
