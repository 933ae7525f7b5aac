#include "report/check_report.h"

#include <gtest/gtest.h>

#include "export/rows/letter_width.h"
#include "merge/stat_kinds.h"
#include "report/file_report.h"
#include "tables/store.h"

namespace tracebraid {
namespace {

struct PlacementRow {
  uint32_t file, machine, clock;
  const char* rule;
  int64_t offset, within, placed, no_path, negative;
};

struct CheckReportTest : testing::Test {
  CheckReportTest() {
    add_file("traces/phone.pftrace");
    add_file("traces/watch\x1b.pftrace");
    add_machine(0, "phone");
    add_machine(7, nullptr);
    add_clock(6, "BOOTTIME", 0);
    add_clock(6, "BOOTTIME", 1);
    add_clock(11, "PRIVATE", 1);
    add_placement({0, 0, 0, "is_timeline", 0, 0, 1'204'331, 0, 0});
    add_placement({1, 1, 1, "rendezvous", -11'524'200'000'000, 10'000'000, 88'120, 3, 2});
    store.metadata.name.append(id("trace_time_clock_id"));
    store.metadata.key_type.append(id("single"));
    store.metadata.int_value.append({6});
    store.metadata.str_value.append({});
    store.metadata.machine_id.append({});
    store.metadata.trace_id.append({});
    store.trace_start = 1'000'000'000;
    store.trace_end = 3'500'000'000;
  }

  StringId id(const char* text) {
    return text == nullptr ? StringId{} : store.strings.intern(text);
  }
  void add_file(const char* path) {
    store.files.parent_id.append({});
    store.files.name.append(id(path));
    store.files.size.append(1000);
    store.files.trace_type.append(id("proto"));
    store.files.processing_order.append({static_cast<int64_t>(store.files.rows())});
    store.files.is_container.append(0);
    store.files.path.append(id(path));
  }
  void add_machine(int64_t raw_id, const char* name) {
    store.machines.raw_id.append(raw_id);
    store.machines.name.append(id(name));
  }
  void add_clock(int64_t domain, const char* name, uint32_t machine) {
    store.clocks.domain.append(domain);
    store.clocks.name.append(id(name));
    store.clocks.machine_id.append({machine});
    store.clocks.trace_id.append({});
    store.clocks.sequence.append({});
    store.clocks.readings.append(14);
    store.clocks.segments.append(1);
    store.clocks.next_clock.append({});
    store.clocks.next_kind.append({});
  }
  void add_placement(const PlacementRow& row) {
    PlacementTable& table = store.placements;
    table.trace_id.append({row.file});
    table.machine_id.append({row.machine});
    table.clock_id.append({row.clock});
    table.rule.append(id(row.rule));
    table.path.append(id(row.clock == 0
                             ? "BOOTTIME of phone"
                             : "BOOTTIME of watch > REALTIME of watch > BOOTTIME of phone"));
    table.offset_start_ns.append({row.offset});
    table.offset_end_ns.append({row.offset});
    table.uncertainty_ns.append({row.within});
    table.matched.append({});
    table.assumes.append({});
    table.placed.append(row.placed);
    table.dropped_no_path.append(row.no_path);
    table.dropped_ambiguous.append(0);
    table.by_order.append(0);
    table.dropped_range.append(0);
    table.negative.append(row.negative);
    table.first_ts.append({store.trace_start});
    table.last_ts.append({store.trace_end});
  }
  void add_causality(int64_t within, int64_t certain, int64_t unknown) {
    CausalityTable& table = store.causality;
    table.kind.append(id("flows"));
    table.from_trace_id.append(0);
    table.from_machine_id.append(0);
    table.to_trace_id.append(1);
    table.to_machine_id.append(1);
    table.pairs.append(1000);
    table.ok.append(1000 - within - certain - unknown);
    table.within.append(within);
    table.certain.append(certain);
    table.unknown.append(unknown);
    table.least_gap_ns.append(-5'000'000);
    table.p1_gap_ns.append(10);
    table.median_gap_ns.append(20);
    table.before_certain.append({512});
    table.before_median_gap_ns.append({-70});
  }
  void add_flow_bound(int64_t violations) {
    FlowBoundTable& table = store.flow_bounds;
    table.from_trace_id.append(0);
    table.from_machine_id.append(0);
    table.to_trace_id.append(1);
    table.to_machine_id.append(1);
    table.flows.append(1000);
    table.violations.append(violations);
    table.least_ns.append(-5'000'000);
  }
  void add_match_set(const char* verdict, const char* reason) {
    ClockMatchSetTable& table = store.clock_match_sets;
    table.kind.append(id("flows"));
    table.match_class.append(id("id"));
    table.clock_a.append({1});
    table.clock_b.append({0});
    table.trace_a.append(1);
    table.trace_b.append(0);
    table.candidates.append(1200);
    table.used.append(1170);
    table.outliers.append(30);
    table.verdict.append(id(verdict));
    table.reason.append(id(reason));
    table.detail.append({});
    for (auto* column :
         {&table.surprise_bits, &table.alias_period_ns, &table.alias_count, &table.offset_ns,
          &table.band_low_ns, &table.band_high_ns, &table.loop_residual_ns})
      column->append({});
    table.assumes.append(id("symmetric_delay"));
    table.rate_ppb.append({12'300});
    table.bound_ns.append({85'000});
    table.least_ab_ns.append({41'000});
    table.least_ba_ns.append({43'000});
  }
  void add_snapshot(int64_t ts, int64_t realtime, uint32_t machine) {
    store.clock_snapshots.ts.append(ts);
    store.clock_snapshots.clock_id.append(1);
    store.clock_snapshots.clock_name.append(id("REALTIME"));
    store.clock_snapshots.clock_value.append(realtime);
    store.clock_snapshots.snapshot_id.append(0);
    store.clock_snapshots.machine_id.append({machine});
  }
  static uint32_t key_of(std::string_view name) {
    const auto found = std::ranges::find(stat_kinds(), name, &StatKind::name);
    return found == stat_kinds().end() ? 0 : found->key;
  }
  void add_stat(const char* name, const char* severity, int64_t value) {
    store.stats.name.append(id(name));
    store.stats.key.append(key_of(name));
    store.stats.level.append({});
    store.stats.idx.append({});
    store.stats.severity.append(id(severity));
    store.stats.source.append(id("analysis"));
    store.stats.value.append(value);
    store.stats.description.append(id("What it means."));
    store.stats.machine_id.append({});
    store.stats.trace_id.append({0});
  }
  CheckReport report(bool drop_negative = false) {
    return check_report(store, drop_negative, {}, {});
  }

  Store store;
};

TEST_F(CheckReportTest, ReadsLikeATable) {
  add_snapshot(1'500'000'000, 1'795'176'184'613'000'000, 0);
  EXPECT_EQ(
      report_text(report()),
      "timeline   BOOTTIME of phone      2026-11-20 12:03:04.113 UTC + 2.5 s\n"
      "FILE               MACHINE    CLOCK     PLACED BY                         OFFSET       "
      "WITHIN"
      "      EVENTS  LOST\n"
      "phone.pftrace      phone      BOOTTIME  is the timeline                   0            exact"
      "    1,204,331     0\n"
      "watch\\x1b.pftrace  machine 7  BOOTTIME  wall-clock time of both machines  -3h12m04.2s  "
      "+-10 ms"
      "     88,120     3  no path to the timeline, (2 before the start, kept)\n"
      "\n1,292,451 events placed, 3 lost\n"
      "\npaths to the timeline\n"
      "  watch\\x1b.pftrace BOOTTIME: BOOTTIME of watch > REALTIME of watch > BOOTTIME of phone\n"
      "\nValidation: not all traces line up on the shared timeline: 3 events were dropped.\n");
}

TEST_F(CheckReportTest, NamesTroubles) {
  add_placement({1, 1, 2, "guessed", 0, OptInt::kNull, 5, 0, 0});
  EXPECT_EQ(troubles(report()),
            (std::vector<std::string>{
                "3 events were dropped",
                "the place of private on machine 7 in traces/watch\x1b.pftrace is a guess"}));
  add_stat("json_tokenizer_failure", "error", 4);
  add_stat("json_name_missing", "info", 4);
  add_stat("none", "error", 0);
  EXPECT_EQ(troubles(report()).size(), 3U);
  EXPECT_EQ(troubles(report()).back(), "traces/phone.pftrace: 4 json_tokenizer_failure");
}

TEST_F(CheckReportTest, LevelsOfProblemsDecideWhatStrictRefuses) {
  const std::vector<Problem> problems = {
      {.path = "a", .error = {ErrorCode::BadInput, "1 more kinds"}, .level = StatLevel::Repaired},
      {.path = "b", .error = {ErrorCode::BadInput, "half"}, .level = StatLevel::Unpaired},
      {.path = "c", .error = {ErrorCode::BadInput, "damaged"}}};
  const CheckReport report = check_report(Store(), false, problems, {});
  EXPECT_EQ(troubles(report), std::vector<std::string>{"c: damaged"});
  EXPECT_EQ(troubles(report, true).size(), 3U);
}

TEST_F(CheckReportTest, UnpairedEventsAreLostButNoTrouble) {
  add_stat("flow_start_without_end", "info", 4);
  EXPECT_EQ(lost(report()), 7);
  EXPECT_EQ(unpaired(report()), 4);
  EXPECT_EQ(troubles(report()), std::vector<std::string>{"3 events were dropped"});
  EXPECT_EQ(troubles(report(), true).size(), 2U);
  EXPECT_NE(report_text(report()).find(" placed, 7 lost, of which 4 unpaired\n"),
            std::string::npos);
}

TEST_F(CheckReportTest, FitsATerminal) {
  constexpr size_t kWidth = 60;
  add_stat("flow_start_without_end", "info", 4);
  const std::string text = report_text(report(), kWidth);
  for (size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    EXPECT_LE(shown_width(std::string_view(text).substr(at, end - at)), kWidth)
        << text.substr(at, end - at);
  EXPECT_NE(text.find("…"), std::string::npos);
  EXPECT_NE(text.find(" of 9 columns; --wide prints all)"), std::string::npos);
}

TEST_F(CheckReportTest, CountsWhatWasDropped) {
  EXPECT_EQ(lost(report()), 3);
  EXPECT_EQ(lost(report(true)), 5);
  EXPECT_EQ(would_be_dropped(report()), 3);
  add_stat("clock_sync_failure_no_path", "error", 3);
  add_stat("clock_sync_unrelatable_clock_domains", "error", 1);
  EXPECT_EQ(would_be_dropped(report()), 4);
}

TEST_F(CheckReportTest, TakesTheRightWallClock) {
  add_snapshot(900'000'000, 5'000'000'000, 1);  // of another machine
  EXPECT_EQ(report().start_utc_ns, 5'100'000'000);
  add_snapshot(2'000'000'000, 8'000'000'000, 0);
  EXPECT_EQ(report().start_utc_ns, 7'000'000'000);
  add_snapshot(500'000'000, 6'000'000'000, 0);  // before the start is preferred
  EXPECT_EQ(report().start_utc_ns, 6'500'000'000);
}

TEST_F(CheckReportTest, WritesJson) {
  const std::string json = report_json(report());
  for (const char* part :
       {"\"clock\": \"BOOTTIME\"", "\"machine\": \"phone\"", "\"start_utc_ns\": null",
        "\"offset_start_ns\": -11524200000000", "\"lost_no_path\": 3", "\"losses\": []",
        "\"trouble\": [\n    \"3 events were dropped\"\n  ]"})
    EXPECT_NE(json.find(part), std::string::npos) << part << " in\n" << json;
}

TEST_F(CheckReportTest, AnEmptyStoreHasAReport) {
  const Store empty;
  const CheckReport nothing = check_report(empty, false, {}, {});
  EXPECT_NE(report_text(nothing).find("timeline"), std::string::npos);
  EXPECT_TRUE(troubles(nothing).empty());
}

bool has_phrase(const std::vector<std::string>& phrases, std::string_view part) {
  return std::ranges::any_of(
      phrases, [&](const std::string& phrase) { return phrase.find(part) != phrase.npos; });
}

TEST_F(CheckReportTest, EffectsBeforeTheirCausesFailUnlessTheBoundExplainsThem) {
  constexpr std::string_view kPhrase = "end before they start";
  add_flow_bound(3);
  EXPECT_TRUE(has_phrase(misplacements(check_report(store, false, {}, {})), kPhrase));
  add_causality(3, 0, 0);
  EXPECT_FALSE(has_phrase(misplacements(check_report(store, false, {}, {})), kPhrase));
  store.causality = {};
  add_causality(1, 2, 0);
  CheckReport report = check_report(store, false, {}, {});
  EXPECT_TRUE(has_phrase(misplacements(report), "2 flows from"));
  const std::string text = report_text(report);
  EXPECT_NE(text.find("causality: 1,000 pairs, 2 certain, 1 within uncertainty (before: 512)"),
            std::string::npos)
      << text;
  report.allowed_violations = {.count = 2};
  EXPECT_FALSE(has_phrase(misplacements(report), kPhrase));
  report.allowed_violations = {.count = 1};
  EXPECT_TRUE(has_phrase(misplacements(report), kPhrase));
  report.allowed_violations = {.share = 0.002};
  EXPECT_FALSE(has_phrase(misplacements(report), kPhrase));
  store.causality = {};
  add_causality(0, 0, 1);
  EXPECT_TRUE(has_phrase(misplacements(check_report(store, false, {}, {})), "1 flow from"));
}

TEST_F(CheckReportTest, MatchesOfContentAreListed) {
  add_match_set("used", nullptr);
  add_match_set("refused", "one_sided");
  const CheckReport report = check_report(store, false, {}, {});
  ASSERT_EQ(report.matched.size(), 2U);
  const std::string text = report_text(report);
  EXPECT_NE(text.find("used 1,170 of 1,200, +-85 us, rate +12.300 ppm, shortest 41 us there, 43 "
                      "us back"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("1,200 candidates refused, one_sided; effects in the other direction"),
            std::string::npos);
  EXPECT_NE(report_json(report).find("\"reason\": \"one_sided\""), std::string::npos);
}

TEST_F(CheckReportTest, FilesHaveTheirClocksAndRows) {
  store.tracks.name.append({});
  store.tracks.trace_id.append({1});
  store.slices.ts.append(1);
  store.slices.track_id.append(0);
  const std::vector<Problem> problems = {
      {"traces/phone.pftrace", {ErrorCode::BadInput, "cut short"}}};
  const std::vector<NotImportedOfFile> left_out = {{1, "power rails", 2, 300}};
  const FilesReport report = files_report(store, problems, left_out);
  const std::vector<FileReport>& files = report.files;
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].problems, std::vector<std::string>{"cut short"});
  EXPECT_EQ(files[0].machines, std::vector<std::string>{"phone"});
  ASSERT_EQ(files[0].clocks.size(), 1U);
  EXPECT_EQ(files[0].clocks[0].readings, 14);
  EXPECT_TRUE(files[0].events.empty());
  EXPECT_EQ(files[1].clocks[0].events, 88'123);
  EXPECT_EQ(files[1].events, (std::vector<std::pair<std::string, int64_t>>{{"slice", 1}}));
  EXPECT_NE(files_text(report, store).find("problem      cut short"), std::string::npos);
  EXPECT_NE(files_json(report, store).find("\"what\": \"power rails\""), std::string::npos);
}

}  // namespace
}  // namespace tracebraid
