#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "event/stats.h"
#include "format/format.h"
#include "format/fuchsia/provider.h"
#include "format/fuchsia/records.h"
#include "format/fuchsia/stats.h"

namespace tracebraid::fuchsia {
extern const Format kFormat;
namespace {

std::string words(std::initializer_list<uint64_t> values) {
  std::string bytes;
  for (const uint64_t value : values)
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

// Returns a record of two words after its header.
std::string record(uint64_t type, uint64_t high, uint64_t a, uint64_t b) {
  return words({type | 3 << 4 | high << 16, a, b});
}

EventBatch read(const std::string& file) {
  Workers workers(1);
  Chunks chunks(workers);
  Input input(file);
  (void)kFormat.read(input, {}, chunks);
  return std::move(std::move(chunks).finish().front());
}

int64_t count_of(const EventBatch& batch, StatId stat) {
  int64_t sum = 0;
  for (const StatCount& count : batch.stats)
    if (count.stat == stat) sum += count.value;
  return sum;
}

// Returns a thread, and switches between threads 7 and 8 at 1 and 2 us.
std::string small_trace() {
  return std::string(kMagic) + record(3, 1, 5, 7) +
         words({8 | 4 << 4 | uint64_t{1} << 60, 1000, 7, 8}) +
         words({8 | 4 << 4 | uint64_t{1} << 60, 2000, 8, 7});
}

TEST(Fuchsia, TicksAreConvertedExactly) {
  Provider provider;
  provider.ticks_per_second = 3;
  EXPECT_EQ(ns_of_ticks(1, provider), 333'333'333);
  EXPECT_EQ(ns_of_ticks(9'000'000'000, provider), 3'000'000'000'000'000'000);
  EXPECT_EQ(ns_of_ticks(~uint64_t{0}, provider), std::nullopt);
  provider.ticks_per_second = ~uint64_t{0};
  EXPECT_EQ(ns_of_ticks(~uint64_t{0}, provider), 1'000'000'000);
}

TEST(Fuchsia, ReadsWhatIsThere) {
  const EventBatch batch = read(small_trace());
  ASSERT_EQ(batch.streams.size(), 1U);
  ASSERT_EQ(batch.switches.size(), 2U);
  EXPECT_EQ(batch.switches[0].next_tid, 8);
  EXPECT_EQ(batch.switches[0].prev_tid, 7);
  EXPECT_EQ(count_of(batch, stats::fuchsia_record_read_error), 0);
}

TEST(Fuchsia, DamagedFilesAreReadAsFarAsTheyGo) {
  const std::string file = small_trace();
  for (size_t size = 0; size < file.size(); ++size) {
    const EventBatch batch = read(file.substr(0, size));
    EXPECT_EQ(count_of(batch, stats::trace_truncated),
              size == 0 || size == 8 || size == 32 || size == 64 ? 0 : 1)
        << size;
  }
  for (size_t at = 8; at < file.size(); ++at) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xFF);
    read(damaged);
  }
}

TEST(Fuchsia, LargeRecordsAreSkippedWithoutBeingHeld) {
  // The header states 32 GiB; the file ends within the record.
  const EventBatch cut = read(std::string(kMagic) + words({15 | 0xFFFFFFFFULL << 4, 1, 2}));
  EXPECT_EQ(count_of(cut, stats::trace_truncated), 1);
  std::string file = std::string(kMagic) + words({15 | 3 << 4, 1, 2});
  file += record(3, 1, 5, 7);
  const EventBatch whole = read(file);
  EXPECT_EQ(count_of(whole, stats::trace_truncated), 0);
  ASSERT_EQ(whole.not_imported.size(), 1U);
  EXPECT_EQ(whole.not_imported[0].bytes, 24U);
}

}  // namespace
}  // namespace tracebraid::fuchsia
