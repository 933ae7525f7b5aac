#include "timeline/tracks/stored_index.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

#include "timeline/test_store.h"
#include "timeline/tiles/tiles.h"

namespace tracebraid::timeline {
namespace {

// Keeps parts in memory, aligned as in a file.
class MemorySink final : public PartSink {
 public:
  Result<> append(std::string_view bytes) override {
    open_ += bytes;
    return {};
  }
  void end_part() override {
    sizes_.push_back(open_.size());
    std::vector<uint64_t>& words = parts_.emplace_back((open_.size() + 7) / 8);
    if (!open_.empty()) std::memcpy(words.data(), open_.data(), open_.size());
    open_.clear();
  }
  // Parts of which all but `damaged` are whole.
  IndexParts parts(size_t damaged = ~size_t{0}) const {
    IndexParts index{.is_whole = [damaged](size_t part) { return part != damaged; }};
    for (size_t part = 0; part < parts_.size(); ++part)
      index.parts.emplace_back(reinterpret_cast<const char*>(parts_[part].data()), sizes_[part]);
    return index;
  }
  size_t count() const { return parts_.size(); }
  size_t bytes() const {
    size_t sum = 0;
    for (const size_t size : sizes_) sum += size;
    return sum;
  }
  size_t size_of(size_t part) const { return sizes_[part]; }
  char* bytes_of(size_t part) { return reinterpret_cast<char*>(parts_[part].data()); }
  bool operator==(const MemorySink& other) const { return parts_ == other.parts_; }

 private:
  std::string open_;
  std::vector<size_t> sizes_;
  std::vector<std::vector<uint64_t>> parts_;
};

MemorySink written(const Store& store, unsigned threads) {
  Timeline timeline(store, {.threads = threads});
  EXPECT_TRUE(timeline.prepare(Stop()));
  MemorySink sink;
  EXPECT_TRUE(timeline.write_index(sink));
  return sink;
}

// Returns tiles of all tracks at levels from fine to coarse; `damaged` counts the calls.
std::vector<std::string> frames_of(const Store& store, std::optional<IndexParts> stored,
                                   int& damaged) {
  Timeline timeline(
      store,
      {.threads = 2, .stored = std::move(stored), .on_damaged_index = [&damaged] { ++damaged; }});
  EXPECT_TRUE(timeline.prepare(Stop()));
  std::vector<std::string> frames;
  const auto top =
      static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(store.trace_end) >> 10));
  for (uint32_t track = 0; track < timeline.tracks().size(); ++track)
    for (unsigned level = top; level > 4; level -= std::min(level, 4U)) {
      const int64_t tile = store.trace_end / 3 >> (level + kTileBits);
      frames.push_back(*make_tiles(timeline, {.node = track, .range = {level, tile, 2}}, Stop()));
    }
  return frames;
}

struct StoredIndexTest : testing::Test {
  StoredIndexTest() {
    fill_store(store, {.slices = 60'000, .tracks = 12, .busy_factor = 5});
    expected = frames_of(store, std::nullopt, damaged);
  }
  Store store;
  int damaged = 0;
  std::vector<std::string> expected;
};

TEST_F(StoredIndexTest, AnswersEqualThoseOfTheTables) {
  const MemorySink sink = written(store, 1);
  EXPECT_EQ(written(store, 3), sink);
  EXPECT_EQ(frames_of(store, sink.parts(), damaged), expected);
  EXPECT_EQ(damaged, 0);
}

TEST_F(StoredIndexTest, TakesAtMost6BytesARow) {
  const MemorySink sink = written(store, 2);
  EXPECT_LE(sink.bytes(), 6 * 60'000U);
  EXPECT_GE(sink.bytes(), 4 * 60'000U) << "long tracks have their columns";
}

TEST_F(StoredIndexTest, DamagedPartsAreMadeAgain) {
  const MemorySink sink = written(store, 2);
  for (size_t part = 0; part < sink.count(); ++part) {
    damaged = 0;
    EXPECT_EQ(frames_of(store, sink.parts(part), damaged), expected) << part;
    // The columns have a checksum for each track.
    EXPECT_EQ(damaged, part + 2 == sink.count() ? 0 : 1) << part;
  }
  EXPECT_EQ(frames_of(store, IndexParts{}, damaged = 0), expected);
  EXPECT_EQ(damaged, 1);
}

TEST_F(StoredIndexTest, DamagedColumnsAreMadeAgain) {
  MemorySink sink = written(store, 2);
  const size_t columns = sink.count() - 2;
  sink.bytes_of(columns)[sink.size_of(columns) / 2] ^= 1;
  EXPECT_EQ(frames_of(store, sink.parts(), damaged), expected);
  EXPECT_EQ(damaged, 1);
}

TEST_F(StoredIndexTest, PartsOfOtherTablesAreNotUsed) {
  const MemorySink sink = written(store, 2);
  Store other;
  fill_store(other, {.slices = 50'000, .tracks = 12, .busy_factor = 5});
  int none = 0;
  const std::vector<std::string> of_other = frames_of(other, std::nullopt, none);
  EXPECT_EQ(frames_of(other, sink.parts(), damaged), of_other);
  EXPECT_EQ(damaged, 1);
}

// Checksums do not protect from a file that was made to do harm.
TEST_F(StoredIndexTest, AnyBytesWithValidChecksumsAreRead) {
  const MemorySink sink = written(store, 2);
  std::mt19937_64 random(7);
  for (int i = 0; i < 60; ++i) {
    MemorySink changed = sink;
    const size_t part = random() % (changed.count() - 2);
    for (int flips = 0; flips < 3 && changed.size_of(part) > 0; ++flips)
      changed.bytes_of(part)[random() % changed.size_of(part)] = static_cast<char>(random());
    EXPECT_EQ(frames_of(store, changed.parts(), damaged).size(), expected.size());
  }
}

// The same for the columns of a track, whose checksum is in the directory.
TEST_F(StoredIndexTest, AnyColumnsAreReadOrRefused) {
  Timeline timeline(store, {.threads = 2});
  ASSERT_TRUE(timeline.prepare(Stop()));
  bool was_cold = false;
  const auto index = timeline.index(0, was_cold);
  MemorySink sink;
  ASSERT_TRUE(index->lines.write(sink));
  sink.end_part();
  ASSERT_EQ(sink.size_of(0), index->lines.written_size());
  std::mt19937_64 random(11);
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    MemorySink changed = sink;
    changed.bytes_of(0)[random() % changed.size_of(0)] ^= static_cast<char>(1 << random() % 8);
    const std::string_view bytes(changed.bytes_of(0), changed.size_of(0) - 8 * (random() % 2));
    const std::optional<LineIndex> lines = LineIndex::view(bytes, true);
    refused += lines ? 0 : 1;
    for (size_t line = 0; lines && line < lines->lines(); ++line) {
      LineReader reader(*lines, line);
      for (size_t event = 0; event < reader.size(); event += 97) {
        EXPECT_LT(reader.lower_bound(reader.start(event)), reader.size());
        reader.sum(event, reader.size());
      }
    }
  }
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace tracebraid::timeline
