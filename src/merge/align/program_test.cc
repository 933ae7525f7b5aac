// Worlds A10, A12 and A13 of spec alignment 13: events of one program in two recordings, and of two
// runs of one program.
#include "merge/align/program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "event/event_kind.h"
#include "merge/align/test_seeds.h"
#include "merge/align/world.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

using ProgramRandom = std::mt19937_64;

double program_draw(ProgramRandom& random, double least, double most) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

struct TrueSlice {
  double at;  // ns
  std::string name;
};
using TrueProgram = std::vector<TrueSlice>;

// What one recorder has of a program.
struct Recorder {
  double offset = 0, rate = 0, lost = 0, late = 0;
  int64_t reading(double truth) const { return std::llround(truth + offset + rate * truth); }
};

Recorder draw_recorder(ProgramRandom& random, double lost, double late) {
  return {program_draw(random, 0, 1e12), program_draw(random, -5e-5, 5e-5), lost, late};
}

File record_program(const TrueProgram& program, const Recorder& by, std::string_view name,
                    ProgramRandom& random, int64_t pid = 40) {
  File file(std::string(name) + ".json", kJson);
  file.batch.threads.push_back({.tid = pid + 1, .pid = pid});
  file.batch.tracks.push_back({.scope = TrackScope::Thread, .owner = 0});
  for (const TrueSlice& slice : program) {
    if (program_draw(random, 0, 1) < by.lost) continue;
    file.event(slice.name, by.reading(slice.at + program_draw(random, 0, by.late)));
    Event& event = file.batch.streams[0].events.back();
    event.kind = static_cast<uint8_t>(EventKind::Slice);
    event.value = 10;
  }
  return file;
}

struct TwoRecordings {
  std::deque<File> files;
  Recorder by[2];
  double span = 0;

  // Adds events at known times to both.
  void add_probes(double last) {
    span = last;
    for (size_t i = 0; i < 2; ++i)
      for (int k = 0; k <= 20; ++k) {
        files[i].event(fmt::format("probe{}.{}", i, k), by[i].reading(span * k / 20));
        files[i].batch.streams[0].events.back().kind = static_cast<uint8_t>(EventKind::Counter);
      }
  }
};

TwoRecordings record_twice(const TrueProgram& program, double lost, double late,
                           ProgramRandom& random) {
  TwoRecordings two;
  for (size_t i = 0; i < 2; ++i) {
    two.by[i] = draw_recorder(random, lost, late);
    two.files.push_back(record_program(program, two.by[i], i == 0 ? "a" : "b", random));
  }
  two.add_probes(program.back().at);
  return two;
}

WorldErrors errors_of_probes(const TwoRecordings& two, const Outcome& outcome) {
  return errors_of_second(outcome, "probe1.", two.span,
                          [&](size_t file, double truth) { return two.by[file].reading(truth); });
}

// Expects that the second file is placed within `error_ns`, with a bound that holds.
void expect_placed(const TwoRecordings& two, double error_ns, int64_t bound_ns, uint64_t seed,
                   WorldTable& table) {
  std::deque<File> files = two.files;
  const Outcome outcome = locate_files(files);
  ASSERT_EQ(outcome.error, "");
  ASSERT_EQ(verdict_of_set(outcome), "same_events:used:") << seed;
  EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "measured");
  const WorldErrors errors = errors_of_probes(two, outcome);
  table.add(errors, errors_of_probes(two, locate_files(files, {}, {.align = {.kinds = 0}})));
  EXPECT_LE(static_cast<double>(errors.worst()), error_ns) << seed;
  EXPECT_EQ(errors.inside, errors.errors.size()) << seed;
  EXPECT_LE(errors.worst_bound(), bound_ns) << seed;
}

// Slices of a few names, one after the other.
TrueProgram draw_program(ProgramRandom& random, int count, int names, double mean) {
  TrueProgram program;
  std::exponential_distribution<double> step(1 / mean);
  double now = 1e9;
  for (int i = 0; i < count; ++i) {
    now += step(random) + 1000;
    program.push_back({now, fmt::format("work {}", random() % static_cast<uint64_t>(names))});
  }
  return program;
}

TEST(Programs, A10TheSameSlicesByTwoRecorders) {
  WorldTable table("A10: slices by two recorders, up to a quarter lost");
  for (const uint64_t seed : align::test_seeds()) {
    ProgramRandom random(seed);
    const double lost = program_draw(random, 0, 0.25);
    expect_placed(record_twice(draw_program(random, 3000, 20, 1e6), lost, 5e3, random), 5e3, 20'000,
                  seed, table);
  }
}

// A tick with jitter; `named` of the ticks have names of their own.
TrueProgram draw_ticks(ProgramRandom& random, double period, double jitter, int named) {
  TrueProgram program;
  for (int i = 0; i < 3600; ++i)
    program.push_back({1e9 + i * period + program_draw(random, -jitter, jitter), "tick"});
  for (int i = 0; i < named; ++i) program[random() % 3600].name = fmt::format("level {}", i);
  return program;
}

TEST(Programs, A12OnlyATickIsAliased) {
  WorldTable table("A12: a tick with jitter of 0.1 to 1 %");
  for (const uint64_t seed : align::test_seeds()) {
    ProgramRandom random(seed);
    const double period = program_draw(random, 1e6, 20e6);
    const double jitter = period * program_draw(random, 0.001, 0.01);
    const TwoRecordings two = record_twice(draw_ticks(random, period, jitter, 0), 0, 100, random);
    std::deque<File> files = two.files;
    const Outcome outcome = locate_files(files);
    EXPECT_EQ(verdict_of_set(outcome), "same_events:refused:aliased") << seed;
    EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed");
    const auto found =
        static_cast<double>(outcome.store->clock_match_sets.alias_period_ns[0].value);
    EXPECT_NEAR(found, period, period / 100) << seed;
    table.add_refused("aliased");
  }
}

TEST(Programs, A12ATickWithNamesIsPlaced) {
  WorldTable table("A12: the same with 30 names");
  for (const uint64_t seed : align::test_seeds()) {
    ProgramRandom random(seed);
    const double period = program_draw(random, 1e6, 20e6);
    const double jitter = period * program_draw(random, 0.001, 0.01);
    // Recorders whose error is a small part of the jitter; otherwise the set is refused.
    expect_placed(record_twice(draw_ticks(random, period, jitter, 30), 0, jitter / 10, random),
                  std::max(jitter, 1e3), 50'000, seed, table);
  }
}

// Durations of a program, which its runs repeat except for noise.
struct Plan {
  std::vector<std::string> names;
  std::vector<double> steps;  // ns
  double noise = 0;           // share of each step
};

Plan draw_plan(ProgramRandom& random) {
  Plan plan;
  plan.noise = std::pow(10.0, program_draw(random, -3, -0.5));
  const uint64_t names = 5 + random() % 50;
  const double mean = 1e5 * program_draw(random, 1, 20);
  const bool is_tick = random() % 4 == 0, is_alike = random() % 2 == 0;
  std::vector<double> usual;  // by name
  for (uint64_t i = 0; i < names; ++i) usual.push_back(mean * program_draw(random, 0.2, 2));
  std::exponential_distribution<double> any(1 / mean);
  for (uint64_t count = 200 + random() % 1500, i = 0; i < count; ++i) {
    const uint64_t name = random() % names;
    plan.names.push_back(is_tick && random() % 30 != 0 ? "tick" : fmt::format("step {}", name));
    plan.steps.push_back(is_tick ? mean : is_alike ? usual[name] : any(random));
  }
  return plan;
}

std::string reason_of_set(const Outcome& outcome) {
  const std::string verdict = verdict_of_set(outcome);
  return verdict.substr(verdict.rfind(':') + 1);
}

TrueProgram run_of(const Plan& plan, ProgramRandom& random) {
  TrueProgram program;
  std::normal_distribution<double> noise(1, plan.noise);
  double now = 1e9;
  for (size_t i = 0; i < plan.names.size(); ++i) {
    now += std::max(100.0, plan.steps[i] * noise(random));
    program.push_back({now, plan.names[i]});
  }
  return program;
}

TEST(Programs, A13TwoRunsOfOneProgramAreRefused) {
  WorldTable table("A13: two runs of one program, noise of 0.1 to 30 %");
  size_t placed = 0;
  for (const uint64_t seed : align::test_seeds(50)) {
    ProgramRandom random(seed);
    const Plan plan = draw_plan(random);
    std::deque<File> files;
    for (size_t i = 0; i < 2; ++i)
      files.push_back(record_program(run_of(plan, random), draw_recorder(random, 0.05, 2e3),
                                     i == 0 ? "a" : "b", random));
    const Outcome outcome = locate_files(files);
    const bool is_placed = outcome.located.rule(outcome.located.clocks[1][0].node) != "guessed";
    placed += is_placed ? 1 : 0;
    if (!is_placed) table.add_refused(reason_of_set(outcome));
    EXPECT_FALSE(is_placed) << seed << " noise " << plan.noise;
  }
  EXPECT_EQ(placed, 0U);
}

// Runs that repeat their times far better than programs do: noise down to 0.01 %, recorders that
// are up to 5 us late, as those of world A10.
TEST(Programs, A13NearlyEqualRunsAreRefused) {
  WorldTable table("A13: runs that are nearly equal, noise of 0.01 to 1 %");
  for (const uint64_t seed : align::test_seeds(50)) {
    ProgramRandom random(seed + 77'000);
    Plan plan;
    plan.noise = std::pow(10.0, program_draw(random, -4, -2));
    const uint64_t names = 3 + random() % 20;
    const double mean = 1e5 * program_draw(random, 1, 100);
    std::lognormal_distribution<double> any(0, program_draw(random, 0.1, 1.5));
    for (uint64_t count = 1000 + random() % 2000, i = 0; i < count; ++i) {
      plan.names.push_back(fmt::format("job {}", random() % names));
      plan.steps.push_back(mean * any(random));
    }
    const double lost = program_draw(random, 0, 0.25), late = program_draw(random, 0, 5e3);
    std::deque<File> files;
    for (size_t i = 0; i < 2; ++i)
      files.push_back(record_program(run_of(plan, random), draw_recorder(random, lost, late),
                                     i == 0 ? "a" : "b", random));
    const Outcome outcome = locate_files(files);
    EXPECT_EQ(outcome.located.rule(outcome.located.clocks[1][0].node), "guessed")
        << seed << " noise " << plan.noise;
    table.add_refused(reason_of_set(outcome));
  }
}

// Both recordings have the times that a simulation computed.
TEST(Programs, A13RunsOfASimulationAreRefused) {
  WorldTable table("A13: two runs of a simulation");
  for (const uint64_t seed : align::test_seeds(10)) {
    ProgramRandom random(seed);
    const int64_t resolution = seed % 2 == 0 ? 1 : 1000;
    TrueProgram program = draw_program(random, 2000, 20, 1e6);
    for (TrueSlice& slice : program)
      slice.at =
          std::floor(slice.at / static_cast<double>(resolution)) * static_cast<double>(resolution);
    std::deque<File> files;
    for (size_t i = 0; i < 2; ++i) {
      Recorder by{.offset = static_cast<double>(static_cast<int64_t>(random() % 1'000'000) * 1000)};
      by.lost = program_draw(random, 0, 0.25);
      files.push_back(record_program(program, by, i == 0 ? "a" : "b", random));
    }
    EXPECT_EQ(verdict_of_set(locate_files(files)), "same_events:refused:not_same") << seed;
    table.add_refused("not_same");
  }
}

TEST(Programs, OtherProcessesMatchNothing) {
  ProgramRandom random(7);
  const TrueProgram program = draw_program(random, 1000, 20, 1e6);
  std::deque<File> files;
  for (int i = 0; i < 2; ++i)
    files.push_back(
        record_program(program, draw_recorder(random, 0, 100), i == 0 ? "a" : "b", random, 40 + i));
  EXPECT_EQ(verdict_of_set(locate_files(files)), "0 sets");
}

TEST(Programs, OtherMachinesAndRanksMatchNothing) {
  ProgramRandom random(8);
  TwoRecordings two = record_twice(draw_program(random, 1000, 20, 1e6), 0, 100, random);
  EXPECT_EQ(verdict_of_set(locate_files(
                two.files, R"("files": [{"path": "a.json", "machine": {"name": "phone"}},
                                        {"path": "b.json", "machine": {"name": "server"}}])")),
            "0 sets");
  for (size_t i = 0; i < 2; ++i) {
    EventBatch& batch = two.files[i].batch;
    batch.metadata.push_back({.key = batch.strings.intern("json_distributedInfo.rank"),
                              .value = static_cast<int64_t>(i)});
  }
  EXPECT_EQ(verdict_of_set(locate_files(two.files)), "0 sets");
}

TEST(Programs, AStatedOffsetIsOnlyVerified) {
  ProgramRandom random(9);
  TwoRecordings two = record_twice(draw_program(random, 1000, 20, 1e6), 0.1, 3e3, random);
  const Outcome outcome = locate_files(two.files, R"("files": [{"path": "a.json"},
      {"path": "b.json", "clocks": {"sync_to": {"file": "a.json"}, "offset_ns": 77}}])");
  EXPECT_EQ(verdict_of_set(outcome), "same_events:verified:");
  EXPECT_EQ(outcome.store->clock_contradictions.rows(), 1U);
}

TEST(Programs, BadTimesPlaceNothing) {
  ProgramRandom random(10);
  const TrueProgram equal(500, {5e9, "now"});
  TwoRecordings at_once = record_twice(equal, 0, 0, random);
  const std::string verdict = verdict_of_set(locate_files(at_once.files));
  EXPECT_EQ(verdict.find("used"), std::string::npos) << verdict;
  TwoRecordings ends = record_twice(draw_program(random, 500, 20, 1e6), 0, 100, random);
  for (File& file : ends.files)
    for (const int64_t at : {INT64_MIN + 1, INT64_MAX}) {
      file.event("work 1", at);
      file.batch.streams[0].events.back().kind = static_cast<uint8_t>(EventKind::Instant);
    }
  const Outcome outcome = locate_files(ends.files);
  EXPECT_EQ(outcome.error, "");
}

}  // namespace
}  // namespace tracebraid::located_files
