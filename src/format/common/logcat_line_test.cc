#include "format/common/logcat_line.h"

#include <gtest/gtest.h>

namespace tracebraid::android_logcat {
namespace {

constexpr int64_t kNoon = 1700000001;  // 2023-11-14 22:13:21 UTC

TEST(LogcatLine, Threadtime) {
  const auto line = parse_line("2023-11-14 22:13:21.250000  1234  1235 I Boot    : hello: x");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->ns, kNoon * 1'000'000'000 + 250'000'000);
  EXPECT_TRUE(line->has_year);
  EXPECT_FALSE(line->is_utc);
  EXPECT_EQ(line->pid, 1234);
  EXPECT_EQ(line->tid, 1235);
  EXPECT_EQ(line->priority, 4);
  EXPECT_EQ(line->tag, "Boot");
  EXPECT_EQ(line->message, "hello: x");
}

TEST(LogcatLine, WithUserWithoutYear) {
  const auto line = parse_line("11-14 22:13:21.500  1000  100  101 E My Tag: m");
  ASSERT_TRUE(line);
  EXPECT_FALSE(line->has_year);
  EXPECT_EQ(line->uid, 1000);
  EXPECT_EQ(line->pid, 100);
  EXPECT_EQ(line->tid, 101);
  EXPECT_EQ(line->tag, "My Tag");
  EXPECT_EQ(line->priority, 6);
  EXPECT_FALSE(parse_line("02-30 22:13:21.500  1000  100  101 E My Tag: m"));
  EXPECT_TRUE(parse_line("02-29 22:13:21.500  1000  100  101 E My Tag: m"));
}

TEST(LogcatLine, ZoneAndEpoch) {
  const auto zone = parse_line("2023-11-14 23:13:21.250 +0100  1  2 W T: m");
  ASSERT_TRUE(zone);
  EXPECT_TRUE(zone->is_utc);
  EXPECT_EQ(zone->ns, kNoon * 1'000'000'000 + 250'000'000);
  const auto epoch = parse_line("1700000001.250  1  2 W T: m");
  ASSERT_TRUE(epoch);
  EXPECT_EQ(epoch->ns, zone->ns);
}

TEST(LogcatLine, LayoutTimeAndEmptyMessages) {
  const auto line = parse_line("11-14 22:13:21.500 D/Wifi(p)( 1234): up");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->tag, "Wifi(p)");
  EXPECT_EQ(line->pid, 1234);
  EXPECT_EQ(line->message, "up");
  const auto empty = parse_line("11-14 22:13:21.500  1  2 V Tag     :");
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->message.empty());
}

TEST(LogcatLine, LayoutTimeWithUsers) {
  const auto line = parse_line("03-14 01:02:03.456 I/a(b) (10012: 1000): c (d: 2): e");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->uid, 10012);
  EXPECT_EQ(line->pid, 1000);
  EXPECT_EQ(line->tag, "a(b)");
  EXPECT_EQ(line->message, "c (d: 2): e");
  EXPECT_EQ(parse_line("03-14 01:02:03.456 I/a ( root: 7): b")->uid, -1);
  EXPECT_FALSE(parse_line("03-14 01:02:03.456 I/a ( root:): b"));
}

TEST(LogcatLine, OtherTextIsNone) {
  for (const std::string_view text :
       {"", "hello", "11-14", "11-14 22:13:21.500", "11-14 22:13:21.500 1 2 I",
        "13-14 22:13:21.500 1 2 I T: m", "11-14 25:13:21.500 1 2 I T: m",
        "11-14 22:13:21 1 2 I T: m", "11-14 22:13:21.500 1 2 Q T: m",
        "99999999999999999999.1 1 2 I T: m"})
    EXPECT_FALSE(parse_line(text)) << text;
}

TEST(LogcatLine, HeadsOfTheLayoutLong) {
  const std::optional<Line> line =
      parse_long_head("[ 2023-11-14 22:13:20.123  root:  1000: 1001 E/My tag/x ]");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->ns, 1'700'000'000'123'000'000);
  EXPECT_EQ(line->pid, 1000);
  EXPECT_EQ(line->tid, 1001);
  EXPECT_EQ(line->priority, 6);
  EXPECT_EQ(line->tag, "My tag/x");
  for (const std::string_view text : {"[ 11-14 22:13:20.123 1: 2 I/T", "[ 11-14 1: 2 I/T ]",
                                      "[ 11-14 22:13:20.123 1 2 I/T ]", "[ ]", "[  ]", "[ /T ]"})
    EXPECT_FALSE(parse_long_head(text)) << text;
}

TEST(LogcatLine, LayoutsWithoutTime) {
  for (const std::string_view text : {"D/Tag(  100): message", "D/Tag     : message", "D/Tag: m",
                                      "D(  100:  101) message", "D(  100) message (x)  (Tag)"})
    EXPECT_TRUE(is_timeless(text)) << text;
  for (const std::string_view text : {"", "D", "D/", "D(", "D(1", "D/Tag", "X/Tag: m", "D(x) m",
                                      "D(1) m", "D(1:x) m", "D/a(b: m"})
    EXPECT_FALSE(is_timeless(text)) << text;
}

TEST(LogcatLine, MonotonicTimes) {
  const auto line = parse_line("     12345.500  1  2 W T: m");
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->is_monotonic);
  EXPECT_EQ(line->ns, 12'345'500'000'000);
  EXPECT_FALSE(parse_line("1700000001.250  1  2 W T: m")->is_monotonic);
}

TEST(LogcatLine, LayoutsOfAndroidStudio) {
  const auto old = parse_line("2023-11-14 22:13:21.250 1234-1235/com.example.app W/My Tag: x: y");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->pid, 1234);
  EXPECT_EQ(old->tid, 1235);
  EXPECT_EQ(old->tag, "My Tag");
  EXPECT_EQ(old->message, "x: y");
  const auto now =
      parse_line("11-14 22:13:21.250  1234-1235  My Tag   com.example.app   E  hello E x");
  ASSERT_TRUE(now);
  EXPECT_EQ(now->tid, 1235);
  EXPECT_EQ(now->priority, 6);
  EXPECT_EQ(now->tag, "My Tag");
  EXPECT_EQ(now->message, "hello E x");
  for (const std::string_view text :
       {"11-14 22:13:21.250 1-2", "11-14 22:13:21.250 1-2 T p", "11-14 22:13:21.250 1-2/p W/T",
        "11-14 22:13:21.250 1-2 T E m"})
    EXPECT_FALSE(parse_line(text)) << text;
}

TEST(LogcatLine, Colours) {
  EXPECT_EQ(without_colours("\x1b[38;5;40mtext\x1b[0m"), "text");
  EXPECT_EQ(without_colours("\x1b[3"), "\x1b[3");
  EXPECT_EQ(without_colours("text"), "text");
}

}  // namespace
}  // namespace tracebraid::android_logcat
