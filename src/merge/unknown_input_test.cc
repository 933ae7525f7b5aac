#include "merge/unknown_input.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

std::string of(std::string_view head, std::string_view name = "t") {
  std::string text = describe_unknown({head, name});
  constexpr std::string_view kEnd = " (Unknown trace type provided (ERR:fmt))";
  EXPECT_TRUE(text.ends_with(kEnd)) << text;
  EXPECT_EQ(detect({head, name}), nullptr) << head;
  return text.substr(0, text.size() - std::min(text.size(), kEnd.size()));
}

TEST(UnknownInput, NamesWhatTheBytesAre) {
  EXPECT_EQ(of("SQLite format 3\0 and more"),
            "no format that is read: an SQLite database; query it with sqlite3");
  EXPECT_NE(of("version https://git-lfs.github.com/spec/v1\noid").find("git lfs pull"),
            std::string::npos);
  EXPECT_NE(of(std::string_view("\0\0\0\0", 4)).find("only zero bytes"), std::string::npos);
}

TEST(UnknownInput, QuotesTheFirstBytes) {
  EXPECT_NE(of("  not a trace\r\nat all").find("text that begins \"not a trace\"; text formats"),
            std::string::npos);
  EXPECT_NE(of(std::string(47, 'x') + "漢字").find('"' + std::string(47, 'x') + "...\""),
            std::string::npos);
  EXPECT_NE(
      of(std::string_view("\0\x01\x02\xff nothing", 12)).find("bytes 00 01 02 ff 20 6e 6f 74;"),
      std::string::npos);
}

TEST(UnknownInput, NamesTheNearestFormat) {
  EXPECT_NE(of("Recording ...\nDone\n[{\"ph\":\"X\",\"ts\":1}]")
                .find("from line 3 on it looks like Trace Event Format (JSON)"),
            std::string::npos);
  EXPECT_NE(of("so much for JSON", "dir/t.json").find("by its name it is Trace Event Format"),
            std::string::npos);
}

TEST(UnknownInput, StandsAnyBytes) {
  const std::string text = "[pid\n[1.\nD/): \n(] = \xe2\x82";
  for (size_t begin = 0; begin < text.size(); ++begin)
    describe_unknown({std::string_view(text).substr(begin), "x"});
}

}  // namespace
}  // namespace tracebraid
