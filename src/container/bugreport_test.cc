#include "container/bugreport.h"

#include "container/test_archives.h"

namespace tracebraid {
namespace {

constexpr const char* kText = "bugreport-dev-AB12-2023-11-14-22-14-00.txt";

TEST(Bugreport, NamesOfTexts) {
  const std::optional<BugreportTime> report = parse_bugreport_name(kText);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->year, 2023);
  EXPECT_EQ(report->month_day, "11-14");
  for (const char* other :
       {"bugreport-dev.txt", "dumpstate-2023-11-14-22-14-00.txt",
        "bugreport-2023-11-14-22-14-00.zip", "bugreport-2023-11-1x-22-14-00.txt",
        "bugreport-023-11-14-22-14-00.txt", ""})
    EXPECT_FALSE(parse_bugreport_name(other)) << other;
}

TEST(Bugreport, StartOfALog) {
  const BugreportTime report{2024, "01-02"};
  EXPECT_EQ(
      bugreport_log_start("--------- beginning of main\n01-02 03:04:05.678  1 2 I a: b\n", report),
      "2024 01-02 03:04:05.678");
  EXPECT_EQ(bugreport_log_start("12-31 03:04:05.678  1", report), "2023 12-31 03:04:05.678");
  EXPECT_EQ(bugreport_log_start("2022-12-31 03:04:05.678  1", report), "2022 12-31 03:04:05.678");
  EXPECT_EQ(bugreport_log_start("no time here", report), "");
}

TEST(Bugreport, TextThenLogsByTimeTheRestIgnored) {
  const auto log = [](std::string_view time) {
    return "--------- beginning of x\n" + std::string(time) + " 1 1 I t: m\n";
  };
  const std::string logd = "FS/data/misc/logd/";
  const std::vector<Member> members = test::members_of(
      test::zip_of({{.name = "notes.zip", .content = test::zip_of({{.name = "x", .content = "y"}})},
                    {.name = logd + "logcat", .content = log("11-14 22:13:21.500")},
                    {.name = logd + "logcat.02", .content = log("11-15 00:00:00.000"), .method = 8},
                    {.name = logd + "logcat.01", .content = log("11-14 22:13:20.500"), .method = 8},
                    {.name = logd + "logcat.id", .content = "x"},
                    {.name = kText, .content = "text"}}));
  const std::vector<std::string> rows{"-:-:zip",
                                      "0::unknown",
                                      "0:notes.zip:unknown",
                                      "0:" + logd + "logcat:unknown",
                                      "0:" + logd + "logcat.02:unknown",
                                      "0:" + logd + "logcat.01:unknown",
                                      "0:" + logd + "logcat.id:unknown",
                                      std::string("0:") + kText + ":unknown"};
  ASSERT_EQ(test::rows_of(members), rows);
  EXPECT_TRUE(members[0].bugreport);
  std::vector<int> ranks;  // -1: ignored
  for (const Member& member : std::span(members).subspan(1))
    ranks.push_back(member.ignored ? -1 : static_cast<int>(member.reading_rank.value_or(99)));
  EXPECT_EQ(ranks, (std::vector<int>{-1, -1, 3, 1, 2, -1, 0}));
}

}  // namespace
}  // namespace tracebraid
