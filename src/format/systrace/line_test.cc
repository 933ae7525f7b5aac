#include "format/systrace/line.h"

#include <gtest/gtest.h>

#include <string>

namespace tracebraid::systrace {
namespace {

Line parsed(std::string_view text, size_t width = kUsualFlagWidth) {
  const std::optional<Line> line = parse_line(text, width);
  EXPECT_TRUE(line.has_value()) << text;
  return line.value_or(Line{});
}

TEST(FtraceTextLine, LayoutsWithAndWithoutTgidAndFlags) {
  for (const std::string_view middle :
       {"[001]", "[001] d...", "(54321) [001]", "(54321) [001] .N..", "(  321) [001] d..2.",
        "(-----) [001] dNsa"}) {
    const std::string text =
        "   systrace.sh-5441  " + std::string(middle) + "  1031.091570: sched_wakeup: comm=x pid=1";
    const Line line = parsed(text);
    EXPECT_EQ(line.task, "systrace.sh");
    EXPECT_EQ(line.tid, 5441);
    EXPECT_EQ(line.cpu, 1U);
    EXPECT_EQ(line.ns, 1031091570000) << text;
    EXPECT_EQ(line.name, "sched_wakeup");
    EXPECT_EQ(line.details, "comm=x pid=1");
    const bool has_tgid = text.find("321)") != std::string::npos;
    EXPECT_EQ(line.tgid != kNoId, has_tgid) << text;
  }
}

TEST(FtraceTextLine, NameEndsAtTheFirstDashAfterWhichAllFits) {
  const Line line = parsed("task-1234-567    (  567) [000] .... 100.0: print: x");
  EXPECT_EQ(line.task, "task-1234");
  EXPECT_EQ(line.tid, 567);
  EXPECT_EQ(parsed("Binder-Thread #-647 [001] 1.5: x: y").task, "Binder-Thread #");
  EXPECT_EQ(parsed("  My App: pool #3-845 [002] .... 7.000001: 0: I|1|x").task, "My App: pool #3");
}

TEST(FtraceTextLine, FlagsThatTouchTheTime) {
  EXPECT_EQ(parsed("a-1 [000] ....316.196720: x: y").ns, 316196720000);
  EXPECT_EQ(parsed("a-1 [000] d..2.316.196720: x: y", 5).ns, 316196720000);
  EXPECT_TRUE(parsed("a-1 [000] d...316.196740: x: y").touches);
}

TEST(FtraceTextLine, Times) {
  EXPECT_EQ(parsed("a-1 [000] 1.000020: x: y").ns, 1000020000);
  EXPECT_EQ(parsed("a-1 [000] 5.123456789: x: y").ns, 5123456789);
  EXPECT_EQ(parsed("a-1 [000] .... !10.000350: x: y").ns, 10000350000);
  EXPECT_EQ(parsed("a-1 [000] .... + 10.000350: x: y").ns, 10000350000);
  const Line count = parsed("a-1 [000] .... 3924390023530: x: y");
  EXPECT_TRUE(count.is_count);
  EXPECT_EQ(count.ns, 3924390023530);
  EXPECT_FALSE(parse_line("a-1 [000] 1.1234567890: x: y", 4));
  EXPECT_FALSE(parse_line("a-1 [000] 99999999999999999.000000: x: y", 4));
}

TEST(FtraceTextLine, TgidZeroIsNotKnown) {
  EXPECT_EQ(parsed("a-11 (    0) [000] 1.0: x: y").tgid, kNoId);
  EXPECT_EQ(parsed("<idle>-0 (    0) [000] 1.0: x: y").tgid, 0);
}

TEST(FtraceTextLine, FunctionTracer) {
  const Line line = parsed("bash-1977 [000] .... 17284.993652: sys_close <-system_call");
  EXPECT_TRUE(line.name.empty());
  EXPECT_EQ(line.details, "sys_close <-system_call");
}

TEST(FtraceTextLine, OtherTextIsNone) {
  for (const std::string_view text :
       {"", "-", "a-", "a-1", "a-1 [", "a-1 [0", "a-1 [0]", "a-1 [0] 1.0",
        "a-1 [0] 1.0:", "a-1 [0] 1.0: x", "a-1 [0] d..2 : x: y", "a-99999999999 [0] 1.0: x: y",
        "a-1 [99999999] 1.0: x: y", "some = 000, other = 0x4", "a-1 (12 [0] 1.0: x: y"})
    EXPECT_FALSE(parse_line(text, kUsualFlagWidth)) << text;
  EXPECT_FALSE(parse_line(std::string(100000, '-'), kUsualFlagWidth));
  EXPECT_FALSE(parse_line(std::string(50000, '-') + std::string(50000, '1'), kUsualFlagWidth));
}

TEST(FtraceLine, EventsOfOneSystemCall) {
  const auto enter = parse_line(" a-5 [001] ..... 1.000041: sys_read(fd: 3, count: 10)", 4);
  ASSERT_TRUE(enter);
  EXPECT_EQ(enter->name, "sys_read");
  EXPECT_EQ(enter->details, "(fd: 3, count: 10)");
  const auto exit = parse_line(" a-5 [001] ..... 1.000041: sys_read -> 0x10", 4);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->name, "sys_read");
  EXPECT_EQ(exit->details, "-> 0x10");
  EXPECT_EQ(parse_line(" a-5 [001] ..... 1.000041: sys_enter: NR 0 (3)", 4)->name, "sys_enter");
}

}  // namespace
}  // namespace tracebraid::systrace
