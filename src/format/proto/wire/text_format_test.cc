#include "format/proto/wire/text_format.h"

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

TEST(TextFormat, ReadsPackedNumbers) {
  constexpr uint64_t kRepeated = 3, kDouble = 1, kSint32 = 17;
  const auto field = [](std::string_view name, uint64_t number, uint64_t type) {
    return Msg().text(1, name).num(3, number).num(4, kRepeated).num(5, type);
  };
  const Msg message =
      Msg().text(1, "M").msg(2, field("reals", 1, kDouble)).msg(2, field("deltas", 2, kSint32));
  DescriptorPool pool;
  ASSERT_TRUE(pool.add_set(Msg().msg(1, Msg().text(2, "p").msg(4, message)).bytes()));
  std::string reals(16, '\0');
  reals[7] = reals[15] = '\x40';  // 2.0, little-endian
  const Msg value = Msg().text(1, reals).packed(2, {1, 4}).real(1, 0.5);
  EXPECT_EQ(text_of(pool, "p.M", value.bytes()),
            "reals: 2.000000\nreals: 2.000000\ndeltas: -1\ndeltas: 2\nreals: 0.500000");
}

TEST(TextFormat, StaysInProportion) {
  DescriptorPool pool;
  std::string config;
  for (int i = 0; i < 100'000; ++i) config += Msg().msg(33, Msg()).bytes();
  EXPECT_LT(text_of(pool, kConfig, config).size(), 70'000 + 8 * config.size());
}

}  // namespace
}  // namespace tracebraid::proto
