#include "format/systrace/graph_line.h"

#include <gtest/gtest.h>

namespace tracebraid::systrace {
namespace {

using Kind = GraphBody::Kind;

GraphLine parsed(std::string_view text) {
  const std::optional<GraphLine> line = parse_graph_line(text);
  EXPECT_TRUE(line.has_value()) << text;
  return line.value_or(GraphLine{});
}

TEST(FunctionGraphLine, BodiesAreCallsAndTheirEnds) {
  const GraphLine enter = parsed(" 1)               |  do_sys_open() {");
  EXPECT_EQ(enter.cpu, 1U);
  EXPECT_EQ(enter.body.kind, Kind::Enter);
  EXPECT_EQ(enter.body.name, "do_sys_open");
  EXPECT_FALSE(enter.duration_ns);
  EXPECT_FALSE(enter.ns);
  const GraphLine leaf = parsed(" 0)   0.633 us    |    vfs_stat();");
  EXPECT_EQ(leaf.body.kind, Kind::Leaf);
  EXPECT_EQ(leaf.duration_ns, 633);
  const GraphLine leave = parsed(" 0) ! 121.004 us  |  } /* vfs_read */");
  EXPECT_EQ(leave.body.kind, Kind::Leave);
  EXPECT_EQ(leave.body.name, "vfs_read");
  EXPECT_EQ(leave.duration_ns, 121'004);
  EXPECT_EQ(parsed(" 0) $ 1000002.5 us | }").duration_ns, 1'000'002'500);
  EXPECT_EQ(parsed(" 3)   ==========> |").body.kind, Kind::None);
  EXPECT_EQ(parsed(" 3)               |  /* some text */").body.name, "some text");
}

TEST(FunctionGraphLine, ColumnsForTimeTaskAndFlags) {
  const GraphLine timed = parsed("  360.774522 |   1)   0.541 us    |      }");
  EXPECT_EQ(timed.ns, 360'774'522'000);
  EXPECT_EQ(timed.duration_ns, 541);
  const GraphLine all =
      parsed("  360.774522 |  12)    (sd-pam)-48  |  d..1. |   0.541 us    |  a_b.part.0();");
  EXPECT_EQ(all.cpu, 12U);
  EXPECT_EQ(all.task, "(sd-pam)");
  EXPECT_EQ(all.tid, 48);
  EXPECT_EQ(all.body.name, "a_b.part.0");
  EXPECT_TRUE(parsed("  3607745 |   1)               |  a() {").is_count);
}

TEST(FunctionGraphLine, ArgsAndResults) {
  const GraphLine leaf = parsed(" 0)   0.6 us | f(fd=1, p=0x2); /* = 0xfffffff5 */");
  EXPECT_EQ(leaf.body.args, "fd=1, p=0x2");
  EXPECT_EQ(leaf.body.result, "0xfffffff5");
  EXPECT_EQ(parsed(" 0) 1.0 us | } /* vfs_read = 3 */").body.result, "3");
  EXPECT_EQ(parsed(" 0) 1.0 us | } /* vfs_read = 3 */").body.name, "vfs_read");
  EXPECT_EQ(parsed(" 0) 1.0 us | g(); /* <-f+0x1/0x2 ret=0x1 */").body.result, "0x1");
}

TEST(FunctionGraphLine, SwitchesOfTasks) {
  const GraphLine line = parsed(" 0)  migrati-17    =>  bash-4567   ");
  EXPECT_EQ(line.kind, GraphLine::Kind::Switch);
  EXPECT_EQ(line.tid, 4567);
  EXPECT_EQ(line.task, "bash");
}

TEST(FunctionGraphLine, OtherLinesAreNone) {
  for (const std::string_view text :
       {"", ")", "0)", "0) |", " x)   0.633 us | f();", " 0)   0.633 us | f()", " 0) 5 | f();",
        "a | 0) | f();", " 0)  a =>  b", "99999999999999999999) | f();",
        " 0) 9999999999999999999999.0 us | f();", " 0)   2.000 us    |  "})
    EXPECT_FALSE(parse_graph_line(text)) << text;
}

}  // namespace
}  // namespace tracebraid::systrace
