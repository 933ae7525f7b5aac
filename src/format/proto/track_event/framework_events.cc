// Track events by which the framework of Android tells that a process started or died (spec proto-2
// 8).
#include <algorithm>
#include <string>

#include "event/make_event.h"
#include "event/plain_args.h"
#include "format/proto/generated/fields.h"
#include "format/proto/names.h"
#include "format/proto/track_event/track_event.h"

namespace tracebraid::proto {
namespace {

using Start = field::AndroidProcessStartEvent;

// Cells of a row of android_track_event_process.
struct Cell {
  uint32_t field;
  std::string_view column;
};
constexpr Cell kNumbers[] = {
    {Start::kStartSeqId, "start_seq_id"},
    {Start::kPackageUid, "package_uid"},
    {Start::kCallerUid, "caller_uid"},
    {Start::kDefiningUid, "defining_uid"},
    {Start::kBindApplicationDelayMs, "bind_application_delay_ms"},
    {Start::kProcessStartDelayMs, "process_start_delay_ms"},
};

bool is_framework_event(uint32_t field) {
  return field == field::TrackEvent::kProcessStartEvent ||
         field == field::TrackEvent::kBinderDiedEvent;
}

}  // namespace

bool has_framework_event(const TrackEventFields& fields) {
  return std::ranges::any_of(
      fields.typed, [](const Message& value) { return is_framework_event(value.number()); });
}

void TrackEventReader::add_framework_event(const Current& event) {
  for (const Message& value : fields_.typed) {
    if (value.number() == field::TrackEvent::kProcessStartEvent)
      add_process_start(event, value.message());
    if (value.number() == field::TrackEvent::kBinderDiedEvent)
      add_process_death(event, value.message());
  }
}

void TrackEventReader::add_process_start(const Current& event, Message start) {
  std::optional<int64_t> pid, uid;
  StringId name;
  const auto add_enum = [&](std::string_view column, std::string_view type) {
    const std::string_view known = pool_.enum_name(type, start.i32());
    add_text(column, known.empty() ? std::to_string(start.i32()) : known, sink_);
  };
  sink_.open_args();
  while (start.next()) {
    const auto number = std::ranges::find(kNumbers, start.number(), &Cell::field);
    if (number != std::end(kNumbers)) add_int(number->column, start.i64(), sink_);
    switch (start.number()) {
      case Start::kPid:
        pid = start.i32();
        break;
      case Start::kUid:
        uid = start.i32();
        break;
      case Start::kProcessName:
        name = sink_.string(start.bytes());
        break;
      case Start::kHostingName:
        add_text("hosting_name", start.bytes(), sink_);
        break;
      case Start::kHostingType:
        add_enum("hosting_type", "com.android.internal.HostingTypeId");
        break;
      case Start::kTriggerType:
        add_enum("trigger_type", "com.android.internal.TriggerType");
        break;
      default:
        break;
    }
  }
  const uint32_t cells = sink_.close_args();
  if (!pid) return;
  const uint32_t process = sink_.process({.machine = event.packet.machine, .pid = *pid});
  sink_.event(make_process_seen(event.time, process, SeenProcess::Started, cells));
  if (uid) sink_.event(make_process_uid(event.time, process, *uid));
  if (name) sink_.event(make_process_name(event.time, process, name, process_priority::kOther));
}

void TrackEventReader::add_process_death(const Current& event, Message death) {
  std::optional<int64_t> pid;
  while (death.next())
    if (death.number() == field::AndroidBinderDiedEvent::kPid) pid = death.i32();
  if (!pid) return;
  const uint32_t process = sink_.process({.machine = event.packet.machine, .pid = *pid});
  sink_.event(make_process_seen(event.time, process, SeenProcess::Died));
}

}  // namespace tracebraid::proto
