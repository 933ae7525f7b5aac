#include "merge/locate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>

namespace tracebraid {
namespace {

constexpr uint32_t R = 1, RC = 2, M = 3, MC = 4, B = 6;
constexpr int64_t S = 1'000'000'000;              // ns in a second
constexpr int64_t W = 1'700'000'000'000'000'000;  // a wall-clock time, ns

Format make_format(std::string_view name, FormatClock clock, ArchiveRank rank) {
  return {.name = name, .clock = clock, .rank = rank, .sniff = nullptr, .read = nullptr};
}
const Format kProto = make_format("proto", {.domain = B}, ArchiveRank::Proto);
const Format kJson =
    make_format("json", {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
                ArchiveRank::Usual);
const Format kSystrace = make_format(
    "systrace", {.domain = M, .claims_trace_time = true, .is_default = true}, ArchiveRank::Usual);
const Format kLogcat =
    make_format("android_logcat", {.domain = R, .claims_trace_time = true, .is_default = true},
                ArchiveRank::Usual);

using Readings = std::vector<std::pair<uint32_t, int64_t>>;  // domain, ticks

// A file as a reader would describe it. `m` is a raw machine id.
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
    if (m == 0 && batch.machines.size() == 1) batch.host_used = true;
    return *this;
  }

  std::string name;
  const Format* format;
  // Copies of a File share what it said.
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
    if (m == 0 && batch.machines.size() == 1) batch.host_used = true;
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
  std::map<std::string, int64_t> ts;           // of events that have a place
  std::map<std::string, Stat> lost;            // why others do not
  std::map<std::string, std::string> machine;  // of each event
};

std::string machine_text(MachineId id, const Store& store) {
  const StringId name = store.machines.name[id.row];
  return name ? std::string(store.strings.get(name))
              : std::to_string(store.machines.raw_id[id.row]);
}

Outcome locate_files(std::deque<File>& files, std::string_view manifest_body = {}) {
  Outcome outcome;
  std::vector<FileToLocate> all;
  all.push_back({.file = FileId{0}, .is_container = true});
  for (File& file : files)
    all.push_back({.file = FileId{static_cast<uint32_t>(all.size())},
                   .parent = FileId{0},
                   .name = file.name,
                   .format = file.format,
                   .pieces = {&file.batch}});
  std::optional<Manifest> manifest;
  if (!manifest_body.empty()) {
    std::vector<std::string> warnings;
    Result<Manifest> parsed = parse_manifest(
        R"({"perfetto_manifest": {"version": 1, )" + std::string(manifest_body) + "}}", warnings);
    EXPECT_TRUE(parsed) << parsed.error().message;
    manifest = *std::move(parsed);
  }
  Result<Located> located = locate(all, manifest ? &*manifest : nullptr, {}, *outcome.store);
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
constexpr std::string_view kPhoneAndServer =
    R"("files": [{"path": "a.pb", "machine": {"name": "phone"}},
                 {"path": "b.pb", "machine": {"name": "server"}}])";

// boot(n, b, a) and rt(n, b, r, a) of spec clocks 14.4.
File boot(std::string name, int64_t b, int64_t at) {
  File file(name + ".pb", kProto);
  file.snap({{B, b}}).event(name, at);
  return file;
}
File rt(std::string name, int64_t b, int64_t r, int64_t at) {
  File file(name + ".pb", kProto);
  file.snap({{B, b}, {R, r}}).event(name, at);
  return file;
}

TEST(Locate, TraceTimeOfASingleFile) {
  std::deque<File> raw{File("a.pb", kProto)};
  raw[0].event("e", 7);
  Outcome outcome = locate_files(raw);
  EXPECT_EQ(outcome.ts, (Times{{"e", 7}}));
  EXPECT_EQ(outcome.located.timeline, TimelineSource::None);
  EXPECT_EQ(outcome.store->metadata.rows(), 0U);

  std::deque<File> primary{File("a.pb", kProto)};
  primary[0].snap({{M, 1000}, {B, 11000}}, M).event("m", 1000, M).event("b", 12000, B);
  outcome = locate_files(primary);
  EXPECT_EQ(outcome.ts, (Times{{"m", 1000}, {"b", 2000}}));
  EXPECT_EQ(outcome.store->metadata.int_value[0].value, M);

  std::deque<File> again{File("a.pb", kProto)};
  again[0].snap({{M, 10}, {B, 20}}, M).snap({{M, 11}, {B, 21}}, B).event("m", 15, M).event("d", 30);
  EXPECT_EQ(locate_files(again).ts, (Times{{"m", 25}, {"d", 30}}));

  std::deque<File> late{File("a.pb", kProto)};
  late[0].snap({{M, 10}, {B, 1010}}).event("b", 1015).snap({{M, 20}, {B, 1020}}, M).event("d", 25);
  EXPECT_EQ(locate_files(late).ts, (Times{{"b", 1015}, {"d", 1025}}));

  std::deque<File> locked{File("a.pb", kProto)};
  locked[0]
      .event("b", 100, B)
      .snap({{M, 1000}, {B, 11000}}, M)
      .event("m", 1000, M)
      .event("d", 1500);
  outcome = locate_files(locked);
  EXPECT_EQ(outcome.ts, (Times{{"b", 100}, {"m", 11000}, {"d", 11500}}));
  EXPECT_EQ(outcome.located.timeline, TimelineSource::None);

  std::deque<File> own{File("a.pb", kProto)};
  own[0].snap({{kPrivateClock, 5}, {B, 100}}).event("b", 130, B);
  EXPECT_EQ(locate_files(own).ts, (Times{{"b", 35}}));
}

TEST(Locate, CausesOfLoss) {
  std::deque<File> files{File("a.pb", kProto)};
  files[0].snap({{B, 10}}).snap({{M, 5}}).event("m", 1, M).event("r", 1, R);
  Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.lost.at("m"), Stat::clock_sync_failure_no_path);
  EXPECT_EQ(outcome.lost.at("r"), Stat::clock_sync_failure_unknown_source_clock);
  EXPECT_TRUE(outcome.located.why(0, 2).loses_packet);

  std::deque<File> target{File("a.pb", kProto)};
  target[0].snap({}, M).snap({{R, 1}, {RC, 2}}).event("r", 6, R).event("m", 9);
  outcome = locate_files(target);
  EXPECT_EQ(outcome.ts, (Times{{"m", 9}}));
  EXPECT_EQ(outcome.lost.at("r"), Stat::clock_sync_failure_unknown_target_clock);

  std::deque<File> none{File("a.pb", kProto)};
  none[0].snap({{M, 10}, {R, 20}}).event("raw", 30).event("m", 40, M);
  outcome = locate_files(none);
  EXPECT_EQ(outcome.ts, (Times{{"raw", 30}}));
  EXPECT_EQ(outcome.lost.at("m"), Stat::clock_sync_failure_no_path);
  EXPECT_TRUE(outcome.located.unrelatable.empty());
}

TEST(Locate, RemoteMachinesOfAFile) {
  std::deque<File> remote{File("a.pb", kProto)};
  remote[0].snap({{B, 10}}).event("h", 20).event("x", 30, R, 7);
  Outcome outcome = locate_files(remote);
  EXPECT_EQ(outcome.lost.at("x"), Stat::clock_sync_failure_unknown_source_clock);
  EXPECT_EQ(outcome.machine.at("x"), "7");
  EXPECT_EQ(outcome.located.scopes.size(), 2U);

  std::deque<File> inherits{File("a.pb", kProto)};
  inherits[0].snap({{B, 1000}, {M, 400}}, M).event("vm", 2500, M, 7).event("vmb", 2600, B, 7);
  outcome = locate_files(inherits);
  EXPECT_EQ(outcome.lost.size(), 2U);
  ASSERT_EQ(outcome.located.unrelatable.size(), 1U);
  EXPECT_EQ(outcome.located.unrelatable[0].source_domain, B);
  EXPECT_EQ(outcome.located.unrelatable[0].target_domain, M);

  // The first claim wins, per file and machine.
  std::deque<File> keeps{File("a.pb", kProto)};
  keeps[0]
      .snap({{B, 1000}, {M, 100}})
      .event("h1", 1100)
      .snap({{B, 5000}, {M, 900}}, M, 7)
      .event("h2", 2000)
      .event("vm", 950, M, 7);
  EXPECT_EQ(locate_files(keeps).ts, (Times{{"h1", 1100}, {"h2", 2000}, {"vm", 5050}}));

  std::deque<File> meets{File("a.pb", kProto)};
  meets[0]
      .snap({{B, 1 * S}, {R, W + 5 * S}})
      .event("host", 1'500'000'000)
      .snap({{R, W + 6 * S}, {M, 50}}, 0, 7)
      .event("vm", 80, M, 7);
  EXPECT_EQ(locate_files(meets).ts, (Times{{"host", 1'500'000'000}, {"vm", 2'000'000'030}}));
}

TEST(Locate, Adoption) {
  std::deque<File> one{File("a.pb", kProto)};
  one[0].snap({{B, 1000}}, 0, 7).event("vm", 1500, B, 7).event("late_host", 1600, B);
  Outcome outcome = locate_files(one);
  EXPECT_EQ(outcome.store->machines.rows(), 1U);
  EXPECT_EQ(outcome.store->machines.raw_id[0], 7);
  EXPECT_EQ(outcome.machine.at("late_host"), "7");

  std::deque<File> two{File("a.pb", kProto)};
  two[0].snap({{B, 1000}}, 0, 7).event("vm7", 1500, B, 7).event("vm9", 1600, B, 9);
  outcome = locate_files(two);
  EXPECT_EQ(outcome.ts, (Times{{"vm7", 1500}, {"vm9", 1600}}));
  EXPECT_EQ(outcome.store->machines.rows(), 2U);

  std::deque<File> shared{File("a.pb", kProto), File("b.pb", kProto)};
  shared[0].snap({{B, 1000}}, 0, 5).event("a", 1500, B, 5);
  shared[1].snap({{B, 1000}}, 0, 5).event("b", 1700, B, 5);
  outcome = locate_files(shared);
  EXPECT_EQ(outcome.store->machines.rows(), 1U);
  EXPECT_EQ(outcome.ts, (Times{{"a", 1500}, {"b", 1700}}));

  std::deque<File> mixed{File("a.pb", kProto), File("b.pb", kProto)};
  mixed[0].snap({{B, 1000}}).event("a", 1500);
  mixed[1].snap({{B, 1000}}, 0, 5).event("b", 1700, B, 5);
  outcome = locate_files(mixed);
  EXPECT_EQ(outcome.machine, (std::map<std::string, std::string>{{"a", "0"}, {"b", "5"}}));
}

TEST(Locate, Pings) {
  std::deque<File> first{File("a.pb", kProto)};
  first[0]
      .event("h0", 10)
      .ping(7, {{1000, 501000}, {1200, 501200}})
      .snap({{B, 600000}})
      .event("host", 600500)
      .event("vm", 1500, B, 7);
  EXPECT_EQ(locate_files(first).ts, (Times{{"h0", 10}, {"host", 600500}, {"vm", 501400}}));

  std::deque<File> second{File("a.pb", kProto)};
  second[0]
      .snap({{B, 1000}})
      .ping(7, {{1000, 501000}, {1200, 501200}})
      .ping(7, {{10000, 511000}, {10200, 511200}})
      .event("before", 5000, B, 7)
      .event("mid", 9000, B, 7)
      .event("after", 12000, B, 7);
  EXPECT_EQ(locate_files(second).ts,
            (Times{{"before", 504900}, {"mid", 508900}, {"after", 512900}}));

  std::deque<File> rows{File("a.pb", kProto)};
  rows[0].snap({{B, 1000}}).event("host", 2000).ping(7, {{40000, 400000}, {61001, 420000}});
  const Outcome outcome = locate_files(rows);
  const ClockSnapshotTable& table = outcome.store->clock_snapshots;
  ASSERT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.ts[1], 420000);
  EXPECT_EQ(table.ts[2], 420000);
  EXPECT_EQ(table.clock_value[2], 70751);
  EXPECT_EQ(table.snapshot_id[2], 3);
  EXPECT_EQ(table.machine_id[2].row, 1U);
}

TEST(Locate, APingBelongsToTheRecordingHost) {
  std::deque<File> files{rt("a", 1 * S, W + 1 * S, 1'300'000'000), File("b.pb", kProto)};
  files[1]
      .snap({{B, 100 * S}, {R, W + 3 * S}})
      .event("b", 101 * S)
      .ping(9, {{40 * S, 101 * S}, {40 * S, 101 * S}})
      .event("vm", 40'200'000'000, B, 9);
  EXPECT_EQ(locate_files(files,
                         R"("files": [{"path": "a.pb", "machine": {"name": "phone"}}, {"path":
      "b.pb", "machines": [{"id": 0, "name": "server"}, {"id": 9, "name": "vm"}]}])")
                .ts,
            (Times{{"a", 1'300'000'000}, {"b", 4 * S}, {"vm", 4'200'000'000}}));
}

TEST(Locate, APingOfASecondFileReachesItsClocks) {
  std::deque<File> files{File("a.pb", kProto), File("b.pb", kProto)};
  files[0]
      .snap({{B, 1000}, {M, 500}})
      .event("a", 1100)
      .ping(7, {{31000, 1000}, {31000, 1000}})
      .event("v1", 31500, B, 7);
  files[1]
      .snap({{B, 1000}, {M, 500}})
      .event("b", 2100)
      .ping(7, {{700, 1500}, {700, 1500}}, M)
      .event("v2", 750, M, 7);
  EXPECT_EQ(locate_files(files).ts, (Times{{"a", 1100}, {"v1", 1500}, {"v2", 2050}, {"b", 2100}}));
}

TEST(Locate, FilesOfOneMachine) {
  std::deque<File> reuses{File("a.pb", kProto), File("b.pb", kProto)};
  reuses[0].snap({{R, 10000}, {B, 110000}}).event("a", 11000, R);
  reuses[1].event("b", 12000, R);
  EXPECT_EQ(locate_files(reuses).ts, (Times{{"a", 111000}, {"b", 112000}}));

  std::deque<File> isolated{File("a.pb", kProto), File("b.pb", kProto)};
  isolated[0].snap({{R, 10000}, {B, 110000}}).event("a", 11000, R);
  isolated[1].snap({{R, 10000}, {B, 510000}}).event("b", 11000, R);
  EXPECT_EQ(locate_files(isolated).ts, (Times{{"a", 111000}, {"b", 511000}}));

  std::deque<File> later{File("a.pb", kProto), File("z.pb", kProto)};
  later[0].event("am", 600, M);
  later[1].snap({{M, 500}, {B, 1500}}).event("z", 1700);
  Outcome outcome = locate_files(later);
  EXPECT_EQ(outcome.ts, (Times{{"am", 1600}, {"z", 1700}}));
  EXPECT_TRUE(outcome.located.logs.empty());

  std::deque<File> mixed{File("a.pb", kProto), File("b.pb", kProto)};
  mixed[0].snap({{M, 100}, {B, 1100}}).event("a", 1200);
  mixed[1]
      .event("early", 150, B)
      .event("early2", 160, B)
      .snap({{M, 900}, {B, 5900}})
      .event("late", 950, M);
  outcome = locate_files(mixed);
  EXPECT_EQ(outcome.ts, (Times{{"a", 1200}, {"early", 150}, {"early2", 160}, {"late", 5950}}));
  ASSERT_EQ(outcome.located.logs.size(), 1U);
  EXPECT_EQ(outcome.located.logs[0].value, 2);

  std::deque<File> joined{File("a.pb", kProto), File("b.pb", kProto)};
  joined[0].snap({{B, 1 * S}, {R, W + 1 * S}}).event("a", 1'300'000'000);
  joined[1].snap({{M, 5 * S}, {R, W + 3 * S}}, M).event("b", 5'500'000'000);
  EXPECT_EQ(locate_files(joined).ts, (Times{{"a", 1'300'000'000}, {"b", 3'500'000'000}}));
}

TEST(Locate, MachinesMeetOnWallClock) {
  std::deque<File> two{rt("a", 2 * S, W + 10 * S, 2'100'000'000),
                       rt("b", 7 * S, W + 12 * S, 7'500'000'000)};
  Outcome outcome = locate_files(two, kPhoneAndServer);
  EXPECT_EQ(outcome.ts, (Times{{"a", 2'100'000'000}, {"b", 4'500'000'000}}));
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1].back().node), "rendezvous");
  EXPECT_EQ(outcome.located.path_text(outcome.located.clocks[1][0].node),
            "BOOTTIME of server > REALTIME of server > REALTIME of phone > BOOTTIME of phone");

  std::deque<File> peer{rt("a", 3 * S, W + 7 * S, 3'200'000'000), boot("b", 900 * S, 5 * S)};
  EXPECT_EQ(locate_files(peer, kPhoneAndServer).ts, (Times{{"a", 3'200'000'000}, {"b", 5 * S}}));
  std::deque<File> owner{boot("a", 3 * S, 3'200'000'000), rt("b", 900 * S, W, 901 * S)};
  EXPECT_EQ(locate_files(owner, kPhoneAndServer).ts, (Times{{"a", 3'200'000'000}, {"b", 901 * S}}));

  std::deque<File> coarse{File("a.pb", kProto), File("b.pb", kProto)};
  coarse[0].snap({{B, 3 * S}, {RC, W}}).event("a", 3 * S);
  coarse[1].snap({{B, 9 * S}, {RC, W}}).event("b", 9'100'000'000);
  EXPECT_EQ(locate_files(coarse, kPhoneAndServer).ts, (Times{{"a", 3 * S}, {"b", 9'100'000'000}}));

  std::deque<File> late{rt("a", 1 * S, W + 1 * S, 1'300'000'000), boot("b", 5 * S, 5'100'000'000)};
  late[1].snap({{B, 6 * S}, {R, W + 2 * S}});
  EXPECT_EQ(locate_files(late, kPhoneAndServer).ts,
            (Times{{"a", 1'300'000'000}, {"b", 1'100'000'000}}));
}

TEST(Locate, ASecondFileOfARemoteMachine) {
  std::deque<File> files{rt("a", 2 * S, W + 10 * S, 2'100'000'000),
                         rt("b", 7 * S, W + 12 * S, 7'500'000'000),
                         rt("c", 700 * S, W + 11 * S, 700'500'000'000)};
  EXPECT_EQ(locate_files(files,
                         R"("files": [{"path": "a.pb", "machine": {"name": "phone"}},
      {"path": "b.pb", "machine": {"name": "server"}},
      {"path": "c.pb", "machine": {"name": "server"}}])")
                .ts,
            (Times{{"a", 2'100'000'000}, {"b", 4'500'000'000}, {"c", 3'500'000'000}}));
}

TEST(Locate, FormatsWithAClockOfTheirOwn) {
  std::deque<File> files{File("a.pb", kProto), File("j.json", kJson), File("k.json", kJson),
                         File("l.logcat", kLogcat), File("s.systrace", kSystrace)};
  files[0].snap({{B, 4 * S}, {R, W + 1 * S}, {M, 1 * S}}).event("a", 4'100'000'000);
  files[1].event("j", 5000);
  files[2].event("k", 6000);
  files[3].event("l", W + 2 * S);
  files[4].event("s", 1'200'000'000);
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(
      outcome.ts,
      (Times{{"a", 4'100'000'000}, {"j", 5000}, {"k", 6000}, {"l", 5 * S}, {"s", 4'200'000'000}}));
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed");

  std::deque<File> foreign{File("a.pb", kProto), File("s.systrace", kSystrace)};
  foreign[0].snap({{B, 2 * S}, {R, W}}).event("a", 2'100'000'000);
  foreign[1].event("s", 1);
  const Outcome dropped = locate_files(foreign, R"("files": [{"path": "s.systrace", "machine":
      {"name": "server"}}])");
  EXPECT_EQ(dropped.lost.at("s"), Stat::clock_sync_failure_unknown_source_clock);
  EXPECT_EQ(dropped.located.unrelatable.size(), 1U);
  EXPECT_FALSE(dropped.located.why(1, 0).loses_packet);

  std::deque<File> meets{File("a.pb", kProto), File("l.logcat", kLogcat)};
  meets[0].snap({{B, 2 * S}, {R, W + 1 * S}});
  meets[1].event("l", W + 1'500'000'000);
  EXPECT_EQ(locate_files(meets, R"("files": [{"path": "l.logcat", "machine": {"name": "s"}}])").ts,
            (Times{{"l", 2'500'000'000}}));
}

TEST(Locate, WallClockAnchors) {
  std::deque<File> files{File("a.json", kJson), File("b.json", kJson)};
  files[0].wall(0, W).event("a", 1000);
  files[1].wall(0, W + 1 * S).event("b", 3000);
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(outcome.ts, (Times{{"a", 1000}, {"b", 1'000'003'000}}));
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "rendezvous");
}

TEST(Locate, ManifestRelates) {
  const auto relate = [](std::string_view clocks, std::string_view more = "") {
    return R"("files": [{"path": "a.pb", "machine": {"name": "phone"}}, {"path": "b.pb",
      "machine": {"name": "server"}, "clocks": {)" +
           std::string(clocks) + "}}]" + std::string(more);
  };
  std::deque<File> files{boot("a", 1 * S, 1'100'000'000), boot("b", 1 * S, 1'100'000'000)};
  const std::string plus = relate(R"("clock": "BOOTTIME", "offset_ns": 500, "sync_to": {"file":
      "a.pb", "machine": "phone", "clock": "BOOTTIME"})");
  EXPECT_EQ(locate_files(files, plus).ts, (Times{{"a", 1'100'000'000}, {"b", 1'100'000'500}}));
  EXPECT_EQ(
      locate_files(files, plus + R"(, "trace_time": {"file": "b.pb", "clock": "BOOTTIME"})").ts,
      (Times{{"a", 1'099'999'500}, {"b", 1'100'000'000}}));

  std::deque<File> walls{rt("a", 1 * S, W, 1'100'000'000),
                         rt("b", 1 * S, W + 5 * S, 1'100'000'000)};
  EXPECT_EQ(locate_files(walls, plus).ts.at("b"), 1'100'000'500) << "beats wall clock";

  const Outcome recorded = locate_files(files, plus);
  const ClockSnapshotTable& rows = recorded.store->clock_snapshots;
  EXPECT_EQ(rows.snapshot_id[0], 0);
  EXPECT_EQ(rows.ts[0], 500);
  EXPECT_EQ(rows.clock_value[0], 0);
  EXPECT_EQ(rows.clock_value[1], 500);

  std::deque<File> same{boot("a", 1 * S, 1'200'000'000), boot("b", 1 * S, 1'300'000'000)};
  EXPECT_EQ(locate_files(same, R"("files": [{"path": "a.pb"}, {"path": "b.pb", "clocks": {"clock":
      "BOOTTIME", "sync_to": {"file": "a.pb", "clock": "BOOTTIME"}, "offset_ns": 350}}])")
                .ts,
            (Times{{"a", 1'200'000'000}, {"b", 1'300'000'350}}));

  std::deque<File> lines{File("a.systrace", kSystrace), File("b.systrace", kSystrace)};
  lines[0].event("a", 100);
  lines[1].event("b", 100);
  EXPECT_EQ(locate_files(lines, R"("files": [{"path": "a.systrace"}, {"path": "b.systrace",
      "clocks": {"clock": "MONOTONIC", "sync_to": {"file": "a.systrace", "clock": "MONOTONIC"},
      "offset_ns": 7}}])")
                .ts,
            (Times{{"a", 100}, {"b", 107}}))
      << "neither has relations of its own";
}

TEST(Locate, ManifestPins) {
  std::deque<File> files{boot("a", 1 * S, 1'200'000'000), File("j.json", kJson),
                         File("k.json", kJson), File("s.systrace", kSystrace)};
  files[1].event("j", 2000);
  files[2].event("k", 3000);
  files[3].event("s", 4000);
  const Outcome outcome = locate_files(files, R"("files": [{"path": "a.pb"},
      {"path": "j.json", "clocks": {"sync_to": {"file": "a.pb", "clock": "BOOTTIME"},
                                    "offset_ns": -500}},
      {"path": "k.json", "clocks": {"sync_to": {"file": "j.json"}, "offset_ns": 100}},
      {"path": "s.systrace", "clocks": {"sync_to": {"file": "a.pb"}, "offset_ns": 50}}])");
  EXPECT_EQ(outcome.ts, (Times{{"a", 1'200'000'000}, {"j", 1500}, {"k", 2600}, {"s", 4050}}));

  std::deque<File> proto{boot("a", 1 * S, 1'200'000'000), File("n.pb", kProto)};
  proto[1].event("n", 100).event("n2", 300);
  EXPECT_EQ(locate_files(proto, R"("files": [{"path": "a.pb"}, {"path": "n.pb", "clocks":
      {"sync_to": {"file": "a.pb", "clock": "BOOTTIME"}, "offset_ns": 700}}])")
                .ts,
            (Times{{"n", 800}, {"n2", 1000}, {"a", 1'200'000'000}}));
}

TEST(Locate, ManifestTraceTime) {
  std::deque<File> spine{rt("a", 1 * S, W + 1 * S, 1'100'000'000), File("j.json", kJson)};
  spine[1].event("j", 2000);
  const Outcome outcome = locate_files(spine, R"("trace_time": {"clock": "REALTIME"})");
  EXPECT_EQ(outcome.ts, (Times{{"a", W + 1'100'000'000}, {"j", 2000}}));
  EXPECT_EQ(outcome.located.timeline, TimelineSource::Manifest);

  std::deque<File> cross{rt("a", 1 * S, W + 1'500'000'000, 1'100'000'000), boot("b", 1 * S, 2 * S)};
  const Outcome dropped = locate_files(
      cross, std::string(kPhoneAndServer) + R"(, "trace_time": {"clock": "REALTIME"})");
  EXPECT_EQ(dropped.ts, (Times{{"a", W + 1'600'000'000}}));
  EXPECT_EQ(dropped.lost.at("b"), Stat::clock_sync_failure_no_path);
  EXPECT_EQ(dropped.located.unrelatable.size(), 1U);

  // Without a file it is the first machine that the manifest names.
  std::deque<File> first{rt("a", 2 * S, W + 10 * S, 2'100'000'000),
                         rt("b", 7 * S, W + 12 * S, 7'500'000'000)};
  EXPECT_EQ(locate_files(first, R"("trace_time": {"clock": "BOOTTIME"}, "files": [{"path": "b.pb",
      "machine": {"name": "server"}}, {"path": "a.pb", "machine": {"name": "phone"}}])")
                .ts,
            (Times{{"a", 5'100'000'000}, {"b", 7'500'000'000}}));
}

TEST(Locate, ManifestMachines) {
  std::deque<File> files{File("m.pb", kProto)};
  files[0]
      .snap({{B, 1 * S}})
      .event("host", 1'100'000'000)
      .snap({{B, 50 * S}}, 0, 7)
      .event("vm", 50'100'000'000, B, 7);
  Outcome outcome =
      locate_files(files, R"("files": [{"path": "m.pb", "machines": [{"id": 7, "name": "vm"}]}])");
  EXPECT_EQ(outcome.machine, (std::map<std::string, std::string>{{"host", "0"}, {"vm", "vm"}}));
  EXPECT_EQ(outcome.store->machines.raw_id[0], int64_t{1} << 32);
  EXPECT_EQ(outcome.store->machines.raw_id[1], 0);

  std::deque<File> only{File("m.pb", kProto)};
  only[0].snap({{B, 100}}, 0, 7).event("v", 150, B, 7);
  outcome = locate_files(only, R"("files": [{"path": "m.pb", "machine": {"name": "vm"}}])");
  EXPECT_EQ(outcome.machine.at("v"), "vm");
  EXPECT_EQ(outcome.store->machines.rows(), 1U);
  outcome = locate_files(only, R"("files": [{"path": "m.pb", "machines": [{"id": 7, "name":
      "vm"}]}])");
  EXPECT_EQ(outcome.store->machines.rows(), 2U) << "a machines block disables adoption";
}

TEST(Locate, ManifestErrors) {
  const auto error = [](std::string_view body, std::deque<File> files) {
    return locate_files(files, body).error;
  };
  const auto multi = [] {
    File file("m.pb", kProto);
    file.snap({{B, 1}}).event("h", 2).event("v", 3, B, 7);
    return file;
  };
  const auto json = [](std::string name) {
    File file(std::move(name), kJson);
    file.event("j", 1);
    return file;
  };
  const std::string p = "perfetto_manifest: ";
  EXPECT_EQ(error(R"("trace_time": {"clock": "BOOTTIME", "machine": "x"})", {json("j")}),
            p + "trace_time: machine 'x' needs trace_time: file too: a machine name alone is "
                "ambiguous because embedded machine ids are scoped to their trace.");
  EXPECT_EQ(error(R"("trace_time": {"clock": "BOOTTIME", "file": "x"})", {json("j")}),
            p + "trace_time: file names unknown file 'x'. It must match the `path` of an entry in "
                "the `files` array.");
  const std::string machines =
      R"({"path": "m.pb", "machines": [{"id": 0, "name": "h"}, {"id": 7, "name": "vm"}])";
  EXPECT_EQ(
      error(R"("trace_time": {"clock": "BOOTTIME", "file": "m.pb"}, "files": [)" + machines + "}]",
            {multi()}),
      p + "trace_time: file 'm.pb' is a multi-machine trace; also name the machine with "
          "trace_time: machine.");
  const auto sync = [&](std::string_view to) {
    return R"("files": [{"path": "j", "clocks": {"sync_to": )" + std::string(to) + "}}, " +
           machines + "}]";
  };
  EXPECT_EQ(error(sync(R"({"file": "x"})"), {json("j")}),
            p + "clocks: sync_to.file names unknown file 'x'. It must match the `path` of an entry "
                "in the `files` array.");
  EXPECT_EQ(error(sync(R"({"file": "m.pb"})"), {json("j")}),
            p + "clocks: sync_to.file 'm.pb' is a multi-machine trace; also name the machine with "
                "clocks: sync_to.machine.");
  EXPECT_EQ(error(sync(R"({"file": "m.pb", "machine": "ghost"})"), {json("j")}),
            p + "clocks: sync_to.machine 'ghost' is not a machine declared by file 'm.pb'.");
  const auto source = [&](std::string_view clocks) {
    return R"("files": [{"path": "j"}, )" + machines + R"(, "clocks": {"clock": "BOOTTIME", )" +
           std::string(clocks) + R"("sync_to": {"file": "j"}}}])";
  };
  EXPECT_EQ(error(source(""), {json("j"), multi()}),
            p + "clocks: file 'm.pb' is a multi-machine trace; name which machine the clock is on "
                "with clocks: machine.");
  EXPECT_EQ(error(source(R"("machine": "ghost", )"), {json("j"), multi()}),
            p + "clocks: machine 'ghost' is not a machine declared by file 'm.pb'.");
  EXPECT_EQ(error(sync(R"({"file": "m.pb", "machine": "vm"})"), {json("other")}),
            p + "clocks: could not resolve file 'j'. It must match the `path` of an entry in the "
                "`files` array.");
  EXPECT_TRUE(
      error(R"("files": [{"path": "j", "clocks": {"sync_to": {"file": "j"}}}])", {json("j")})
          .starts_with("Clock sync error: duplicate clock domain with id="));
  EXPECT_EQ(
      error(R"("files": [{"path": "m.pb", "machines": [{"id": 0, "name": "h"}]}])", {multi()}),
      p + "machines: trace has a packet from undeclared machine id 7");
  EXPECT_TRUE(error(R"("files": [{"path": "m.pb", "machine": {"name": "h"}}])", {multi()})
                  .starts_with(p + "a `machine` override attributes the file to one machine"));
  const std::string pin = R"("files": [{"path": "j"}, {"path": "m.pb", "clocks": {"sync_to":
      {"file": "j"}}}])";
  EXPECT_TRUE(error(pin, {json("j"), multi()})
                  .starts_with(p + "a `clocks` override applies only to a single-machine file"));
  File one("m.pb", kProto);
  one.snap({{B, 1}});
  EXPECT_EQ(error(pin, {json("j"), std::move(one)}),
            p + "clock overrides require the trace to use a single clock");
}

TEST(Locate, OverridesOfCompressedFiles) {
  File leaf("", kJson);
  leaf.event("j", 10);
  File phone = boot("a", 1 * S, 1'200'000'000);
  const auto outcome = [&](std::string child_name) {
    const std::vector<FileToLocate> all{
        {.file = FileId{0}, .is_container = true},
        {.file = FileId{1},
         .parent = FileId{0},
         .name = "a.pb",
         .format = &kProto,
         .pieces = {&phone.batch}},
        {.file = FileId{2}, .parent = FileId{0}, .name = "j.json.gz", .is_container = true},
        {.file = FileId{3},
         .parent = FileId{2},
         .name = child_name,
         .format = &kJson,
         .pieces = {&leaf.batch}}};
    std::vector<std::string> warnings;
    const Manifest manifest = *parse_manifest(
        R"({"perfetto_manifest": {"version": 1, "files": [{"path": "a.pb"}, {"path": "j.json.gz",
        "clocks": {"sync_to": {"file": "a.pb", "clock": "BOOTTIME"}, "offset_ns": 4000}}]}})",
        warnings);
    auto store = std::make_unique<Store>();
    return locate(all, &manifest, {}, *store);
  };
  const Result<Located> gzip = outcome("");
  ASSERT_TRUE(gzip);
  EXPECT_EQ(gzip->placement.place({gzip->clocks[1][0].node, 10}), TraceTime{4010});
  const Result<Located> zip = outcome("j.json");
  ASSERT_FALSE(zip);
  EXPECT_EQ(zip.error().message,
            "perfetto_manifest: overrides are not supported for trace files which are themselves "
            "archives or perfetto_manifest files: j.json.gz");
}

TEST(Locate, WarnsOfEntriesWithoutAFile) {
  std::deque<File> files{boot("a", 1 * S, 2 * S)};
  const Outcome outcome = locate_files(files, R"("files": [{"path": "gone.pb"}])");
  ASSERT_EQ(outcome.located.warnings.size(), 1U);
  EXPECT_EQ(outcome.located.warnings[0].path, "gone.pb");
}

TEST(Locate, MachineFacts) {
  std::deque<File> files{File("a.pb", kProto)};
  MachineFacts facts{.num_cpus = 8, .system_ram_bytes = 12'008'292'352};
  facts.name = files[0].batch.strings.intern("pixel");
  files[0].batch.machine_facts.push_back(facts);
  const Outcome outcome = locate_files(files);
  EXPECT_EQ(machine_text(MachineId{0}, *outcome.store), "pixel");
  EXPECT_EQ(outcome.store->machines.num_cpus[0].value, 8);
  EXPECT_EQ(outcome.store->machines.system_ram_gb[0].value, 12);
}

// Files of several machines, in any order, lie alike to each other: the first
// file's clock is the timeline, so times are compared as differences.
TEST(Locate, OrderOfFilesDoesNotMatter) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 200; ++round) {
    std::deque<File> files;
    std::string entries;
    const size_t count = 2 + random() % 5;
    for (size_t i = 0; i < count; ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      const auto at = static_cast<int64_t>(random() % 1'000'000);
      // A boot of the machine is one relation: files of a machine agree on it.
      const auto machine = static_cast<int64_t>(random() % 3);
      const int64_t offset = W + machine * 12'345'678;
      File file(name + ".pb", kProto);
      if (random() % 4 != 0) file.snap({{B, at}, {R, at + offset}, {M, at - 77 * machine}});
      file.event(name, at + 5, random() % 2 == 0 ? M : B);
      files.push_back(std::move(file));
      entries += (i == 0 ? "" : ", ") +
                 (R"({"path": ")" + name + R"(.pb", "machine": {"name": "m)") +
                 std::to_string(machine) + "\"}}";
    }
    const std::string body = R"("trace_time": {"clock": "BOOTTIME"}, "files": [)" + entries + "]";
    const Outcome before = locate_files(files, body);
    std::vector<size_t> order(count);
    for (size_t i = 0; i < count; ++i) order[i] = i;
    std::ranges::shuffle(order, random);
    std::deque<File> shuffled;
    for (const size_t i : order) shuffled.push_back(std::move(files[i]));
    const Outcome after = locate_files(shuffled, body);
    ASSERT_EQ(before.ts, after.ts) << body;
    ASSERT_EQ(before.lost, after.lost) << body;
  }
}

}  // namespace
}  // namespace tracebraid
