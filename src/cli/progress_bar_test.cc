#include "cli/progress_bar.h"

#include <gtest/gtest.h>

#include <limits>

namespace tracebraid {
namespace {

TEST(ProgressLine, ShowsBytesRateAndTimeLeft) {
  const ProgressSample sample{"reading", "B", 150'000'000, 300'000'000, 0.5};
  EXPECT_EQ(progress_line(sample, 100),
            "reading [==========>         ] 50%  150 MB of 300 MB  300 MB/s  0:01 left");
}

TEST(ProgressLine, ShowsWhatIsKnown) {
  EXPECT_EQ(progress_line({"sorting", "events", 0, 0, 0.5}, 80), "sorting");
  EXPECT_EQ(progress_line({"running", "rows", 0, 0, 63.9}, 80), "running  1:03");
  EXPECT_EQ(progress_line({"sorting", "events", 5000, 0, 1}, 80),
            "sorting  5,000 events  0:01  5,000 events/s");
  EXPECT_EQ(progress_line({"reading", "B", 100, 100, 2}, 80),
            "reading [====================] 100%  100 B of 100 B  50 B/s");
}

TEST(ProgressLine, LeavesOutWhatDoesNotFit) {
  const ProgressSample sample{"reading", "B", 150'000'000, 300'000'000, 0.5};
  for (size_t width = 0; width < 100; ++width)
    EXPECT_LE(progress_line(sample, width).size(), width);
  EXPECT_EQ(progress_line(sample, 40), "reading [==========>         ] 50%");
}

TEST(ProgressLine, StandsAbsurdNumbers) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  EXPECT_NE(progress_line({"reading", "B", 1, kMax, 1e9}, 200).find("99:59:59 left"),
            std::string::npos);
  EXPECT_NE(progress_line({"reading", "B", kMax, 10, 0}, 200).find("100%"), std::string::npos);
}

}  // namespace
}  // namespace tracebraid
