#include "merge/locate/stats.h"
#include "merge/locate/test_files.h"

#include <random>

namespace tracebraid::located_files {
namespace {

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
  EXPECT_EQ(outcome.lost.at("m"), stats::clock_sync_failure_no_path);
  EXPECT_EQ(outcome.lost.at("r"), stats::clock_sync_failure_unknown_source_clock);
  EXPECT_TRUE(outcome.located.why(0, 2).loses_packet);

  std::deque<File> target{File("a.pb", kProto)};
  target[0].snap({}, M).snap({{R, 1}, {RC, 2}}).event("r", 6, R).event("m", 9);
  outcome = locate_files(target);
  EXPECT_EQ(outcome.ts, (Times{{"m", 9}}));
  EXPECT_EQ(outcome.lost.at("r"), stats::clock_sync_failure_unknown_target_clock);

  std::deque<File> none{File("a.pb", kProto)};
  none[0].snap({{M, 10}, {R, 20}}).event("raw", 30).event("m", 40, M);
  outcome = locate_files(none);
  EXPECT_EQ(outcome.ts, (Times{{"raw", 30}}));
  EXPECT_EQ(outcome.lost.at("m"), stats::clock_sync_failure_no_path);
  EXPECT_TRUE(outcome.located.unrelatable.empty());
}

TEST(Locate, RemoteMachinesOfAFile) {
  std::deque<File> remote{File("a.pb", kProto)};
  remote[0].snap({{B, 10}}).event("h", 20).event("x", 30, R, 7);
  Outcome outcome = locate_files(remote);
  EXPECT_EQ(outcome.lost.at("x"), stats::clock_sync_failure_unknown_source_clock);
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
  EXPECT_EQ(dropped.lost.at("s"), stats::clock_sync_failure_unknown_source_clock);
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

// The relative places of files of several machines do not depend on the order of the files. The
// clock of the first file is the timeline, so the test compares differences of times.
TEST(Locate, OrderOfFilesDoesNotMatter) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 200; ++round) {
    std::deque<File> files;
    std::string entries;
    const size_t count = 2 + random() % 5;
    for (size_t i = 0; i < count; ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      const auto at = static_cast<int64_t>(random() % 1'000'000);
      // A boot of a machine is one relation: files of a machine agree on it.
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
}  // namespace tracebraid::located_files
