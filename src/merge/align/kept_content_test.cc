// Content that was kept without events relates clocks as the events do.
#include "merge/align/kept_content.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <tuple>
#include <vector>

#include "event/event_kind.h"
#include "merge/locate/test_files.h"

namespace tracebraid::located_files {
namespace {

// Adds an event with a text arg.
void add_with_arg(File& file, std::string_view name, std::string_view key, std::string_view value,
                  EventKind kind, int64_t ticks) {
  file.event(name, ticks);
  EventBatch& batch = file.batch;
  Event& event = batch.streams[0].events.back();
  event.kind = static_cast<uint8_t>(kind);
  event.args = static_cast<uint32_t>(batch.args.rows.size());
  batch.args.keys.push_back({batch.strings.intern(key), batch.strings.intern(key)});
  batch.args.rows.push_back({.value = batch.strings.intern(value).row,
                             .key = static_cast<uint32_t>(batch.args.keys.size() - 1),
                             .type = ArgType::String,
                             .last = true});
}

std::deque<File> marked_files() {
  std::deque<File> files;
  files.emplace_back("a.json", kJson);
  files.emplace_back("b.json", kJson);
  for (int i = 0; i < 20; ++i)
    for (size_t k = 0; k < 2; ++k)
      add_with_arg(files[k], "clock_sync", "args.id", "marker-" + std::to_string(i),
                   EventKind::Instant, i * S + static_cast<int64_t>(k) * 7 * S + i % 3 * 1000);
  return files;
}

using SetRow = std::tuple<std::string, std::string, int64_t, int64_t, int64_t>;
std::vector<SetRow> sets_in(const Store& store) {
  const ClockMatchSetTable& table = store.clock_match_sets;
  std::vector<SetRow> rows;
  for (size_t row = 0; row < table.rows(); ++row)
    rows.emplace_back(store.strings.get(table.kind[row]), store.strings.get(table.verdict[row]),
                      table.used[row], table.offset_ns[row].value, table.bound_ns[row].value);
  return rows;
}

TEST(KeptContent, RelatesClocksAsTheEventsDo) {
  std::deque<File> files = marked_files();
  const std::vector<FileToLocate> all = files_to_locate(files);
  MachineRegistry registry;
  registry.files.emplace_back();
  for (uint32_t file = 1; file < all.size(); ++file) {
    registry.files.emplace_back().base = MachineId{file};
    registry.files.back().by_raw_id[0] = registry.files.back().base;
  }
  align::KeptContent kept(all, make_trackers(all, registry));
  Store by_events, by_kept, again;
  ASSERT_TRUE(locate(all, nullptr, {}, by_events));
  ASSERT_TRUE(locate(all, nullptr, {}, by_kept, &kept));
  ASSERT_TRUE(locate(all, nullptr, {}, again, &kept));
  ASSERT_EQ(sets_in(by_events).size(), 1U);
  EXPECT_EQ(std::get<1>(sets_in(by_events)[0]), "used");
  EXPECT_EQ(sets_in(by_kept), sets_in(by_events));
  EXPECT_EQ(sets_in(again), sets_in(by_events));
}

}  // namespace
}  // namespace tracebraid::located_files
