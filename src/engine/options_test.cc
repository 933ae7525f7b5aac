#include "engine/options.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(Options, KnowsUnits) {
  EXPECT_EQ(parse_quantity("0"), 0U);
  EXPECT_EQ(parse_quantity("64k"), 65536U);
  EXPECT_EQ(parse_quantity("2MiB"), 2U << 20);
  EXPECT_EQ(parse_quantity("1T"), uint64_t{1} << 40);
  for (const char* bad : {"", "K", "1.5G", "1X", "18446744073709551615K", "-1"})
    EXPECT_FALSE(parse_quantity(bad)) << bad;
}

TEST(Options, AreSetByKey) {
  OpenOptions options;
  EXPECT_TRUE(set_option(options, "strict", "true"));
  EXPECT_TRUE(set_option(options, "threads", "3"));
  EXPECT_TRUE(set_option(options, "max-member-bytes", "2K"));
  EXPECT_TRUE(set_option(options, "clock-model", "step"));
  EXPECT_TRUE(set_option(options, "proto-descriptors", "a"));
  EXPECT_TRUE(set_option(options, "proto-descriptors", "b"));
  EXPECT_TRUE(options.trace.strict);
  EXPECT_EQ(options.engine.threads, 3U);
  EXPECT_EQ(options.trace.limits.max_member_bytes, 2048U);
  EXPECT_EQ(options.trace.clock_model, "step");
  EXPECT_EQ(options.trace.proto_descriptors, (std::vector<std::string>{"a", "b"}));
}

TEST(Options, ErrorsNameWhatIsNear) {
  OpenOptions options;
  const auto message = [&](std::string_view key, std::string_view value) {
    const Result<> set = set_option(options, key, value);
    EXPECT_FALSE(set);
    EXPECT_EQ(set ? ErrorCode::Internal : set.error().code, ErrorCode::Usage);
    return set ? std::string() : set.error().message;
  };
  EXPECT_EQ(message("stritc", "true"), "there is no option 'stritc'; did you mean strict?");
  EXPECT_EQ(message("clock-model", "stpe"),
            "clock-model: 'stpe' is not one of step, linear; did you mean step?");
  EXPECT_EQ(message("threads", "x"), "threads: 'x' is not a whole number");
  EXPECT_EQ(message("strict", "1"), "strict: '1' is not true, false or all");
}

TEST(Options, AreListedAsJson) {
  const std::string json = option_specs_json();
  EXPECT_NE(json.find(R"({"key":"threads","type":"number","default":0,"choices":[],"text":)"),
            std::string::npos);
  EXPECT_NE(json.find(R"("choices":["step","linear"])"), std::string::npos);
  for (const OptionSpec& spec : open_option_specs())
    EXPECT_NE(json.find("\"" + std::string(spec.key) + "\""), std::string::npos) << spec.key;
}

}  // namespace
}  // namespace tracebraid
