// Marks that drivers write as events of their own (spec proto 5.4).
#include "format/common/proto_wire.h"
#include "format/proto/ftrace/ftrace.h"
#include "format/proto/generated/fields.h"
#include "kernel/event_schema.h"
#include "kernel/stats.h"

namespace tracebraid::proto {
namespace {

struct Marker {
  char phase = '\0';  // B, E, C, I; other values are no mark
  uint32_t tgid = 0;
  std::string_view name;
  int64_t value = 0;
};

// Reads the fields by their names; of several fields for one value, the last one applies.
Marker read_marker(const FtraceEvent& event) {
  const FtraceEventSchema schema = ftrace_event_schema(event.number);
  Marker marker;
  bool has_type = false, has_begin = false, begins = false;
  uint64_t flag = 0;
  for (Message fields(event.message); fields.next();) {
    std::string_view key;
    for (const FtraceField& field : schema.fields)
      if (field.number == fields.number()) key = field.name;
    if (key == "pid") marker.tgid = fields.u32();
    if (key == "name" || key == "trace_name" || key == "func_name") marker.name = fields.bytes();
    if (key == "value") marker.value = fields.i64();
    if (key == "flag") flag = fields.u64();
    if (key == "type" || key == "trace_type") {
      has_type = true;
      marker.phase = static_cast<char>(fields.u64() & 127);
    }
    if (key == "trace_begin") {
      has_begin = true;
      begins = fields.flag();
    }
  }
  using E = field::FtraceEvent;
  if (event.number == E::kTracingMarkWrite && has_begin) marker.phase = begins ? 'B' : 'E';
  // A type is better than the begin alone; without both there is no mark.
  if (event.number == E::kSdeTracingMarkWrite && marker.phase == '\0' && (has_begin || has_type))
    marker.phase = begins ? 'B' : 'E';
  if (event.number == E::kZero)
    marker.phase = (flag & 1) != 0 ? 'B' : (flag & 2) != 0 ? 'E' : (flag & 4) != 0 ? 'C' : '\0';
  if (event.number == E::kDpuTracingMarkWrite && marker.phase != 'C') marker.tgid = 0;
  return marker;
}

}  // namespace

bool FtraceReader::is_marker(uint32_t event) {
  using E = field::FtraceEvent;
  switch (event) {
    case E::kZero:
    case E::kTracingMarkWrite:
    case E::kSdeTracingMarkWrite:
    case E::kDpuTracingMarkWrite:
    case E::kSamsungTracingMarkWrite:
    case E::kG2dTracingMarkWrite:
    case E::kMaliTracingMarkWrite:
    case E::kLwisTracingMarkWrite:
    case E::kPanelWriteGeneric:
      return true;
    default:
      return false;
  }
}

void FtraceReader::apply_marker(const FtraceEvent& event) {
  const Marker marker = read_marker(event);
  const MarkAt at = event.mark();
  switch (marker.phase) {
    case 'B':
      return marks_.begin(at, marker.tgid, marker.name);
    case 'E':
      return marks_.end(at, marker.tgid);
    case 'I':
      return marks_.instant(at, marker.tgid, marker.name);
    case 'C':
      return marks_.counter(at, marker.tgid, marker.name, marker.value);
    default:
      sink_.count(stats::systrace_parse_failure, event.packet.at, marker.name,
                  event.packet.machine);
  }
}

}  // namespace tracebraid::proto
