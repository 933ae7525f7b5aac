#include "report/units.h"

#include <gtest/gtest.h>

#include <limits>

namespace tracebraid {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

TEST(Units, Counts) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1'000), "1,000");
  EXPECT_EQ(count_text(1'204'331), "1,204,331");
  EXPECT_EQ(count_text(-12'345), "-12,345");
  EXPECT_EQ(count_text(kMin), "-9,223,372,036,854,775,808");
}

TEST(Units, Nouns) {
  EXPECT_EQ(counted(0, "event"), "0 events");
  EXPECT_EQ(counted(1, "event"), "1 event");
  EXPECT_EQ(counted(1'000, "event"), "1,000 events");
}

TEST(Units, Bytes) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1'500), "1.5 kB");
  EXPECT_EQ(bytes_text(300'000'000), "300 MB");
  EXPECT_EQ(bytes_text(std::numeric_limits<uint64_t>::max()), "18.4 EB");
}

TEST(Units, Spans) {
  EXPECT_EQ(span_text(0), "0");
  EXPECT_EQ(span_text(42), "42 ns");
  EXPECT_EQ(span_text(1'500), "1.5 us");
  EXPECT_EQ(span_text(250'000'000), "250 ms");
  EXPECT_EQ(span_text(147'757'000'000), "2m27.757s");
  EXPECT_EQ(span_text(59'999'999'999), "59.999 s");
  EXPECT_EQ(span_text(61'000'000'000), "1m01s");
  EXPECT_EQ(span_text(-11'524'200'000'000), "-3h12m04.2s");
  EXPECT_EQ(span_text(2 * 86'400'000'000'000 + 5 * 60'000'000'000), "2d00h05m");
  EXPECT_EQ(span_text(kMin), "-106751d23h47m");
  EXPECT_EQ(offset_text(250'000'000), "+250 ms");
  EXPECT_EQ(offset_text(-1), "-1 ns");
  EXPECT_EQ(offset_text(0), "0");
}

TEST(Units, Utc) {
  EXPECT_EQ(utc_text(0), "1970-01-01 00:00:00.000 UTC");
  EXPECT_EQ(utc_text(1'795'176'184'113'999'999), "2026-11-20 12:03:04.113 UTC");
  EXPECT_EQ(utc_text(-1), "1969-12-31 23:59:59.999 UTC");
  EXPECT_EQ(utc_text(kMin).substr(0, 4), "1677");
  EXPECT_EQ(utc_text(std::numeric_limits<int64_t>::max()).substr(0, 4), "2262");
}

}  // namespace
}  // namespace tracebraid
