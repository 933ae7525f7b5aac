#include "tables/image.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <string>

namespace tracebraid {
namespace {

// Keeps parts in memory, aligned as in a file.
class Parts final : public PartSink {
 public:
  Result<> append(std::string_view bytes) override {
    open_ += bytes;
    return {};
  }
  void end_part() override { all_.push_back(std::exchange(open_, {})); }

  // Copies each part into memory of its own size, so that the sanitizer finds reads beyond it.
  std::vector<std::string_view> views() {
    copies_.clear();
    std::vector<std::string_view> views;
    for (const std::string& part : all_) {
      copies_.push_back(std::make_unique<char[]>(part.size()));
      std::memcpy(copies_.back().get(), part.data(), part.size());
      views.emplace_back(copies_.back().get(), part.size());
    }
    return views;
  }
  std::vector<std::string>& all() { return all_; }

 private:
  std::vector<std::string> all_;
  std::string open_;
  std::vector<std::unique_ptr<char[]>> copies_;
};

// Views all parts and runs all checks.
Result<> view_and_check(std::span<const std::string_view> parts, Store& store) {
  TB_TRY_ASSIGN(const std::vector<TableImage> tables,
                view_image(parts, store, [](size_t) { return true; }));
  for (const TableImage& table : tables)
    for (const auto& check : table.checks)
      if (!check()) return fail(ErrorCode::BadInput, "damaged");
  return {};
}

void fill(Store& store) {
  const auto text = [&](std::string_view of) { return store.strings.intern(of); };
  store.machines.raw_id.append(0);
  for (auto* column :
       {&store.machines.name, &store.machines.sysname, &store.machines.release,
        &store.machines.version, &store.machines.arch, &store.machines.android_build_fingerprint,
        &store.machines.android_device_manufacturer})
    column->append(text("machine"));
  for (auto* column : {&store.machines.num_cpus, &store.machines.android_sdk_version,
                       &store.machines.system_ram_bytes, &store.machines.system_ram_gb})
    column->append({});
  TrackTable& tracks = store.tracks;
  tracks.name.append(text("track"));
  tracks.type.append(text("type"));
  tracks.event_type.append(text("slice"));
  tracks.counter_unit.append({});
  tracks.machine_id.append(0);
  for (auto* column :
       {&tracks.parent_id, &tracks.source_arg_set_id, &tracks.dimension_arg_set_id,
        &tracks.track_group_id, &tracks.utid, &tracks.upid, &tracks.trace_id, &tracks.clock_id})
    column->append({});
  store.args.keys = {{text("flat"), text("key")}, {text("n"), text("n")}};
  for (int64_t i = 0; i < 5000; ++i) {
    const ArgRow args[] = {{text("value" + std::to_string(i % 7)).row, 0, ArgType::String, false},
                           {i * 1000, 1, ArgType::Int, true}};
    SliceTable& slices = store.slices;
    slices.ts.append(i * 1'000'000);
    slices.dur.append(i % 3 == 0 ? -1 : i);
    slices.track_id.append(0);
    slices.category.append({});
    slices.name.append(text("name" + std::to_string(i % 100)));
    slices.depth.append(0);
    slices.parent_id.append(i == 0 ? OptRow{} : OptRow{static_cast<uint32_t>(i - 1)});
    // Some sets have no row in `args`.
    const ArgRow null[] = {{0, 1, ArgType::Null, true, true}};
    slices.arg_set_id.append({i % 40 == 7 ? store.args.add(null) : store.args.add(args)});
    if (i % 50 == 0) slices.thread_ts.set(static_cast<size_t>(i), i);
  }
  const uint32_t pairs = store.args.add_combinations(2);
  const int64_t pair[] = {text("combined").row, 5};
  store.args.add_combination(pairs, pair);
  const ArgPart part{.combinations = pairs, .args = {{0, ArgType::String}, {1, ArgType::Int}}};
  const ArgPart value{.args = {{1, ArgType::Int}}};
  const uint32_t layout = store.args.add_parted_layout(std::array{part, value});
  for (int64_t i = 0; i < 3000; ++i) store.args.add_parts(layout, std::array{int64_t{0}, i});
  store.trace_start = 5;
  store.trace_end = 7;
}

// All cells of all tables as one text.
std::string dump(const Store& store) {
  std::string text;
  for (const TableView& view : store.views())
    for (size_t row = 0; row < view.rows; ++row)
      for (const ColumnView& column : view.columns) {
        const Cell value = cell(column, row, store.strings);
        text += std::to_string(static_cast<int>(value.kind)) + std::to_string(value.integer) +
                std::to_string(value.real) + std::string(value.text) + '\n';
      }
  return text;
}

TEST(Image, IsTheStoreAgain) {
  Store store, viewed;
  fill(store);
  Parts parts;
  ASSERT_TRUE(write_image(store, parts));
  const auto views = parts.views();
  const Result<> done = view_and_check(views, viewed);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(dump(viewed), dump(store));
  EXPECT_EQ(viewed.trace_start, 5);
  EXPECT_EQ(viewed.trace_end, 7);
  EXPECT_EQ(viewed.strings.find("name42"), store.strings.find("name42"));
  EXPECT_FALSE(viewed.strings.find("no such name"));
}

TEST(Image, MissingAndCutPartsAreErrors) {
  Store store;
  fill(store);
  Parts parts;
  ASSERT_TRUE(write_image(store, parts));
  const auto views = parts.views();
  for (size_t count = 0; count < views.size(); ++count) {
    Store viewed;
    EXPECT_FALSE(view_and_check(std::span(views).first(count), viewed)) << count;
  }
  for (size_t part = 0; part < views.size(); ++part) {
    if (views[part].empty()) continue;
    auto cut = views;
    cut[part].remove_suffix(1);
    Store viewed;
    EXPECT_FALSE(view_and_check(cut, viewed)) << part;
  }
}

// Returns whether a store with the change of `change` opens.
template <class Change>
bool opens_with(Change change) {
  Store store, viewed;
  fill(store);
  change(store);
  Parts parts;
  EXPECT_TRUE(write_image(store, parts));
  const auto views = parts.views();
  return view_and_check(views, viewed).has_value();
}

TEST(Image, RowsOfOtherTablesAreThere) {
  const auto with_sample = [](OptRow task, OptRow execution, OptRow session) {
    return opens_with([=](Store& store) {
      store.profiler_task_contexts.upid.append({});
      store.profiler_task_contexts.utid.append({});
      store.profiler_task_contexts.async_context_id.append({});
      store.profiler_execution_contexts.ucpu.append({});
      store.profiler_execution_contexts.cpu_mode.append({});
      ProfilerSampleTable& samples = store.profiler_samples;
      samples.ts.append(1);
      samples.task_context_id.append(task);
      samples.execution_context_id.append(execution);
      samples.session_id.append(session);
      for (auto* column : {&samples.source, &samples.unwind_error}) column->append({});
      for (auto* column : {&samples.callsite_id, &samples.counter_set_id}) column->append({});
    });
  };
  EXPECT_TRUE(with_sample({0}, {0}, {}));
  EXPECT_FALSE(with_sample({1}, {0}, {}));
  EXPECT_FALSE(with_sample({0}, {1}, {}));
  EXPECT_FALSE(with_sample({0}, {0}, {0}));
  EXPECT_FALSE(opens_with([](Store& store) {
    store.profiler_task_contexts.upid.append({});
    store.profiler_task_contexts.utid.append({});
    store.profiler_task_contexts.async_context_id.append({0});
  }));
}

TEST(Image, ChainsOfParentsEnd) {
  const auto with_parents = [](std::initializer_list<uint32_t> parents) {
    return opens_with([=](Store& store) {
      for (const uint32_t parent : parents) {
        store.profiler_async_contexts.name.append({});
        store.profiler_async_contexts.kind.append({});
        store.profiler_async_contexts.parent_id.append({parent});
      }
    });
  };
  constexpr uint32_t kNone = OptRow::kNull;
  EXPECT_TRUE(with_parents({kNone, 0, 1, 1}));
  EXPECT_TRUE(with_parents({1, 2, kNone, 0}));
  EXPECT_FALSE(with_parents({0}));
  EXPECT_FALSE(with_parents({kNone, 2, 3, 1}));
  EXPECT_FALSE(with_parents({kNone, 4}));
}

// Any parts that open can be read, whatever their bytes.
TEST(Image, DamageNeverLeadsOutOfTheParts) {
  Store store;
  fill(store);
  Parts parts;
  ASSERT_TRUE(write_image(store, parts));
  std::mt19937_64 random(1);
  int opened = 0;
  for (int i = 0; i < 300; ++i) {
    std::string& part = parts.all()[random() % parts.all().size()];
    if (part.empty()) continue;
    const std::string before = part;
    for (int change = 0; change < 3; ++change)
      part[random() % part.size()] = static_cast<char>(random());
    Store viewed;
    const auto views = parts.views();
    if (view_and_check(views, viewed)) {
      ++opened;
      if (i % 20 == 0) {
        EXPECT_FALSE(dump(viewed).empty());
      }
    }
    part = before;
  }
  EXPECT_GT(opened, 0);
}

}  // namespace
}  // namespace tracebraid
