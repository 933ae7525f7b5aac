#include "event/arg_path.h"

#include <gtest/gtest.h>

#include <vector>

namespace tracebraid {
namespace {

TEST(ArgPath, QuotesNamesThatAKeyCannotShow) {
  std::string path = "args";
  append_member(path, "k.with.dot");
  append_member(path, "plain name");
  append_element(path, 12);
  append_member(path, "");
  append_member(path, "a\"[\\\n");
  EXPECT_EQ(path, R"(args["k.with.dot"].plain name[12][""]["a\"[\\\u000a"])");

  std::vector<std::string> steps;
  ArgSteps read(path);
  while (const std::optional<ArgStep> step = read.next())
    steps.push_back(step->index ? "#" + std::to_string(*step->index) : std::string(step->name));
  EXPECT_FALSE(read.is_malformed());
  EXPECT_EQ(steps,
            (std::vector<std::string>{"args", "k.with.dot", "plain name", "#12", "", "a\"[\\\n"}));
}

TEST(ArgPath, FindsBracketsThatAreNoStep) {
  for (const char* const key :
       {"x[", "x[1", "x[a]", "x[\"a", "x[\"a\"", "x[99999999999999999999]"}) {
    ArgSteps read(key);
    EXPECT_EQ(read.next()->name, "x");
    EXPECT_FALSE(read.next());
    EXPECT_TRUE(read.is_malformed()) << key;
  }
}

}  // namespace
}  // namespace tracebraid
