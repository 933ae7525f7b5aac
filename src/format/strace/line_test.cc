#include "format/strace/line.h"

#include <gtest/gtest.h>

namespace tracebraid::strace {
namespace {

using Kind = Line::Kind;

TEST(StraceLine, Calls) {
  const auto line = parse_line(
      "1000 1700000052.321300 openat(AT_FDCWD, \"a.txt\", O_RDONLY) = -1 ENOENT (No such) "
      "<0.000012>");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->kind, Kind::Call);
  EXPECT_EQ(line->tid, 1000);
  EXPECT_EQ(line->ns, 1700000052321300000);
  EXPECT_EQ(line->name, "openat");
  EXPECT_EQ(line->args, "AT_FDCWD, \"a.txt\", O_RDONLY");
  EXPECT_EQ(line->result, "-1 ENOENT (No such)");
  EXPECT_EQ(line->duration_ns, 12000);
  EXPECT_EQ(parse_line("1 1700000052.3 close(3)                = 0")->args, "3");
  const auto first_bracket = parse_line("1 2.5 open(a) = b, 3) = 4");
  ASSERT_TRUE(first_bracket);
  EXPECT_EQ(first_bracket->args, "a");
  EXPECT_EQ(first_bracket->result, "b, 3) = 4");
}

TEST(StraceLine, UnfinishedAndResumed) {
  EXPECT_EQ(parse_line("1 2.5 futex(0x7f, NULL <unfinished ...>")->kind, Kind::Unfinished);
  const auto resumed = parse_line("1 2.5 <... futex resumed> )  = 0 <0.5>");
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->kind, Kind::Resumed);
  EXPECT_EQ(resumed->name, "futex");
  EXPECT_EQ(resumed->result, "0");
  EXPECT_EQ(resumed->duration_ns, 500000000);
  const auto again = parse_line("1 2.5 <... x resumed> {}, 64, <unfinished ...>");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, Kind::ResumedUnfinished);
  EXPECT_EQ(again->args, "{}, 64");
}

TEST(StraceLine, SignalsAndPids) {
  EXPECT_EQ(parse_line("1 2.5 --- SIGCHLD {si_signo=SIGCHLD} ---")->name, "SIGCHLD");
  EXPECT_EQ(parse_line("1 2.5 +++ exited with 0 +++")->kind, Kind::Exit);
  EXPECT_EQ(parse_line("[pid  12] 2.5 read(1) = 0")->tid, 12);
  EXPECT_FALSE(parse_line("2.5 read(1) = 0")->tid);
}

TEST(StraceLine, OtherTextIsNone) {
  for (const std::string_view text :
       {"", "1000", "1000 24:32:01 read(3) = 312", "1000 1:32:01 read(3) = 3", "1 2.5",
        "1 2.5 read", "1 2.5 read(3)", "1 2.5 re-ad(3) = 1", "this line is not valid",
        "1 2.1234567890 read(3) = 1", "1 99999999999.5 read(3) = 1", "1 2.5 <... read"})
    EXPECT_FALSE(parse_line(text)) << text;
}

TEST(StraceLine, OtherOptions) {
  const auto of_day = parse_line("1000 01:00:01.5 read(3) = 312");
  ASSERT_TRUE(of_day);
  EXPECT_TRUE(of_day->is_of_day);
  EXPECT_EQ(of_day->ns, 3601500000000);
  const auto named = parse_line("12<my prog> 2.5 [00007f3fe0] read(3<a b> x) = 0x8 (flags A)");
  ASSERT_TRUE(named);
  EXPECT_EQ(named->tid, 12);
  EXPECT_EQ(named->comm, "my prog");
  EXPECT_EQ(named->name, "read");
  const auto last = parse_line("12 2.5 exit(0) = ? <unfinished ...>");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->kind, Kind::Call);
  EXPECT_EQ(last->args, "0");
  EXPECT_TRUE(is_notice("strace: Process 12 attached"));
  EXPECT_FALSE(is_notice("Process 12"));
  EXPECT_TRUE(is_timeless("brk(NULL) = 0x1"));
  EXPECT_FALSE(is_timeless("brk(NULL)"));
}

TEST(StraceLine, NamesInBrackets) {
  const auto line = parse_line("[pid  12<my ] prog>] 2.5 close(3) = 0");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->tid, 12);
  EXPECT_EQ(line->comm, "my ] prog");
  EXPECT_FALSE(parse_line("[pid 12<x 2.5 close(3) = 0"));
  EXPECT_FALSE(parse_line("[pid <x>] 2.5 close(3) = 0"));
}

TEST(StraceLine, KilledInACall) {
  EXPECT_EQ(parse_line("1 2.5 read(0,  <unfinished ...>) = ?")->args, "0,");
  EXPECT_EQ(parse_line("1 2.5 <... futex resumed> <unfinished ...>) = ?")->args, "");
}

TEST(StraceLine, Notices) {
  EXPECT_EQ(attached("strace: Process 12 attached"), 12);
  EXPECT_EQ(attached("Process 7 attached"), 7);
  EXPECT_FALSE(attached("Process x attached"));
  EXPECT_FALSE(attached("strace: Process 12 detached"));
  EXPECT_TRUE(is_notice("100 1.5 [ Process PID=100 runs in 32 bit mode. ]"));
}

TEST(StraceLine, DistancesBesideTheTime) {
  const auto line = parse_line("7 1700000052.25 (+     0.000123) close(3) = 0");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->ns, 1700000052250000000);
  EXPECT_EQ(line->name, "close");
  EXPECT_FALSE(parse_line("7 1700000052.25 (+"));
  EXPECT_FALSE(parse_line("7 1700000052.25 (+ close(3"));
}

}  // namespace
}  // namespace tracebraid::strace
