#include "merge/locate/stats.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

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

TEST(Locate, ManifestClockGroups) {
  std::deque<File> files{boot("a", 1 * S, 1'200'000'000), File("j.json", kJson),
                         File("k.json", kJson), File("l.json", kJson)};
  files[1].event("j", 2000);
  files[2].event("k", 3000);
  files[3].event("l", 4000);
  const auto grouped = [&](std::string_view of_j, std::string_view of_k) {
    return locate_files(files, fmt::format(R"("files": [{{"path": "a.pb"}},
      {{"path": "j.json", {}, "clocks": {{"sync_to": {{"file": "a.pb", "clock": "BOOTTIME"}},
                                          "offset_ns": 500}}}},
      {{"path": "k.json", {}, "machine": {{"name": "other"}}}}, {{"path": "l.json"}}])",
                                           of_j, of_k));
  };
  Outcome outcome = grouped(R"("clock_group": "x")", R"("clock_group": "x")");
  EXPECT_EQ(outcome.ts, (Times{{"a", 1'200'000'000}, {"j", 2500}, {"k", 3500}, {"l", 4000}}));
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[2][0].node), "manifest");
  EXPECT_TRUE(outcome.located.warnings.empty());
  outcome = grouped(R"("clock_group": "x")", R"("clock_group": "y")");
  EXPECT_EQ(outcome.ts.at("k"), 3000);
  ASSERT_EQ(outcome.located.warnings.size(), 2U) << "groups of one file";
  EXPECT_EQ(outcome.located.warnings[0].error.message,
            "clock_group: no other file is in the group 'x'");

  // Two files with one clock of the system, on two machines.
  std::deque<File> boots{boot("a", 1 * S, 1'200'000'000), boot("b", 1 * S, 1'300'000'000)};
  outcome = locate_files(boots, R"("files": [
      {"path": "a.pb", "machine": {"name": "host"}, "clock_group": "tsc"},
      {"path": "b.pb", "machine": {"name": "guest"}, "clock_group": "tsc"}])");
  EXPECT_EQ(outcome.ts, (Times{{"a", 1'200'000'000}, {"b", 1'300'000'000}}));
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "same_clock");
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
  EXPECT_EQ(dropped.lost.at("b"), stats::clock_sync_failure_no_path);
  EXPECT_EQ(dropped.located.unrelatable.size(), 1U);

  // The clock belongs to the first machine that the manifest names if no file is given.
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
         .manifest_path = "a.pb",
         .format = &kProto,
         .chunks = {&phone.batch}},
        {.file = FileId{2},
         .parent = FileId{0},
         .name = "j.json.gz",
         .manifest_path = "j.json.gz",
         .is_container = true},
        {.file = FileId{3},
         .parent = FileId{2},
         .name = child_name,
         .manifest_path = child_name.empty() ? "j.json.gz" : "j.json.gz/" + child_name,
         .format = &kJson,
         .chunks = {&leaf.batch}}};
    std::vector<std::string> warnings;
    std::vector<Manifest> manifests;
    manifests.push_back(*parse_manifest(
        R"({"perfetto_manifest": {"version": 1, "files": [{"path": "a.pb"}, {"path": "j.json.gz",
        "clocks": {"sync_to": {"file": "a.pb", "clock": "BOOTTIME"}, "offset_ns": 4000}}]}})",
        warnings));
    std::vector<Problem> problems;
    const Manifest manifest = join_manifests(std::move(manifests), all, problems);
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
  ASSERT_EQ(outcome.warnings.size(), 1U);
  EXPECT_NE(outcome.warnings[0].error.message.find("'gone.pb'"), std::string::npos);
}

}  // namespace
}  // namespace tracebraid::located_files
