#include "kernel/text/details.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(KernelDetails, NamesReachUpToTheNextKey) {
  KernelDetails details;
  split_details("prev_comm=Render Thread 2 prev_pid=5 ==> next_comm=a b next_pid=7", details);
  EXPECT_EQ(details.text("prev_comm"), "Render Thread 2");
  EXPECT_EQ(details.number("prev_pid"), 5);
  EXPECT_EQ(details.text("next_comm"), "a b");
  EXPECT_EQ(details.number("next_pid"), 7);
}

TEST(KernelDetails, WhatIsNoPairIsTheRest) {
  KernelDetails details;
  split_details("8,0 sector=42 WS size=4096, =x 1=2", details);
  EXPECT_EQ(details.number("sector"), 42);
  EXPECT_EQ(details.number("size"), 4096);
  ASSERT_EQ(details.rest.size(), 4U);
  EXPECT_EQ(details.rest[1], "WS");
  EXPECT_EQ(details.rest[3], "1=2");
}

TEST(KernelDetails, NumbersAndTextsAsArgs) {
  EventBatch batch;
  EventSink sink(batch);
  KernelDetails details;
  split_details("a=-5 b=0x10 c=99999999999999999999 d=", details);
  const uint32_t set = details_args(details, sink);
  ASSERT_NE(set, kNone);
  ASSERT_EQ(batch.args.rows.size(), 4U);
  EXPECT_EQ(batch.args.rows[0].type, ArgType::Int);
  EXPECT_EQ(batch.args.rows[0].value, -5);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(batch.args.rows[i].type, ArgType::String);
  split_details("", details);
  EXPECT_EQ(details_args(details, sink), kNone);
}

}  // namespace
}  // namespace tracebraid
