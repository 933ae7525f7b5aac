#include "format/cloud_trace/spans.h"

#include <gtest/gtest.h>

namespace tracebraid::cloud_trace {
namespace {

TEST(CloudSpans, ChildrenLieOnTheLaneOfTheirParent) {
  std::vector<Span> spans{{"2", "1", 20, 50}, {"1", "", 0, 100}, {"3", "1", 50, 90}};
  EXPECT_EQ(arrange(spans), (std::vector<size_t>{1, 0, 2}));
  for (const Span& span : spans) EXPECT_EQ(span.lane, 0U);
  EXPECT_EQ(spans[0].parent, 1U);
}

TEST(CloudSpans, CallsAtTheSameTimeTakeLanes) {
  std::vector<Span> spans{{"1", "", 0, 100},
                          {"2", "1", 10, 50},
                          {"3", "1", 20, 30},
                          {"4", "1", 40, 60},
                          {"5", "3", 22, 25}};
  arrange(spans);
  EXPECT_EQ(spans[1].lane, 0U);
  EXPECT_EQ(spans[2].lane, 1U);  // within 2, but not called by it
  EXPECT_EQ(spans[3].lane, 1U);
  EXPECT_EQ(spans[4].lane, 1U);  // on the lane of its parent
}

TEST(CloudSpans, RootsAreTreesAndCirclesAreCut) {
  std::vector<Span> spans{{"1", "2", 5, 6}, {"2", "1", 5, 6}, {"3", "gone", 1, 2}, {"", "", 9, 9}};
  const std::vector<size_t> order = arrange(spans);
  EXPECT_EQ(order.size(), spans.size());
  EXPECT_EQ(spans[2].tree, 0U);
  EXPECT_EQ(spans[0].tree, spans[1].tree);
  EXPECT_NE(spans[0].parent == kNoSpan, spans[1].parent == kNoSpan);
  EXPECT_EQ(spans[3].tree, 2U);
}

TEST(CloudSpans, ParentsThatEndEarlyDoNotHoldTheirChildren) {
  std::vector<Span> spans{{"1", "", 0, 10}, {"2", "1", 5, 20}};
  arrange(spans);
  EXPECT_EQ(spans[1].lane, 1U);
}

}  // namespace
}  // namespace tracebraid::cloud_trace
