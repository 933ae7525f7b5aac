// Wakelocks: packets have differences since the writer's last packet.
#include <functional>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/system/power.h"
#include "format/proto/system/stats.h"
#include "format/proto/system/writer_state.h"

namespace tracebraid::proto {
namespace {

std::string_view wakelock_type(uint64_t type) {
  constexpr uint64_t kKernel = 1, kNative = 2;
  return type == kKernel ? "kernel" : type == kNative ? "native" : "unknown";
}

void declare_wakelock(const PacketInfo& packet, Message fields, PowerState::Writer& writer,
                      PacketOutput& out) {
  using Field = field::KernelWakelockData_Wakelock;
  uint32_t id = 0;
  uint64_t type = 0;
  std::string_view name;
  while (fields.next()) {
    if (fields.number() == Field::kWakelockId) id = fields.u32();
    if (fields.number() == Field::kWakelockName) name = fields.bytes();
    if (fields.number() == Field::kWakelockType) type = fields.u64();
  }
  const uint32_t track = out.tracks.global_counter(
      packet.machine, {.type = "android_kernel_wakelock", .name = name, .unit = "ms"},
      {{"wakelock_name", name}, {"wakelock_type", wakelock_type(type)}});
  const auto [known, added] = writer.wakelocks.try_emplace(id, PowerState::Wakelock{track});
  if (!added && known->second.track != track) out.count(stats::kernel_wakelock_reused_id, packet);
}

// Counts the bits of error_flags.
void count_wakelock_errors(const PacketInfo& packet, uint64_t flags, PacketOutput& out) {
  constexpr uint64_t kZero = 1, kNonMonotonic = 2, kImplausiblyLarge = 4;
  if ((flags & kZero) != 0) out.count(stats::kernel_wakelock_zero_value_reported, packet);
  if ((flags & kNonMonotonic) != 0)
    out.count(stats::kernel_wakelock_non_monotonic_value_reported, packet);
  if ((flags & kImplausiblyLarge) != 0)
    out.count(stats::kernel_wakelock_implausibly_large_value_reported, packet);
}

// Emits one change of a wakelock. The lowest bit of `encoded` is 1 for acquired; the other bits are
// ns from the packet's time.
void emit_app_wakelock(const PacketInfo& packet, std::string_view lock, uint64_t encoded,
                       PacketOutput& out) {
  using Field = field::AppWakelockInfo;
  std::string_view tag;
  for (Message fields(lock); fields.next();)
    if (fields.number() == Field::kTag) tag = fields.bytes();
  EventTime time = packet.time;
  if (__builtin_add_overflow(time.ticks, static_cast<int64_t>(encoded >> 1), &time.ticks)) return;
  const uint32_t track = out.tracks.track({.lanes = Lanes::ByCookie,
                                           .machine = packet.machine,
                                           .type = out.sink.string("app_wakelock_events"),
                                           .name = out.sink.string("app_wakelock_events"),
                                           .cookie = std::hash<std::string_view>()(lock)});
  if ((encoded & 1) == 0) return out.event(time, EventKind::SliceEnd, track, tag);
  out.sink.open_args();
  for (Message fields(lock); fields.next();) {
    if (fields.number() == Field::kFlags) add_int("flags", fields.i32(), out.sink);
    if (fields.number() == Field::kOwnerPid) add_int("owner_pid", fields.i32(), out.sink);
    if (fields.number() == Field::kOwnerUid) add_int("owner_uid", fields.i32(), out.sink);
    if (fields.number() == Field::kWorkUid) add_int("work_uid", fields.i32(), out.sink);
  }
  out.event(time, EventKind::SliceBegin, track, tag, out.sink.close_args());
}

}  // namespace

void read_kernel_wakelocks(const PacketInfo& packet, std::string_view message, PowerState& state,
                           PacketOutput& out) {
  using Field = field::KernelWakelockData;
  constexpr double kNsPerMs = 1e6;
  PowerState::Writer& writer = writer_of(packet, state.writers);
  std::vector<uint32_t> ids;
  std::vector<uint64_t> held_ms;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kWakelock:
        declare_wakelock(packet, fields.message(), writer, out);
        break;
      case Field::kWakelockId:
        for_each_varint(fields, [&](uint64_t id) { ids.push_back(static_cast<uint32_t>(id)); });
        break;
      case Field::kTimeHeldMillis:
        for_each_varint(fields, [&](uint64_t ms) { held_ms.push_back(ms); });
        break;
      case Field::kErrorFlags:
        count_wakelock_errors(packet, fields.u64(), out);
        break;
      default:
        break;
    }
  }
  for (size_t i = 0; i < ids.size() && i < held_ms.size(); ++i) {
    const auto wakelock = writer.wakelocks.find(ids[i]);
    if (wakelock == writer.wakelocks.end()) {
      out.count(stats::kernel_wakelock_unknown_id, packet);
      continue;
    }
    wakelock->second.held_ms += held_ms[i];
    emit_counter(packet.time, wakelock->second.track,
                 static_cast<double>(wakelock->second.held_ms) * kNsPerMs, out.sink);
  }
}

void read_app_wakelocks(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::AppWakelockBundle;
  std::vector<uint64_t> iids, times;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kInternId)
      for_each_varint(fields, [&](uint64_t iid) { iids.push_back(iid); });
    if (fields.number() == Field::kEncodedTs)
      for_each_varint(fields, [&](uint64_t time) { times.push_back(time); });
  }
  if (iids.size() != times.size()) return out.count(stats::app_wakelock_parse_error, packet);
  for (size_t i = 0; i < iids.size(); ++i) {
    const std::string* lock =
        packet.sequence->find_message(field::InternedData::kAppWakelockInfo, iids[i]);
    if (lock == nullptr)
      out.count(stats::app_wakelock_unknown_id, packet);
    else
      emit_app_wakelock(packet, *lock, times[i], out);
  }
}

}  // namespace tracebraid::proto
