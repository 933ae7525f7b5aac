// Recordings say how good their wall clocks are.
#include "merge/locate/wall_clocks.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "clock/error_bounds.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

constexpr int64_t kUnsynchronized = 0x40, kMillisecond = 1'000'000;

// Adds an instant that states the error of the wall clock, and its status.
void add_status(File& file, int64_t error_us, int64_t status, int64_t at) {
  file.event("tracebraid.clock_status", at, B);
  EventBatch& batch = file.batch;
  Event& event = batch.streams[0].events.back();
  event.kind = static_cast<uint8_t>(EventKind::Instant);
  event.args = static_cast<uint32_t>(batch.args.rows.size());
  for (const auto& [key, value] : {std::pair("debug.adjtimex.maxerror_us", error_us),
                                   std::pair("debug.adjtimex.status", status)}) {
    batch.args.keys.push_back({batch.strings.intern(key), batch.strings.intern(key)});
    batch.args.rows.push_back(
        {.value = value,
         .key = static_cast<uint32_t>(batch.args.keys.size() - 1),
         .type = ArgType::Int,
         .last = value == status && key == std::string("debug.adjtimex.status")});
  }
}

std::deque<File> two_machines() {
  std::deque<File> files;
  files.push_back(rt("a", S, W, 2 * S));
  files.push_back(rt("b", 70 * S, W, 71 * S));
  return files;
}

struct Met {
  std::string rule;
  int64_t bound = 0;
  size_t warnings = 0;
};
Met meet_on_wall_clocks(std::deque<File>& files) {
  const Outcome outcome = locate_files(files, kPhoneAndServer);
  EXPECT_EQ(outcome.error, "");
  const ClockId clock = outcome.located.clocks[1][0].node;
  ErrorBounds bounds(outcome.located.graph, outcome.located.placement);
  return {std::string(outcome.located.rule(clock)), bounds.at(clock, 70 * S),
          outcome.located.warnings.size()};
}

TEST(WallClocks, AreGoodTo10MsTogetherByAssumption) {
  std::deque<File> files = two_machines();
  const Met met = meet_on_wall_clocks(files);
  EXPECT_EQ(met.rule, "rendezvous");
  EXPECT_NEAR(static_cast<double>(met.bound), 10.0 * kMillisecond, 5e3);
}

TEST(WallClocks, StatedErrorsReplaceTheAssumption) {
  std::deque<File> files = two_machines();
  add_status(files[0], 1000, 0, 2 * S);
  const Met one = meet_on_wall_clocks(files);
  EXPECT_NEAR(static_cast<double>(one.bound), 6.0 * kMillisecond, 5e3);
  // The largest error of a recording counts.
  add_status(files[1], 500, 0, 70 * S);
  add_status(files[1], 2000, 0, 71 * S);
  const Met both = meet_on_wall_clocks(files);
  EXPECT_EQ(both.rule, "rendezvous");
  EXPECT_NEAR(static_cast<double>(both.bound), 3.0 * kMillisecond, 5e3);
  EXPECT_EQ(both.warnings, 0U);
}

TEST(WallClocks, WithoutSynchronizationThereIsNoBound) {
  for (const auto& [error_us, status] :
       {std::pair<int64_t, int64_t>(100, kUnsynchronized), {16'000'000, 0}, {-1, 0}}) {
    std::deque<File> files = two_machines();
    add_status(files[1], error_us, status, 70 * S);
    const Met met = meet_on_wall_clocks(files);
    EXPECT_EQ(met.rule, "rendezvous");
    EXPECT_EQ(met.bound, kUnbounded) << error_us;
    EXPECT_EQ(met.warnings, 1U);
  }
}

}  // namespace
}  // namespace tracebraid::located_files
