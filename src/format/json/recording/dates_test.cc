#include "format/json/recording/dates.h"

#include <gtest/gtest.h>

namespace tracebraid::json {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(JsonDates, AreReadInTheirSpellings) {
  EXPECT_EQ(date_of("2016-12-2 2:20:43"), 1480645243 * kSecond);
  EXPECT_EQ(date_of("2016-12-02 02:20:43"), 1480645243 * kSecond);
  EXPECT_EQ(date_of("2023-06-03T22:13:23.305Z"), 1685830403 * kSecond + 305'000'000);
  EXPECT_EQ(date_of("Mon Aug 08 15:01:48 UTC 2022"), 1659970908 * kSecond);
}

TEST(JsonDates, OthersAreNone) {
  for (const char* text :
       {"", "2016-13-2 2:20:43", "2016-12-2 2:20", "2016-12-2 2:20:43 PM", "2016-02-30 1:00:00",
        "-999-12-2 2:20:43", "2016--2-2 2:20:43", "9999-12-31 23:59:59",
        "Mon Aug 08 15:01:48 CEST 2022", "Mon Aug 08 15:01:48 CET 2022",
        "Mon Abc 08 15:01:48 UTC 2022", "Mon Aug 08 15:01:48 UTC 2022 and more"})
    EXPECT_EQ(date_of(text), std::nullopt) << text;
  EXPECT_EQ(date_of(std::string(1 << 20, '1')), std::nullopt);
}

}  // namespace
}  // namespace tracebraid::json
