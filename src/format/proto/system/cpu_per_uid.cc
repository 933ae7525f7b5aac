#include "format/proto/system/cpu_per_uid.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/android_uid.h"
#include "event/make_event.h"
#include "event/row.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/system/writer_state.h"

namespace tracebraid::proto {
namespace {

// Most clusters of a machine; more are malformed.
constexpr uint32_t kMaxClusters = 64;
// Android: users below this number, modulo 100,000, belong to the system.
constexpr uint32_t kFirstApp = 10'000;

bool is_of_group(uint32_t uid) {
  constexpr uint32_t kShared = 50'000, kIsolated = 90'000, kSize = 10'000;
  const uint32_t app = app_of_uid(uid);
  return (app >= kShared && app < kShared + kSize) || app >= kIsolated;
}

// Users of a group have one track.
uint32_t group_of(uint32_t uid) {
  constexpr uint32_t kSize = 10'000;
  return is_of_group(uid) ? uid - uid % kSize : uid;
}

class PacketReader {
 public:
  PacketReader(const PacketInfo& packet, CpuPerUidState& state, PacketOutput& out)
      : packet_(packet), state_(state), out_(out) {
    ++state_.packets;
  }

  void add(uint32_t uid, uint32_t cluster, uint64_t added_ms, CpuPerUidState::Writer& writer) {
    const uint64_t now_ms = writer.total_ms[{uid, cluster}] += added_ms;
    const auto [last, is_first] = state_.last_ms.try_emplace({uid, cluster}, now_ms);
    const uint64_t grown = now_ms > last->second ? now_ms - last->second : 0;
    last->second = now_ms;
    CpuPerUidState::User& total = total_of(app_of_uid(uid) >= kFirstApp, cluster);
    total.grown_ms += grown;
    offer(total, total.grown_ms);
    CpuPerUidState::User& user = user_of(group_of(uid), cluster);
    user.grown_ms += grown;
    offer(user, is_of_group(uid) ? user.grown_ms : now_ms);
  }

  // Writes the values that changed.
  void finish() {
    for (CpuPerUidState::User* user : touched_) write_change(*user);
    state_.last_time = packet_.time;
  }

 private:
  CpuPerUidState::User& user_of(uint32_t uid, uint32_t cluster) {
    CpuPerUidState::User& user = state_.users[{uid, cluster}];
    if (user.track == kNone) {
      const std::string name = fmt::format("CPU for UID {} CL{}", uid, cluster);
      user.track = out_.tracks.global_counter(
          packet_.machine, {.type = "android_cpu_per_uid", .name = name, .unit = "ms"},
          {{"uid", int64_t{uid}}, {"cluster", int64_t{cluster}}});
    }
    return user;
  }

  CpuPerUidState::User& total_of(bool of_apps, uint32_t cluster) {
    CpuPerUidState::User& total = state_.totals[{of_apps, cluster}];
    if (total.track == kNone) {
      const std::string_view type = of_apps ? "Apps" : "System";
      const std::string name = fmt::format("CPU for {} CL{}", type, cluster);
      total.track = out_.tracks.global_counter(
          packet_.machine, {.type = "android_cpu_per_uid_totals", .name = name, .unit = "ms"},
          {{"type", type}, {"cluster", int64_t{cluster}}});
    }
    return total;
  }

  void offer(CpuPerUidState::User& user, uint64_t ms) {
    user.offered_ms = ms;
    if (std::exchange(user.touched, state_.packets) != state_.packets) touched_.push_back(&user);
  }

  void write_change(CpuPerUidState::User& user) {
    const bool is_first = user.written == 0;
    if (!is_first && user.written_ms == user.offered_ms) return;
    const auto write = [&](const EventTime& time, uint64_t ms) {
      emit_counter(time, user.track, static_cast<double>(ms), out_.sink);
    };
    if (!is_first && user.written + 1 < state_.packets) write(state_.last_time, user.written_ms);
    write(packet_.time, user.offered_ms);
    user.written_ms = user.offered_ms;
    user.written = state_.packets;
  }

  const PacketInfo& packet_;
  CpuPerUidState& state_;
  PacketOutput& out_;
  std::vector<CpuPerUidState::User*> touched_;
};

}  // namespace

void read_cpu_per_uid(const PacketInfo& packet, std::string_view message, CpuPerUidState& state,
                      PacketOutput& out) {
  using Field = field::CpuPerUidData;
  CpuPerUidState::Writer& writer = writer_of(packet, state.writers);
  std::vector<uint32_t> uids;
  std::vector<uint64_t> added_ms;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kClusterCount && fields.u32() <= kMaxClusters)
      writer.clusters = fields.u32();
    if (fields.number() == Field::kUid)
      for_each_varint(fields, [&](uint64_t uid) { uids.push_back(static_cast<uint32_t>(uid)); });
    if (fields.number() == Field::kTotalTimeMs)
      for_each_varint(fields, [&](uint64_t ms) { added_ms.push_back(ms); });
  }
  PacketReader reader(packet, state, out);
  for (size_t i = 0; i < uids.size() * writer.clusters && i < added_ms.size(); ++i)
    reader.add(uids[i / writer.clusters], static_cast<uint32_t>(i % writer.clusters), added_ms[i],
               writer);
  reader.finish();
}

void finish_cpu_per_uid(uint32_t machine, const CpuPerUidState& state, PacketOutput& out) {
  for (const auto& [key, user] : state.users)
    out.sink.event(RowWriter(out.sink, "android_cpu_per_uid_track")
                       .track("track_id", user.track)
                       .integer("uid", key.first)
                       .integer("cluster", key.second)
                       .integer("total_cpu_millis", static_cast<int64_t>(user.grown_ms))
                       .finish(out.clocks.latest(machine)));
}

}  // namespace tracebraid::proto
