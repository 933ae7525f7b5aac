#include "container/input.h"

#include <fmt/format.h>

#include "container/test_archives.h"

namespace tracebraid {
namespace {

using test::noise;

// Returns `text` in blocks of at most `most` bytes, then the error, if any.
Decoder decoder_of(std::string text, size_t most, std::optional<Error> error = std::nullopt) {
  return [text = std::move(text), most, error, at = size_t{0}](
             char* into, size_t size) mutable -> Result<size_t> {
    const size_t give = std::min({size, most, text.size() - at});
    if (give == 0 && error) return tl::unexpected(*error);
    text.copy(into, give, at);
    at += give;
    return give;
  };
}

TEST(Input, ViewsAreNotCopied) {
  const std::string text = noise(100);
  Input input(text);
  EXPECT_EQ(input.peek(10).data(), text.data());
  const std::optional<Block> first = input.next(30);
  const std::optional<Block> second = input.next(1000, 5);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->bytes.data(), text.data());
  EXPECT_EQ(second->bytes, std::string_view(text).substr(25));
  EXPECT_EQ(second->at, 25u);
  EXPECT_EQ(second->again, 5u);
  EXPECT_FALSE(input.next(1));
  EXPECT_EQ(input.offset(), 100u);
}

TEST(Input, BlocksWithRepeatsJoinToTheWhole) {
  const std::string text = noise(1000);
  for (const bool decoded : {false, true})
    for (const size_t peek : {size_t{0}, size_t{7}, size_t{300}, size_t{5000}}) {
      Input input = decoded ? Input(decoder_of(text, 13)) : Input(text);
      EXPECT_EQ(input.peek(peek), std::string_view(text).substr(0, peek));
      std::string joined;
      size_t again = 0;
      while (const std::optional<Block> block = input.next(101, again)) {
        EXPECT_EQ(block->at + block->again, joined.size());
        joined += block->bytes.substr(block->again);
        again = (again + 17) % 60;
      }
      EXPECT_EQ(joined, text);
    }
}

TEST(Input, IsReadAgain) {
  const std::string text = noise(1000);
  const auto read_all = [](Input& input) {
    std::string all;
    while (const std::optional<Block> block = input.next(64)) all += block->bytes;
    return all;
  };
  Input viewed(text);
  Input decoded([&] { return decoder_of(text, 13); });
  for (Input* input : {&viewed, &decoded}) {
    EXPECT_EQ(input->peek(7), std::string_view(text).substr(0, 7));
    EXPECT_EQ(read_all(*input), text);
    ASSERT_TRUE(input->rewind());
    EXPECT_EQ(read_all(*input), text);
  }
  Input once(decoder_of(text, 13));
  EXPECT_EQ(read_all(once), text);
  EXPECT_FALSE(once.rewind());
}

TEST(Input, BlocksOutliveTheInput) {
  const std::string text = noise(1000);
  std::vector<Block> blocks;
  {
    Input input(decoder_of(text, 1000));
    while (const std::optional<Block> block = input.next(100)) blocks.push_back(*block);
  }
  std::string joined;
  for (const Block& block : blocks) joined += block.bytes;
  EXPECT_EQ(joined, text);
}

TEST(Input, AllAfterPeekAndAfterNext) {
  const std::string text = noise(3'000'000);
  for (const bool decoded : {false, true}) {
    Input whole = decoded ? Input(decoder_of(text, 99'999)) : Input(text);
    EXPECT_EQ(whole.peek(8), text.substr(0, 8));
    EXPECT_EQ(whole.all().bytes, text);
    EXPECT_FALSE(whole.next(1));
    Input rest = decoded ? Input(decoder_of(text, 99'999)) : Input(text);
    ASSERT_TRUE(rest.next(10));
    const Block all = rest.all();
    EXPECT_EQ(all.bytes, std::string_view(text).substr(10));
    EXPECT_EQ(all.at, 10u);
  }
}

TEST(Input, ProblemComesAfterTheBytes) {
  const Error error{ErrorCode::BadInput, "broken"};
  Input input(decoder_of("some text", 4, error));
  EXPECT_EQ(input.peek(100), "some text");
  const std::optional<Block> block = input.next(100);
  ASSERT_TRUE(block);
  EXPECT_EQ(block->bytes, "some text");
  EXPECT_FALSE(input.next(100));
  ASSERT_TRUE(input.problem());
  EXPECT_EQ(input.problem()->message, "broken");
  Input all(decoder_of("some text", 4, error));
  EXPECT_EQ(all.all().bytes, "some text");
  EXPECT_TRUE(all.problem());
}

TEST(Input, EmptyHasNoBlocks) {
  EXPECT_FALSE(Input("").next(10));
  EXPECT_FALSE(Input(decoder_of("", 1)).next(10));
  EXPECT_EQ(Input(decoder_of("", 1)).all().bytes, "");
}

TEST(Input, CrcIsCheckedOverAllBytes) {
  const std::string text = noise(1000);
  for (const bool decoded : {false, true})
    for (const bool wrong : {false, true})
      for (const bool whole : {false, true}) {
        Input input = decoded ? Input(decoder_of(text, 100)) : Input(text);
        input.expect_crc(wrong ? 0x4030201 : crc32_of(text), "a.pb");
        if (whole) input.all();
        while (!whole && input.next(64, 10)) EXPECT_LE(input.offset(), text.size());
        ASSERT_EQ(input.problem().has_value(), wrong);
        if (wrong) {
          EXPECT_EQ(input.problem()->message,
                    fmt::format("Zip CRC32 failure on a.pb (actual: {:x}, expected: 4030201) "
                                "(ERR:tp-corrupt)",
                                crc32_of(text)));
        }
      }
}

TEST(Input, ProgressCountsNoByteTwice) {
  const std::string text = noise(1000);
  Progress progress;
  Input input(text);
  input.report_to(&progress);
  while (const std::optional<Block> block = input.next(100, 50)) input.done(*block);
  EXPECT_EQ(progress.done(), 1000u);
}

}  // namespace
}  // namespace tracebraid
