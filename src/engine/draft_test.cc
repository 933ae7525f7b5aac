#include "engine/draft.h"

#include <absl/strings/match.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <tuple>

#include "base/read_text.h"
#include "engine/export.h"
#include "engine/report.h"
#include "engine/trace.h"
#include "merge/merge.h"

namespace tracebraid {
namespace {

using Random = std::mt19937_64;

template <class T>
const T& one_of(std::span<const T> all, Random& random) {
  return all[random() % all.size()];
}

std::string random_placing(std::span<const std::string> names, Random& random) {
  constexpr std::string_view kClocks[] = {"BOOTTIME", "REALTIME", "MONOTONIC", "REALTIME_COARSE",
                                          "NO_SUCH_CLOCK"};
  const auto clock = [&] { return one_of<std::string_view>(kClocks, random); };
  const auto kind = random() % 8;
  if (kind < 2) return "";
  if (kind == 2) return R"(, "start": "2026-11-20T12:03:04Z")";
  std::string clocks =
      fmt::format(R"(, "clocks": {{"sync_to": {{"file": "{}")", one_of<std::string>(names, random));
  if (random() % 4 > 0) clocks += fmt::format(R"(, "clock": "{}")", clock());
  clocks += "}";
  if (kind == 3) {
    clocks += R"(, "points": [{"this_ns": 0, "other_ns": 1200},
                              {"this_ns": 5000000000, "other_ns": 5000061200}])";
  } else {
    constexpr int64_t kOffsets[] = {0, -5, 250'000'000, -11'524'197'066'668, int64_t{1} << 62};
    clocks += fmt::format(R"(, "offset_ns": {})", one_of<int64_t>(kOffsets, random));
  }
  if (kind == 4) clocks += R"(, "drift_ppm": 3.5)";
  if (kind == 5) clocks += fmt::format(R"(, "clock": "{}")", clock());
  return clocks + "}";
}

std::string random_manifest(std::span<const std::string> names, Random& random) {
  constexpr std::string_view kMachines[] = {"phone", "watch", "host"};
  constexpr std::string_view kContent[] = {"",
                                           "",
                                           R"(, "align": false)",
                                           R"(, "align": ["task_switches", "logs"])",
                                           R"(, "align": ["flows"], "clock_group": "g")",
                                           R"(, "clock_group": "g")"};
  constexpr std::string_view kMore[] = {"",
                                        R"(, "clock_model": "step")",
                                        R"(, "trace_time": {"clock": "REALTIME"})",
                                        R"(, "join_flows": "all")",
                                        R"(, "align": "off")",
                                        R"(, "align": "verify")"};
  std::string files;
  for (const std::string& name : names) {
    if (random() % 7 == 0) continue;
    files += fmt::format(R"({}{{"path": "{}")", files.empty() ? "" : ", ", name);
    if (random() % 2 == 0)
      files += fmt::format(R"(, "machine": {{"name": "{}"}})",
                           one_of<std::string_view>(kMachines, random));
    files += one_of<std::string_view>(kContent, random);
    files += random_placing(names, random) + "}";
  }
  return fmt::format(R"({{"perfetto_manifest": {{"version": 1, "files": [{}]{}}}}})", files,
                     one_of<std::string_view>(kMore, random));
}

class DraftTest : public testing::Test {
 protected:
  DraftTest() { std::filesystem::create_directories(folder_); }
  ~DraftTest() override { std::filesystem::remove_all(folder_); }

  void example(const std::string& name) {
    paths_.push_back(fmt::format("{}/examples/{}", std::getenv("TRACEBRAID_SOURCE"), name));
    names_.push_back(name);
  }
  void file(const std::string& name, const std::string& text) {
    paths_.push_back(folder_ + "/" + name);
    std::ofstream(paths_.back()) << text;
    names_.push_back(name);
  }

  std::shared_ptr<const Draft> draft(const TraceOptions& options = {}) {
    Progress progress;
    auto opened = Draft::open(engine_, path_inputs(paths_), options, progress);
    EXPECT_TRUE(opened) << opened.error().message;
    return *opened;
  }

  // Opens the inputs with the manifest of the options.
  Result<CheckReport> whole(const TraceOptions& options = {}) {
    Progress progress;
    TB_TRY_ASSIGN(const auto trace, Trace::open(engine_, std::span(paths_), options, progress));
    return check_report(*trace);
  }

  Result<CheckReport> whole_with(const std::string& manifest, TraceOptions options = {}) {
    options.manifest = folder_ + "/manifest";
    std::ofstream(options.manifest) << manifest;
    return whole(options);
  }
  Result<CheckReport> tried(const Draft& draft, const std::string& manifest) {
    TB_TRY_ASSIGN(const auto placed, draft.place(manifest, folder_ + "/manifest"));
    return placed->report();
  }

  std::shared_ptr<const Engine> engine_ = *Engine::create({.threads = 2});
  const std::string folder_ = testing::TempDir() + "tracebraid_draft_test";
  std::vector<std::string> paths_, names_;
};

// The part of the report that placing decides.
std::string places_of(const CheckReport& report) {
  CheckReport part;
  part.timeline_clock = report.timeline_clock;
  part.timeline_machine = report.timeline_machine;
  part.start_ts = report.start_ts;
  part.end_ts = report.end_ts;
  part.start_utc_ns = report.start_utc_ns;
  part.clocks = report.clocks;
  part.matched = report.matched;
  part.causality = report.causality;
  part.not_imported = report.not_imported;
  part.file_names = report.file_names;
  return report_json(part);
}

using LossKey = std::tuple<std::string, std::string, std::string, int64_t, std::string>;
std::vector<LossKey> losses_of(const CheckReport& report) {
  std::vector<LossKey> keys;
  for (const Loss& loss : report.losses)
    keys.emplace_back(loss.stat, loss.file, loss.machine, loss.count, loss.example);
  std::ranges::sort(keys);
  return keys;
}

std::vector<std::string> problems_of(const CheckReport& report) {
  std::vector<std::string> texts;
  for (const Problem& problem : report.problems)
    texts.push_back(problem.path + ": " + problem.error.message);
  std::ranges::sort(texts);
  return texts;
}

// Whether assembling finds more than placing does, and nothing else differs.
void expect_same(const Result<CheckReport>& draft, const Result<CheckReport>& whole) {
  ASSERT_EQ(draft.has_value(), whole.has_value())
      << (draft ? whole.error().message : draft.error().message);
  if (!draft) {
    EXPECT_EQ(draft.error().message, whole.error().message);
    EXPECT_EQ(draft.error().code, whole.error().code);
    return;
  }
  EXPECT_EQ(places_of(*draft), places_of(*whole));
  const auto some = losses_of(*draft), all = losses_of(*whole);
  EXPECT_TRUE(std::ranges::includes(all, some));
  const auto few = problems_of(*draft), more = problems_of(*whole);
  EXPECT_TRUE(std::ranges::includes(more, few)) << testing::PrintToString(few);
}

// Requests lead from one file to the other, answers back. Their ids occur in no other trace:
// numbers of 64 random bits, or texts of 128, which may be local to their process.
enum class Ids : uint8_t { Numbers, Texts, LocalTexts };
std::string slices_with_flows(int64_t offset_us, bool is_sender, Ids form = Ids::Numbers) {
  std::string text = "[";
  Random ids(5);
  for (int64_t i = 0; i < 200; ++i) {
    const bool is_start = (i % 2 == 0) == is_sender;
    const int64_t ts = offset_us + i * 1000 + (is_start ? 0 : 300 + i % 7);
    const uint64_t high = ids(), low = ids();
    const std::string text_id = fmt::format("{:016x}-{:016x}", high, low);
    const std::string id = form == Ids::Numbers ? fmt::format(R"("id": "0x{:x}")", high)
                           : form == Ids::Texts
                               ? fmt::format(R"("id": "{}")", text_id)
                               : fmt::format(R"("id2": {{"local": "{}"}})", text_id);
    text += fmt::format(
        R"({}{{"ph": "X", "ts": {}, "dur": 100, "name": "call", "pid": 1, "tid": 1}},
           {{"ph": "{}", "ts": {}, "name": "call", "cat": "rpc", "pid": 1, "tid": 1, "bp": "e",
             {}}})",
        i == 0 ? "" : ",", ts, is_start ? "s" : "f", ts + 1, id);
  }
  return text + "]";
}

TEST_F(DraftTest, PlacesExamplesAsAWholeMergeDoes) {
  for (const char* name : {"app.json", "phone.pftrace", "watch.pftrace"}) example(name);
  const auto draft = this->draft();
  expect_same(draft->place(std::nullopt, "").value()->report(), whole());
  Random random(7);
  size_t placed = 0, refused = 0;
  for (int i = 0; i < 150; ++i) {
    const std::string manifest = random_manifest(names_, random);
    SCOPED_TRACE(manifest);
    const Result<CheckReport> report = tried(*draft, manifest);
    expect_same(report, whole_with(manifest));
    ++(report ? placed : refused);
  }
  EXPECT_GT(placed, 20U);
  EXPECT_GT(refused, 20U);
}

TEST_F(DraftTest, KeepsTheContentOfFiles) {
  file("client.json", slices_with_flows(1'000'000, true));
  file("server.json", slices_with_flows(77'000'000, false));
  example("phone.pftrace");
  const auto draft = this->draft();
  const Result<CheckReport> report = draft->place(std::nullopt, "").value()->report();
  ASSERT_TRUE(report);
  ASSERT_FALSE(report->matched.empty());
  EXPECT_EQ(report->matched[0].verdict, "used");
  ASSERT_FALSE(report->causality.empty());
  expect_same(report, whole());
  Random random(11);
  for (int i = 0; i < 150; ++i) {
    const std::string manifest = random_manifest(names_, random);
    SCOPED_TRACE(manifest);
    expect_same(tried(*draft, manifest), whole_with(manifest));
  }
}

// Returns whether the path leads from one of two clocks to the other.
bool has_hop(const std::string& path, const DraftEdge& edge) {
  const std::string with_ends = " > " + path + " > ";
  return absl::StrContains(with_ends, fmt::format(" > {} > {} > ", edge.from, edge.to)) ||
         absl::StrContains(with_ends, fmt::format(" > {} > {} > ", edge.to, edge.from));
}

TEST_F(DraftTest, FlowsWithTextIdsRelateFiles) {
  file("client.json", slices_with_flows(1'000'000, true, Ids::Texts));
  file("server.json", slices_with_flows(77'000'000, false, Ids::Texts));
  const Result<CheckReport> report = whole();
  ASSERT_TRUE(report);
  ASSERT_FALSE(report->matched.empty());
  EXPECT_EQ(report->matched[0].kind, "flows");
  EXPECT_EQ(report->matched[0].verdict, "used");
}

TEST_F(DraftTest, LocalFlowIdsRelateNoFiles) {
  file("client.json", slices_with_flows(1'000'000, true, Ids::LocalTexts));
  file("server.json", slices_with_flows(77'000'000, false, Ids::LocalTexts));
  const Result<CheckReport> report = whole();
  ASSERT_TRUE(report);
  for (const auto& match : report->matched) {
    EXPECT_NE(match.kind, "flows");
    EXPECT_NE(match.verdict, "used");
  }
}

TEST_F(DraftTest, PlacesWithoutEdges) {
  for (const char* name : {"app.json", "phone.pftrace", "watch.pftrace"}) example(name);
  Progress progress;
  const std::string manifest =
      *read_text(fmt::format("{}/examples/manifest.json", std::getenv("TRACEBRAID_SOURCE")));
  TraceOptions options;
  options.manifest = folder_ + "/manifest";
  std::ofstream(options.manifest) << manifest;
  const auto trace = *Trace::open(engine_, std::span(paths_), options, progress);
  const ClockEdgeTable& edges = trace->merged().store->clock_edges;
  const auto draft = this->draft();
  const CheckReport all = *draft->place(manifest, "m").value()->report();
  size_t changed = 0;
  for (uint32_t row = 0; row < edges.rows(); ++row) {
    SCOPED_TRACE(row);
    const uint32_t rows[] = {row};
    const auto places = draft->place(manifest, "m", rows).value();
    ASSERT_EQ(places->without().size(), 1U);
    const DraftEdge& off = places->without()[0];
    const Store& store = *trace->merged().store;
    EXPECT_EQ(off.from, store.strings.get(store.clocks.label[edges.from_clock[row]]));
    EXPECT_EQ(off.to, store.strings.get(store.clocks.label[edges.to_clock[row]]));
    EXPECT_EQ(off.kind, store.strings.get(edges.kind[row]));
    const CheckReport report = *places->report();
    for (const PlacedClock& clock : report.clocks)
      EXPECT_TRUE(!has_hop(clock.path, off) || clock.rule != off.kind) << clock.path;
    const bool is_same = places_of(report) == places_of(all);
    // A clock without events may be on a used path, which no row of the report shows.
    EXPECT_TRUE(is_same || edges.is_used[row]) << off.from << " - " << off.to;
    changed += is_same ? 0 : 1;
  }
  EXPECT_GT(changed, 3U);
  const uint32_t beyond[] = {static_cast<uint32_t>(edges.rows())};
  EXPECT_EQ(draft->place(manifest, "m", beyond).error().code, ErrorCode::NotFound);
  EXPECT_EQ(places_of(*draft->place(manifest, "m").value()->report()), places_of(all));
}

TEST_F(DraftTest, CountsWhatOptionsDrop) {
  for (const char* name : {"app.json", "phone.pftrace", "watch.pftrace"}) example(name);
  TraceOptions options;
  options.drop_negative = true;
  const auto draft = this->draft(options);
  const std::string manifest = R"({"perfetto_manifest": {"version": 1, "files": [
      {"path": "phone.pftrace"}, {"path": "app.json", "clocks": {"sync_to": {
      "file": "phone.pftrace"}, "offset_ns": -4000000000000000}}]}})";
  const Result<CheckReport> report = tried(*draft, manifest);
  expect_same(report, whole_with(manifest, options));
  ASSERT_TRUE(report);
  EXPECT_GT(lost(*report), 0);
}

TEST_F(DraftTest, LanesShowWhereEventsLie) {
  file("a.json", R"([{"ph": "X", "ts": 10, "dur": 1, "name": "a", "pid": 1, "tid": 1},
                     {"ph": "X", "ts": 10.5, "dur": 1, "name": "a", "pid": 1, "tid": 2},
                     {"ph": "X", "ts": 90, "dur": 1, "name": "a", "pid": 1, "tid": 1},
                     {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "p"}}])");
  file("b.json", R"([{"ph": "i", "ts": 5, "name": "b", "pid": 2, "tid": 1}])");
  const auto draft = this->draft();
  EXPECT_EQ(draft->events(), 4U);
  const std::string manifest = R"({"perfetto_manifest": {"version": 1, "files": [{"path": "a.json"},
      {"path": "b.json", "clocks": {"sync_to": {"file": "a.json"}, "offset_ns": 2000}}]}})";
  const auto placed = *draft->place(manifest, "m");
  auto lanes = *placed->lanes({}, {.from = 0, .to = 50'000, .buckets = 5});
  ASSERT_EQ(lanes.size(), 2U);
  EXPECT_TRUE(lanes[0].path.ends_with("a.json"));
  EXPECT_EQ(lanes[0].events, 3);
  EXPECT_EQ(lanes[0].first_ts, 10'000);
  EXPECT_EQ(lanes[0].last_ts, 90'000);
  ASSERT_EQ(lanes[0].buckets.size(), 1U);
  EXPECT_EQ(lanes[0].buckets[0].index, 1U);
  EXPECT_EQ(lanes[0].buckets[0].events, 2);
  EXPECT_EQ(lanes[0].buckets[0].first_ts, 10'000);
  ASSERT_EQ(lanes[1].buckets.size(), 1U);
  EXPECT_EQ(lanes[1].buckets[0].first_ts, 7'000);

  const uint32_t only[] = {lanes[1].file};
  lanes = *placed->lanes(only, {.from = -10, .to = 7'000, .buckets = 3});
  ASSERT_EQ(lanes.size(), 1U);
  EXPECT_EQ(lanes[0].events, 1);
  EXPECT_TRUE(lanes[0].buckets.empty());
  EXPECT_FALSE(placed->lanes({}, {.from = 5, .to = 5, .buckets = 3}));
}

TEST_F(DraftTest, FindsTheNearestEvent) {
  std::string many = "[";
  for (int i = 0; i < 300; ++i)
    many += fmt::format(R"({}{{"ph": "i", "ts": {}, "name": "a", "pid": 1, "tid": 1}})",
                        i == 0 ? "" : ",", 10 * i);
  file("a.json", many + "]");
  example("phone.pftrace");
  const auto draft = this->draft();
  const auto places = *draft->place(
      R"({"perfetto_manifest": {"version": 1, "files": [{"path": "phone.pftrace"},
      {"path": "a.json", "clocks": {"sync_to": {"file": "phone.pftrace", "clock": "BOOTTIME"},
      "offset_ns": 5000000, "drift_ppm": 100}}]}})",
      "m");
  const auto lanes = *places->lanes({}, {.from = 0, .to = 1, .buckets = 1});
  for (const DraftLane& lane : lanes) {
    const bool is_own = lane.path.ends_with("a.json");
    const auto first = *places->nearest(lane.file, *lane.first_ts - 7, 7);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->ts, lane.first_ts);
    EXPECT_FALSE(*places->nearest(lane.file, *lane.first_ts - 7, 6));
    EXPECT_EQ((*places->nearest(lane.file, INT64_MAX, INT64_MAX))->ts, lane.last_ts);
    if (!is_own) continue;
    EXPECT_EQ(first->reading_ns, 0);
    EXPECT_EQ(first->clock, "");
    const auto other = *places->nearest(lane.file, 5'000'000 + 1'234'567, 10'000);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->reading_ns, 1'230'000);  // at most 123 ns off by the drift
    EXPECT_NEAR(static_cast<double>(other->ts), 5'000'000 + 1'230'000 - 123, 1);
  }
  EXPECT_EQ(places->nearest(99, 0, 1).error().code, ErrorCode::NotFound);
  EXPECT_EQ(places->nearest(0, 0, -1).error().code, ErrorCode::Usage);
}

TEST_F(DraftTest, FilesHaveSnapshotsMarkersAndDates) {
  for (const char* name : {"app.json", "phone.pftrace"}) example(name);
  file("log.json", R"({"traceEvents": [
      {"ph": "c", "name": "ClockSyncEvent", "ts": 1, "pid": 1, "tid": 1,
       "args": {"sync_id": "s1", "issue_ts": 0.5}},
      {"ph": "X", "ts": 3, "dur": 1, "name": "a", "pid": 1, "tid": 1}],
      "baseTimeNanoseconds": 1795176332000000000})");
  const auto places = draft()->place(std::nullopt, "").value();
  const std::vector<DraftFile> files = places->files().value();
  ASSERT_EQ(files.size(), 2U);  // app.json has none
  const auto& phone = files[0].path.ends_with("phone.pftrace") ? files[0] : files[1];
  const auto& log = files[0].path.ends_with("phone.pftrace") ? files[1] : files[0];
  std::string clocks;
  for (const DraftFile::Clock& clock : phone.clocks)
    clocks += fmt::format("{} {} ", clock.name, clock.snapshots);
  EXPECT_EQ(clocks, "REALTIME 14 MONOTONIC 14 BOOTTIME 21 ");
  EXPECT_EQ(phone.sequences, 7);  // whose snapshots show BOOTTIME, too
  EXPECT_EQ(phone.sync_markers, 0);
  EXPECT_TRUE(phone.dates.empty());
  EXPECT_TRUE(log.path.ends_with("log.json"));
  EXPECT_EQ(log.sync_markers, 1);
  ASSERT_EQ(log.dates.size(), 1U);
  EXPECT_EQ(log.dates[0].moment, "reading");
  EXPECT_EQ(log.dates[0].utc_ns, 1'795'176'332'000'000'000);
}

TEST_F(DraftTest, RefusesBraids) {  // their events have no readings
  example("app.json");
  Progress progress;
  const auto trace = *Trace::open(engine_, std::span(paths_), {}, progress);
  paths_ = {folder_ + "/a.braid"};
  ASSERT_TRUE(export_trace(trace, "braid", {.path = paths_[0]}, progress));
  const auto opened = Draft::open(engine_, path_inputs(paths_), {}, progress);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::Usage);
}

}  // namespace
}  // namespace tracebraid
