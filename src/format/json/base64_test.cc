#include "format/json/base64.h"

#include <gtest/gtest.h>

namespace tracebraid::json {
namespace {

TEST(Base64, Decodes) {
  EXPECT_EQ(from_base64("eyJuIjozfQ=="), "{\"n\":3}");
  EXPECT_EQ(from_base64("eyJuIjozfQ"), "{\"n\":3}");
  EXPECT_EQ(from_base64("TWFu"), "Man");
  EXPECT_EQ(from_base64("TWE="), "Ma");
  EXPECT_EQ(from_base64("TW\nFu\r\n"), "Man");
  EXPECT_EQ(from_base64("+/+/"), "\xfb\xff\xbf");
  EXPECT_EQ(from_base64(""), "");
}

TEST(Base64, RefusesWhatIsNone) {
  EXPECT_FALSE(from_base64("hello world!"));
  EXPECT_FALSE(from_base64("TWFuT"));
  EXPECT_FALSE(from_base64("TW=u"));
  EXPECT_FALSE(from_base64("TWFu="));
  EXPECT_FALSE(from_base64("T==="));
}

}  // namespace
}  // namespace tracebraid::json
