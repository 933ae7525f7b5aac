// Files as readers describe them, and the places of their events after locating. For tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "event/event_kind.h"
#include "merge/locate/locate.h"
#include "merge/manifests.h"

namespace tracebraid::located_files {

inline constexpr uint32_t R = 1, RC = 2, M = 3, B = 6;
inline constexpr int64_t S = 1'000'000'000;              // ns in a second
inline constexpr int64_t W = 1'700'000'000'000'000'000;  // a wall-clock time, ns

inline Format make_format(std::string_view name, FormatClock clock, ArchiveRank rank) {
  return {.name = name, .clock = clock, .rank = rank, .sniff = nullptr, .read = nullptr};
}
inline const Format kProto = make_format("proto", {.domain = B}, ArchiveRank::Proto);
inline const Format kJson =
    make_format("json", {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
                ArchiveRank::Usual);
inline const Format kSystrace = make_format(
    "systrace", {.domain = M, .claims_trace_time = true, .is_default = true}, ArchiveRank::Usual);
inline const Format kLogcat =
    make_format("android_logcat", {.domain = R, .claims_trace_time = true, .is_default = true},
                ArchiveRank::Usual);

using Readings = std::vector<std::pair<uint32_t, int64_t>>;  // domain, ticks

// A file as a reader describes it. `m` is a machine id in the file.
class File {
 public:
  File(std::string file_name, const Format& file_format)
      : name(std::move(file_name)), format(&file_format) {}

  File& snap(const Readings& readings, uint32_t primary = 0, uint64_t m = 0) {
    Snapshot snapshot{.primary = primary, .may_claim = format == &kProto};
    return push(snapshot, readings, m);
  }
  File& wall(int64_t own, int64_t wall_clock) {
    return push({.kind = SnapshotKind::WallClock}, {{kPrivateClock, own}, {R, wall_clock}}, 0);
  }
  // The file counts from a moment of wall-clock time (Kineto).
  File& base_time(int64_t wall_clock) {
    return push({.kind = SnapshotKind::BaseTime, .uncertainty_ns = 10'000},
                {{kPrivateClock, 0}, {R, wall_clock}}, 0);
  }
  File& date(SnapshotKind kind, int64_t wall_clock) {
    return push({.kind = kind}, {{kPrivateClock, 0}, {R, wall_clock}}, 0);
  }
  // The name of the timeline of the file, and a sync marker (spec json 6).
  File& domain(std::string_view text) {
    batch.clock_domains.push_back(
        {clock_index({.domain = kPrivateClock, .by_default = true}), batch.strings.intern(text)});
    return *this;
  }
  File& sync(std::string_view id, int64_t begin, int64_t end) {
    batch.sync_markers.push_back(
        {.clock = clock_index({.domain = kPrivateClock, .by_default = true}),
         .domain = {},
         .sync_id = batch.strings.intern(id),
         .begin = begin,
         .end = end,
         .is_issuer = begin < end});
    return *this;
  }
  // Messages of one ping: client and host reading of BOOTTIME each.
  File& ping(uint64_t m, const std::vector<std::pair<int64_t, int64_t>>& client_host,
             uint32_t domain = B) {
    ++group_;
    for (const auto& [client, host] : client_host) {
      push({.kind = SnapshotKind::PingHost, .group = group_}, {{domain, host}}, 0);
      push({.kind = SnapshotKind::PingClient, .group = group_}, {{domain, client}}, m);
    }
    return *this;
  }
  // An event; without a domain it is in the file's default clock.
  File& event(std::string_view text, int64_t ticks, uint32_t domain = kNone, uint64_t m = 0) {
    ClockName clock{.domain = domain, .machine = machine(m)};
    if (domain == kNone) {
      clock.by_default = true;
      clock.domain = default_domain_ != 0 ? default_domain_ : kTraceTime;
      if (format != &kProto) clock.domain = format->clock.domain;
    }
    if (batch.streams.empty()) batch.streams.emplace_back();
    batch.streams[0].events.push_back({.ts = ticks,
                                       .name = batch.strings.intern(text),
                                       .clock = clock_index(clock) & kMaxClocks});
    if (clock.domain != kTraceTime) ++converted_[m];
    if (m == 0) batch.host_used = true;
    if (m == 0 && batch.machines.size() == 1) batch.host_used_first = true;
    return *this;
  }

  // A task switch of a CPU.
  File& switched(uint32_t cpu, int64_t next_tid, int64_t ticks) {
    event("switch", ticks);
    Event& event = batch.streams[0].events.back();
    event.kind = static_cast<uint8_t>(EventKind::SchedSwitch);
    event.track = cpu;
    event.extra = static_cast<uint32_t>(batch.switches.size());
    batch.switches.push_back({.next_tid = next_tid});
    return *this;
  }

  std::string name;
  const Format* format;
  // Copies of a File share their batch.
  std::shared_ptr<EventBatch> owned = std::make_shared<EventBatch>();
  EventBatch& batch = *owned;

 private:
  uint32_t machine(uint64_t raw_id) {
    const auto at = std::ranges::find(batch.machines, raw_id);
    if (at == batch.machines.end()) batch.machines.push_back(raw_id);
    return static_cast<uint32_t>(std::ranges::find(batch.machines, raw_id) -
                                 batch.machines.begin());
  }
  uint32_t clock_index(const ClockName& clock) {
    auto at = std::ranges::find(batch.clocks, clock);
    if (at == batch.clocks.end()) at = batch.clocks.insert(at, clock);
    return static_cast<uint32_t>(at - batch.clocks.begin());
  }
  File& push(Snapshot snapshot, const Readings& readings, uint64_t m) {
    snapshot.machine = machine(m);
    snapshot.first = static_cast<uint32_t>(batch.readings.size());
    snapshot.count = static_cast<uint32_t>(readings.size());
    snapshot.events_before = converted_[m];
    for (const auto& [domain, ticks] : readings) {
      batch.readings.push_back(
          {clock_index({.domain = domain, .machine = snapshot.machine}), ticks, false});
      if (domain == B && snapshot.may_claim && m == 0 && snapshot.primary == 0) default_domain_ = B;
    }
    if (snapshot.primary != 0 && m == 0) default_domain_ = snapshot.primary;
    if (m == 0) batch.host_used = true;
    if (m == 0 && batch.machines.size() == 1) batch.host_used_first = true;
    batch.snapshots.push_back(snapshot);
    return *this;
  }

  uint32_t group_ = 0, default_domain_ = 0;
  std::map<uint64_t, uint64_t> converted_;
};

struct Outcome {
  Located located;
  std::unique_ptr<Store> store = std::make_unique<Store>();
  std::string error;
  std::vector<Problem> warnings;               // from joining the manifests
  std::map<std::string, int64_t> ts;           // of events that have a place
  std::map<std::string, StatId> lost;          // cause for each event without a place
  std::map<std::string, std::string> machine;  // of each event
};

inline std::string machine_text(MachineId id, const Store& store) {
  const StringId name = store.machines.name[id.row];
  return name ? std::string(store.strings.get(name))
              : std::to_string(store.machines.raw_id[id.row]);
}

// Returns "kind:verdict:reason" of the only match set.
inline std::string verdict_of_set(const Outcome& outcome) {
  const ClockMatchSetTable& sets = outcome.store->clock_match_sets;
  if (sets.rows() != 1) return fmt::format("{} sets", sets.rows());
  const auto text = [&](StringId id) {
    return id ? std::string(outcome.store->strings.get(id)) : std::string();
  };
  return text(sets.kind[0]) + ":" + text(sets.verdict[0]) + ":" + text(sets.reason[0]);
}

// Returns a container and the files in it.
inline std::vector<FileToLocate> files_to_locate(std::deque<File>& files) {
  std::vector<FileToLocate> all;
  all.push_back({.file = FileId{0}, .is_container = true});
  for (File& file : files)
    all.push_back({.file = FileId{static_cast<uint32_t>(all.size())},
                   .parent = FileId{0},
                   .name = file.name,
                   .manifest_path = file.name,
                   .format = file.format,
                   .chunks = {&file.batch}});
  return all;
}

inline Outcome locate_files(std::deque<File>& files, std::string_view manifest_body = {},
                            const LocateOptions& options = {}) {
  Outcome outcome;
  std::vector<FileToLocate> all = files_to_locate(files);
  std::optional<Manifest> manifest;
  if (!manifest_body.empty()) {
    std::vector<std::string> warnings;
    Result<Manifest> parsed = parse_manifest(
        R"({"perfetto_manifest": {"version": 1, )" + std::string(manifest_body) + "}}", warnings);
    EXPECT_TRUE(parsed) << parsed.error().message;
    std::vector<Manifest> manifests{*std::move(parsed)};
    manifest = join_manifests(std::move(manifests), all, outcome.warnings);
  }
  Result<Located> located = locate(all, manifest ? &*manifest : nullptr, options, *outcome.store);
  if (!located) {
    outcome.error = located.error().message;
    return outcome;
  }
  outcome.located = *std::move(located);
  for (size_t i = 0; i < files.size(); ++i) {
    const EventBatch& batch = files[i].batch;
    for (const Stream& stream : batch.streams) {
      for (const Event& event : stream.events) {
        const std::string name(batch.strings.get(event.name));
        const ClockPlace& place = outcome.located.clocks[i][event.clock];
        const MachineId machine = outcome.located.machines[i][batch.clocks[event.clock].machine];
        outcome.machine[name] = machine_text(machine, *outcome.store);
        if (place.kind == ClockPlace::Kind::Raw) {
          outcome.ts[name] = event.ts;
        } else if (const auto ts = outcome.located.placement.place({place.node, event.ts})) {
          outcome.ts[name] = ts->ns;
        } else {
          outcome.lost[name] = outcome.located.why(i, event.clock).stat;
        }
      }
    }
  }
  return outcome;
}

using Times = std::map<std::string, int64_t>;
inline constexpr std::string_view kPhoneAndServer =
    R"("files": [{"path": "a.pb", "machine": {"name": "phone"}},
                 {"path": "b.pb", "machine": {"name": "server"}}])";

// boot(n, b, a) and rt(n, b, r, a) of spec clocks 14.4.
inline File boot(std::string name, int64_t b, int64_t at) {
  File file(name + ".pb", kProto);
  file.snap({{B, b}}).event(name, at);
  return file;
}
inline File rt(std::string name, int64_t b, int64_t r, int64_t at) {
  File file(name + ".pb", kProto);
  file.snap({{B, b}, {R, r}}).event(name, at);
  return file;
}

}  // namespace tracebraid::located_files
