#include "format/proto/window/input_events.h"

#include <vector>

#include "event/plain_args.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/window/message_rows.h"
#include "format/proto/window/stats.h"

namespace tracebraid::proto {
namespace {

using Field = field::AndroidInputEvent;
using Motion = field::AndroidMotionEvent;
using Key = field::AndroidKeyEvent;

constexpr StatId kMalformed = stats::android_input_event_parse_errors;
constexpr MessageTable kMotion{"android_motion_events",
                               {"com.android.internal.AndroidMotionEvent", kMalformed},
                               "event_id source action device_id display_id"};
constexpr MessageTable kKey{"android_key_events",
                            {"com.android.internal.AndroidKeyEvent", kMalformed},
                            "event_id source action device_id display_id key_code"};
constexpr MessageTable kDispatch{
    "android_input_event_dispatch",
    {"com.android.internal.AndroidWindowInputDispatchEvent", kMalformed},
    "event_id vsync_id window_id"};

// Adds the arg of a time that the kernel gave.
void add_time(const PacketInfo& packet, std::string_view key, int64_t ns, PacketOutput& out) {
  const EventTime time = out.clocks.time(
      packet.machine,
      {.domain = field::BuiltinClock::kMonotonic, .on_failure = OnFailure::DropPart}, ns);
  std::vector<ArgTime>& times = out.sink.batch().arg_times;
  add_int(key, static_cast<int64_t>(times.size()), out.sink, ArgType::Time);
  times.push_back({time.ticks, time.clock});
}

// Adds the row of a motion or key event, with the fields that hold its times.
void add_event(const PacketInfo& packet, const MessageTable& table, std::string_view message,
               uint32_t event_time, uint32_t down_time, PacketOutput& out) {
  int64_t event_ns = 0, down_ns = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() == event_time) event_ns = fields.i64();
    if (fields.number() == down_time) down_ns = fields.i64();
  }
  add_message_row(packet, table, message, out, [&] {
    add_time(packet, "kernel_time", event_ns, out);
    add_time(packet, "down_time", down_ns, out);
  });
}

}  // namespace

void read_input_event(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  // The first of the kinds, in the order of their numbers, counts.
  uint32_t kind = 0;
  std::string_view event;
  Message fields(message);
  while (fields.next()) {
    const uint32_t number = fields.number();
    if (number > Field::kDispatcherWindowDispatchEventRedacted || (kind != 0 && number > kind))
      continue;
    kind = number;
    event = fields.bytes();
  }
  if (fields.bad()) out.count(kMalformed, packet);
  switch (kind) {
    case Field::kDispatcherMotionEvent:
    case Field::kDispatcherMotionEventRedacted:
      return add_event(packet, kMotion, event, Motion::kEventTimeNanos, Motion::kDownTimeNanos,
                       out);
    case Field::kDispatcherKeyEvent:
    case Field::kDispatcherKeyEventRedacted:
      return add_event(packet, kKey, event, Key::kEventTimeNanos, Key::kDownTimeNanos, out);
    case Field::kDispatcherWindowDispatchEvent:
    case Field::kDispatcherWindowDispatchEventRedacted:
      return add_message_row(packet, kDispatch, event, out);
    default:
      return;
  }
}

}  // namespace tracebraid::proto
