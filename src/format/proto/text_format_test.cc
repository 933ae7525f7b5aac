#include "format/proto/text_format.h"

#include <gtest/gtest.h>

#include "format/proto/test_trace.h"

namespace tracebraid::proto {
namespace {

constexpr std::string_view kConfig = "perfetto.protos.TraceConfig";

TEST(TextFormat, HasALineForEachField) {
  DescriptorPool pool;
  const Msg config = Msg()
                         .msg(1, Msg().num(1, 1024).num(4, 2))
                         .msg(2, Msg())
                         .num(3, 99)
                         .text(22, "a \"name\"\n\x01")
                         .num(99999, 1);
  EXPECT_EQ(text_of(pool, kConfig, config.bytes()),
            "buffers: {\n  size_kb: 1024\n  fill_policy: DISCARD\n}\n"
            "data_sources: {\n}\n"
            "duration_ms: 99\n"
            "unique_session_name: \"a \\\"name\\\"\\n\\001\"");
  EXPECT_EQ(text_of(pool, "nothing", config.bytes()), "");
}

TEST(TextFormat, StaysInProportion) {
  DescriptorPool pool;
  std::string config;
  for (int i = 0; i < 100'000; ++i) config += Msg().msg(33, Msg()).bytes();
  EXPECT_LT(text_of(pool, kConfig, config).size(), 70'000 + 8 * config.size());
}

}  // namespace
}  // namespace tracebraid::proto
