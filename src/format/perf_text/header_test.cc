#include "format/perf_text/header.h"

#include <gtest/gtest.h>

namespace tracebraid::perf_text {
namespace {

TEST(PerfScriptHeader, IsFoundFromItsTime) {
  const auto header = parse_header("My Prog: x 10/11 [002] 1.500000: 250 cycles:u: ");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->comm, "My Prog: x");
  EXPECT_EQ(header->pid, 10);
  EXPECT_EQ(header->tid, 11);
  EXPECT_EQ(header->cpu, 2);
  EXPECT_EQ(header->ts, 1'500'000'000);
  EXPECT_EQ(parse_what(header->rest).period, 250);
  EXPECT_EQ(parse_what(header->rest).event, "cycles:u");
}

TEST(PerfScriptHeader, CommAndCpuMayBeMissing) {
  const auto header = parse_header("\t77 12.000000001: sched:sched_switch: prev_comm=a");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->comm, "");
  EXPECT_FALSE(header->has_pid);
  EXPECT_EQ(header->cpu, -1);
  EXPECT_EQ(header->ts, 12'000'000'001);
  EXPECT_EQ(parse_what(header->rest).period, 1);
  EXPECT_EQ(parse_what(header->rest).event, "sched:sched_switch");
}

TEST(PerfScriptHeader, OtherLinesAreNone) {
  EXPECT_FALSE(parse_header("prog 1 1.5: cycles"));                    // one decimal
  EXPECT_FALSE(parse_header("prog 1 99999999999999.000000: x"));       // does not fit
  EXPECT_FALSE(parse_header("bash-12 [000] 1.000000: sched_waking"));  // ftrace
  EXPECT_FALSE(parse_header("prog 1 [x] 1.000000: cycles"));
  EXPECT_FALSE(parse_header(""));
  EXPECT_FALSE(parse_header(":"));
}

TEST(PerfScriptFrame, MappingIsInTheLastParentheses) {
  const auto frame = parse_frame("  7f00 f(int, char (*)(int))+0x10 (/lib/a (b).so)");
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->address, 0x7f00U);
  EXPECT_EQ(frame->mapping, "b).so");  // follows the rule for brackets
  const auto usual = parse_frame("\tffffffff81000000 [unknown] ([kernel.kallsyms])");
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->symbol, "[unknown]");
  EXPECT_EQ(usual->mapping, "[kernel.kallsyms]");
  EXPECT_FALSE(parse_frame("  zzz main (/bin/x)"));
  EXPECT_FALSE(parse_frame("  12 (/bin/x)"));
  EXPECT_FALSE(parse_frame("  12 main"));
}

TEST(PerfScriptHeader, FieldMisc) {
  const auto header =
      parse_header("python3 20551 [001] U     49472.316617:     200000 cpu-clock: ");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->tid, 20551);
  EXPECT_EQ(header->cpu, 1);
  EXPECT_EQ(header->comm, "python3");
  EXPECT_EQ(parse_header("my U 20551 K 1.316617: 1 cpu-clock:")->comm, "my U");
  EXPECT_FALSE(parse_header("my U 1.316617: 1 cpu-clock:"));
}

TEST(PerfScriptFrame, OffsetsInMappings) {
  EXPECT_EQ(parse_frame("  10 f+0x1 (/lib/libc.so+0x28d8f)")->mapping, "/lib/libc.so");
  EXPECT_EQ(parse_frame("  10 f+0x1 (/lib/c++0x)")->mapping, "/lib/c++0x");
}

TEST(PerfScriptFrame, Sources) {
  const auto source = parse_source("  dl-cache.c:206");
  ASSERT_TRUE(source);
  EXPECT_EQ(source->file, "dl-cache.c");
  EXPECT_EQ(source->line, 206);
  for (const std::string_view text : {"  ??:0", "  :0", "  [kernel.kallsyms][ffffffff821ca02c]"}) {
    ASSERT_TRUE(parse_source(text)) << text;
    EXPECT_TRUE(parse_source(text)->file.empty()) << text;
  }
  for (const std::string_view text :
       {"", "a.c", "a.c:", ":", "a.c:1x", "a b.c:1", "[12]", "a[]", "a[x]"})
    EXPECT_FALSE(parse_source(text)) << text;
}

TEST(PerfScriptWhat, TracepointsAreToldFromModifiers) {
  const What what = parse_what("  sched:sched_switch: prev_comm=a b ==> c");
  EXPECT_EQ(tracepoint_of(what.event), "sched_switch");
  EXPECT_EQ(what.details, "prev_comm=a b ==> c");
  EXPECT_EQ(tracepoint_of("cycles:u"), "");
  EXPECT_EQ(tracepoint_of("cycles:ppp"), "");
  EXPECT_EQ(tracepoint_of("cpu-clock"), "");
  EXPECT_EQ(tracepoint_of(":x"), "");
  EXPECT_EQ(tracepoint_of("a:"), "");
}

TEST(PerfScriptWhat, AddressOnTheLine) {
  const auto branch = parse_frame_in("tr strt   7f59 a+0x67 (foo.so) =>  5948 _fini+0x0 (foo.so)");
  ASSERT_TRUE(branch);
  EXPECT_EQ(branch->address, 0x7f59U);
  EXPECT_EQ(branch->symbol, "a");
  EXPECT_EQ(parse_frame_in("  7f59 a+0x67 (foo.so)")->mapping, "foo.so");
  EXPECT_FALSE(parse_frame_in(""));
  EXPECT_FALSE(parse_frame_in("prev_comm=a prev_pid=1"));
}

}  // namespace
}  // namespace tracebraid::perf_text
