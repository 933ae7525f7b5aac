#include "base/iso_time.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(IsoTime, ReadsTimesWithAZone) {
  EXPECT_EQ(parse_iso_time("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parse_iso_time("2023-11-14T22:13:20Z"), 1'700'000'000'000'000'000);
  EXPECT_EQ(parse_iso_time("2023-11-14T22:13:20.000000005Z"), 1'700'000'000'000'000'005);
  EXPECT_EQ(parse_iso_time("2023-11-14T23:43:20.5+01:30"), 1'700'000'000'500'000'000);
  EXPECT_EQ(parse_iso_time("2023-11-14T17:13:20-05:00"), 1'700'000'000'000'000'000);
  EXPECT_EQ(parse_iso_time("1969-12-31T23:59:59.25Z"), -750'000'000);
}

TEST(IsoTime, PrintsWhatItReads) {
  EXPECT_EQ(print_iso_time(1'700'000'000'500'000'000), "2023-11-14T22:13:20.5Z");
  for (const int64_t ns : {int64_t{0}, int64_t{-1}, int64_t{-1'000'000'000}, INT64_MIN, INT64_MAX,
                           int64_t{1'700'000'000'000'000'007}})
    EXPECT_EQ(parse_iso_time(print_iso_time(ns)), ns) << print_iso_time(ns);
}

TEST(IsoTime, RefusesTheRest) {
  for (const char* text :
       {"", "2023-11-14", "2023-11-14T22:13:20", "2023-11-14 22:13:20Z", "2023-02-29T00:00:00Z",
        "2023-11-14T24:00:00Z", "2023-11-14T22:13:20.Z", "2023-11-14T22:13:20.0000000000Z",
        "2023-11-14T22:13:20Zx", "2023-11-14T22:13:20+1:00", "9999-01-01T00:00:00Z",
        "23-11-14T22:13:20Z", "2023-11-14T22:13:20*00:00"})
    EXPECT_EQ(parse_iso_time(text), std::nullopt) << text;
}

}  // namespace
}  // namespace tracebraid
