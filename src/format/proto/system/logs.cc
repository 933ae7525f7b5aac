#include "format/proto/system/logs.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <string>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/own.h"
#include "format/proto/system/stats.h"

namespace tracebraid::proto {
namespace {

constexpr int64_t kInfo = 4;  // default priority of Android lines

// Appends one name=value of a line of the event log.
void append_arg(Message fields, std::string& text) {
  using Field = field::AndroidLogPacket_LogEvent_Arg;
  std::string value;
  std::string_view name;
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kName:
        name = fields.bytes();
        break;
      case Field::kIntValue:
        value = std::to_string(fields.i64());
        break;
      case Field::kFloatValue:
        value = fmt::format("{:f}", fields.real());
        break;
      case Field::kStringValue:
        value = fmt::format("\"{}\"", fields.bytes());
        break;
      default:
        break;
    }
  }
  fmt::format_to(std::back_inserter(text), " {}={}", name, value);
}

// Fields that our exporter adds to a line.
struct OwnLine {
  std::optional<int64_t> time;  // trace time
  std::string_view source = "android_logcat";
  bool has_thread = true;
  std::optional<int64_t> tid, pid;
  uint32_t args = kNone;
};

OwnLine read_own(std::string_view message, EventSink& sink) {
  OwnLine line;
  for (Message fields(message); fields.next();) {
    if (fields.number() == own::Log::kTime) line.time = fields.i64();
    if (fields.number() == own::Log::kSource) line.source = fields.bytes();
    if (fields.number() == own::Log::kHasThread) line.has_thread = fields.flag();
    if (fields.number() == own::Log::kTid) line.tid = fields.i64();
    if (fields.number() == own::Log::kPid) line.pid = fields.i64();
  }
  line.args = own::arg_set(message, own::Log::kArg, sink);
  return line;
}

void emit_line(const PacketInfo& packet, Message fields, PacketOutput& out) {
  using Field = field::AndroidLogPacket_LogEvent;
  int64_t pid = 0, tid = 0, ns = 0, priority = 0;
  std::string_view tag;
  std::string text, args;
  OwnLine own;
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kPid:
        pid = fields.i32();
        break;
      case Field::kTid:
        tid = fields.i32();
        break;
      case Field::kTimestamp:
        ns = fields.i64();
        break;
      case Field::kTag:
        tag = fields.bytes();
        break;
      case Field::kPrio:
        priority = fields.i32();
        break;
      case Field::kMessage:
        text = fields.bytes();
        break;
      case Field::kArgs:
        append_arg(fields.message(), args);
        break;
      case own::kField:
        own = read_own(fields.bytes(), out.sink);
        break;
      default:
        break;
    }
  }
  EventTime time = packet.time;
  if (own.time)
    time.ticks = *own.time;
  else
    time = out.clocks.time(
        packet.machine,
        {.domain = field::BuiltinClock::kRealtime, .on_failure = OnFailure::DropPart}, ns);
  const uint32_t thread = own.has_thread ? out.sink.thread({.machine = packet.machine,
                                                            .tid = own.tid.value_or(tid),
                                                            .pid = own.pid.value_or(pid)})
                                         : kNone;
  out.sink.event(make_log(time, {.thread = thread,
                                 .message = out.sink.string(text + args),
                                 .tag = out.sink.string(tag),
                                 .priority = priority == 0 ? kInfo : priority,
                                 .source = out.sink.string(own.source),
                                 .args = own.args}));
}

}  // namespace

void read_android_log(const PacketInfo& packet, std::string_view message, LatestStats& stats,
                      PacketOutput& out) {
  using Field = field::AndroidLogPacket_Stats;
  for (Message fields(message); fields.next();) {
    if (fields.number() == field::AndroidLogPacket::kEvents)
      emit_line(packet, fields.message(), out);
    if (fields.number() != field::AndroidLogPacket::kStats) continue;
    for (Message counts = fields.message(); counts.next();) {
      if (counts.number() == Field::kNumTotal)
        stats.set(stats::android_log_num_total, counts.i64());
      if (counts.number() == Field::kNumFailed)
        stats.set(stats::android_log_num_failed, counts.i64());
      if (counts.number() == Field::kNumSkipped)
        stats.set(stats::android_log_num_skipped, counts.i64());
    }
  }
}

void read_journald(const PacketInfo& packet, std::string_view message, LatestStats& stats,
                   PacketOutput& out) {
  using Field = field::SystemdJournaldEvent;
  std::optional<int64_t> pid, tid;
  int64_t priority = 0;
  StringId tag, text;
  bool is_stats = false;
  out.sink.open_args();
  for (Message fields(message); fields.next();) {
    const auto add = [&](std::string_view key) { add_text(key, fields.bytes(), out.sink); };
    switch (fields.number()) {
      case Field::kPid:
        pid = fields.u32();
        break;
      case Field::kTid:
        tid = fields.u32();
        break;
      case Field::kUid:
        add_int("uid", fields.u32(), out.sink);
        break;
      case Field::kPrio:
        priority = fields.u32();
        break;
      case Field::kTag:
        tag = out.sink.string(fields.bytes());
        break;
      case Field::kMessage:
        text = out.sink.string(fields.bytes());
        break;
      case Field::kComm:
        add("comm");
        break;
      case Field::kSystemdUnit:
        add("systemd_unit");
        break;
      case Field::kHostname:
        add("hostname");
        break;
      case Field::kTransport:
        add("transport");
        break;
      case Field::kNumTotal:
        is_stats = true;
        stats.set(stats::systemd_journal_num_total, fields.i64());
        break;
      case Field::kNumFailed:
        is_stats = true;
        stats.set(stats::systemd_journal_num_failed, fields.i64());
        break;
      default:
        break;
    }
  }
  const uint32_t args = out.sink.close_args();
  if (is_stats && !text) return;
  uint32_t thread = kNone;
  if (pid)
    thread = out.sink.thread({.machine = packet.machine, .tid = tid.value_or(*pid), .pid = *pid});
  out.sink.event(make_log(packet.time, {.thread = thread,
                                        .message = text,
                                        .tag = tag,
                                        .priority = priority,
                                        .source = out.sink.string("systemd_journald"),
                                        .args = args}));
}

}  // namespace tracebraid::proto
