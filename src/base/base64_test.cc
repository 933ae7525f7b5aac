#include "base/base64.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(Base64, Decodes) {
  EXPECT_EQ(from_base64("eyJuIjozfQ=="), "{\"n\":3}");
  EXPECT_EQ(from_base64("eyJuIjozfQ"), "{\"n\":3}");
  EXPECT_EQ(from_base64("TWFu"), "Man");
  EXPECT_EQ(from_base64("TWE="), "Ma");
  EXPECT_EQ(from_base64("TW\nFu\r\n"), "Man");
  EXPECT_EQ(from_base64("+/+/"), "\xfb\xff\xbf");
  EXPECT_EQ(from_base64("-_8="), "\xfb\xff");
  EXPECT_EQ(from_base64("aGVs\r\n bG8h"), "hello!");
  EXPECT_EQ(from_base64(""), "");
}

TEST(Base64, Encodes) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo\xff"), "Zm9v/w==");
}

TEST(Base64, RefusesWhatIsNone) {
  EXPECT_FALSE(from_base64("hello world!"));
  EXPECT_FALSE(from_base64("TWFuT"));
  EXPECT_FALSE(from_base64("TW=u"));
  EXPECT_FALSE(from_base64("TWFu="));
  EXPECT_FALSE(from_base64("T==="));
  EXPECT_FALSE(from_base64("aGVs=bG8h"));
  EXPECT_FALSE(from_base64("aGVs===="));
  EXPECT_FALSE(from_base64("QQ="));
}

}  // namespace
}  // namespace tracebraid
