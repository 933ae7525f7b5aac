#include "query/operators/mipmap.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>

#include "base/pages.h"
#include "query/operators/mipmap_rows.h"
#include "query/operators/operator_module.h"
#include "query/operators/relation_columns.h"
#include "query/operators/source_query.h"
#include "query/scan/stoppable_sort.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr const char* kWindow =
    "in_window_start BIGINT HIDDEN, in_window_end BIGINT HIDDEN, in_window_step BIGINT HIDDEN)";

struct Counters {
  static constexpr const char* kName = "counter_mipmap";
  static constexpr const char* kModule = "__intrinsic_counter_mipmap";
  static constexpr std::string_view kColumns =
      "CREATE TABLE x(min_value DOUBLE, max_value DOUBLE, last_ts BIGINT, last_value DOUBLE, ";
  static constexpr int kCount = 4;
  using Row = CounterStep;

  std::vector<CounterSample> samples;

  Result<> load(const GatheredRows& rows, const OperatorContext& context) {
    TB_TRY_ASSIGN(const std::vector<size_t> at, columns_of_source(rows, kName, {"ts", "value"}));
    reserve_in_huge_pages(samples, rows.rows);
    PacedStopCheck check(*context.stop);
    for (size_t row = 0; row < rows.rows; ++row) {
      if (check.stopped()) return tl::unexpected(check.error());
      const Cell value = rows.columns[at[1]].cell(row);
      samples.push_back(
          {as_integer(rows.columns[at[0]].cell(row)),
           value.kind == Cell::Kind::Int ? static_cast<double>(value.integer) : value.real});
    }
    return sort_by_ts(samples, context);
  }
  size_t memory() const { return samples.size() * sizeof(CounterSample); }
  bool reduce(const TimeSteps& steps, const StopCheck& stop, std::vector<Row>& rows) const {
    return reduce_counter(samples, steps, stop, rows);
  }
  static Cell cell(const Row& row, int column) {
    switch (column) {
      case 0:
        return Cell::of(row.min);
      case 1:
        return Cell::of(row.max);
      case 2:
        return Cell::of(row.last_ts);
      default:
        return Cell::of(row.last_value);
    }
  }

  template <class Item>
  static Result<> sort_by_ts(std::vector<Item>& items, const OperatorContext& context) {
    const auto is_before = [](const Item& a, const Item& b) { return a.ts < b.ts; };
    if (std::ranges::is_sorted(items, is_before) || stable_sort(items, is_before, *context.stop))
      return {};
    return tl::unexpected(context.stop->error());
  }
};

struct Slices {
  static constexpr const char* kName = "slice_mipmap";
  static constexpr const char* kModule = "__intrinsic_slice_mipmap";
  static constexpr std::string_view kColumns =
      "CREATE TABLE x(ts BIGINT, id BIGINT, count BIGINT, dur BIGINT, depth BIGINT, ";
  static constexpr int kCount = 5;
  using Row = SliceStep;

  std::map<uint32_t, std::vector<MipmapSlice>> by_depth;
  size_t count = 0;

  Result<> load(const GatheredRows& rows, const OperatorContext& context) {
    TB_TRY_ASSIGN(const std::vector<size_t> at,
                  columns_of_source(rows, kName, {"id", "ts", "dur", "depth"}));
    count = rows.rows;
    PacedStopCheck check(*context.stop);
    // Lists that grow step by step are copied again and again.
    std::map<int64_t, size_t> counts;
    for (size_t row = 0; row < rows.rows; ++row) {
      if (check.stopped()) return tl::unexpected(check.error());
      ++counts[as_integer(rows.columns[at[3]].cell(row))];
    }
    for (const auto& [depth, slices] : counts)
      if (depth >= 0 && depth <= int64_t{UINT32_MAX})
        reserve_in_huge_pages(by_depth[static_cast<uint32_t>(depth)], slices);
    for (size_t row = 0; row < rows.rows; ++row) {
      if (check.stopped()) return tl::unexpected(check.error());
      const auto value = [&](size_t i) { return as_integer(rows.columns[at[i]].cell(row)); };
      for (const size_t i : {size_t{0}, size_t{3}})
        if (value(i) < 0 || value(i) > int64_t{UINT32_MAX})
          return fail(ErrorCode::Sql,
                      fmt::format("slice_mipmap: {} {} is too large to fit in 32 bits",
                                  i == 0 ? "id" : "depth", value(i)));
      const auto depth = static_cast<uint32_t>(value(3));
      by_depth[depth].push_back({value(1), value(2), static_cast<uint32_t>(value(0)), depth});
    }
    for (auto& [depth, slices] : by_depth) TB_TRY(Counters::sort_by_ts(slices, context));
    return {};
  }
  size_t memory() const { return count * sizeof(MipmapSlice); }
  bool reduce(const TimeSteps& steps, const StopCheck& stop, std::vector<Row>& rows) const {
    return std::ranges::all_of(by_depth, [&](const auto& entry) {
      return reduce_slices(entry.second, steps, stop, rows);
    });
  }
  static Cell cell(const Row& row, int column) {
    switch (column) {
      case 0:
        return Cell::of(row.longest.ts);
      case 1:
        return Cell::of(int64_t{row.longest.id});
      case 2:
        return Cell::of(row.count);
      case 3:
        return Cell::of(row.longest.dur);
      default:
        return Cell::of(int64_t{row.longest.depth});
    }
  }
};

template <class Source>
struct Vtab : sqlite3_vtab {
  explicit Vtab(OperatorContext& of) : sqlite3_vtab{}, context(of), memory(of.memory) {}
  OperatorContext& context;
  OperatorMemory memory;
  Source source;
};

template <class Source>
struct Cursor : sqlite3_vtab_cursor {
  std::vector<typename Source::Row> rows;
  std::array<int64_t, 3> window{};
  size_t row = 0;
};

template <class Source>
struct Mipmap {
  using Vtab = tracebraid::Vtab<Source>;
  using Cursor = tracebraid::Cursor<Source>;

  static Vtab& table_of(const Cursor& cursor) { return *static_cast<Vtab*>(cursor.pVtab); }
  static StopCheck& stop_of(void* data) { return *static_cast<OperatorContext*>(data)->stop; }
  static StopCheck& stop_of(const Vtab& vtab) { return *vtab.context.stop; }
  static StopCheck& stop_of(const Cursor& cursor) { return stop_of(table_of(cursor)); }

  static int connect(sqlite3* db, void* data, std::span<const char* const> arguments,
                     std::unique_ptr<Vtab>& made, char** error) {
    auto table = std::make_unique<Vtab>(*static_cast<OperatorContext*>(data));
    const auto load = [&]() -> Result<> {
      TB_TRY_ASSIGN(const GatheredRows rows,
                    rows_of_source(table->context, Source::kName, arguments.subspan(3)));
      TB_TRY(table->source.load(rows, table->context));
      return table->memory.take(table->source.memory());
    };
    if (const Result<> loaded = load(); !loaded)
      return fail_create(error, *table->context.stop, loaded.error());
    made = std::move(table);
    return sqlite3_declare_vtab(db, (std::string(Source::kColumns) + kWindow).c_str());
  }

  static int best_index(Vtab&, sqlite3_index_info& info) {
    constexpr int kArguments = 3;
    if (!take_arguments(info, Source::kCount, kArguments)) return SQLITE_CONSTRAINT;
    info.estimatedCost = 1000;
    info.estimatedRows = 1000;
    return SQLITE_OK;
  }
  static void open(Vtab&, Cursor&) {}
  static int filter(Cursor& cursor, int, const char*, std::span<sqlite3_value*> values) {
    cursor.rows.clear();
    cursor.row = 0;
    for (size_t i = 0; i < cursor.window.size(); ++i)
      cursor.window[i] = sqlite3_value_int64(values[i]);
    const TimeSteps steps{cursor.window[0], cursor.window[1], cursor.window[2]};
    if (steps.step <= 0)
      return fail_with(cursor.pVtab, fmt::format("{}: the step must be positive", Source::kName));
    const StopCheck& stop = stop_of(cursor);
    return table_of(cursor).source.reduce(steps, stop, cursor.rows) ? SQLITE_OK : SQLITE_INTERRUPT;
  }
  static int next(Cursor& cursor) {
    ++cursor.row;
    return SQLITE_OK;
  }
  static bool at_end(const Cursor& cursor) { return cursor.row >= cursor.rows.size(); }
  static sqlite3_int64 row_id(const Cursor& cursor) {
    return static_cast<sqlite3_int64>(cursor.row);
  }
  static int column_value(const Cursor& cursor, sqlite3_context* context, int column) {
    const Cell cell = column < Source::kCount
                          ? Source::cell(cursor.rows[cursor.row], column)
                          : Cell::of(cursor.window[static_cast<size_t>(column - Source::kCount)]);
    set_result(context, cell, false);
    return SQLITE_OK;
  }
};

template <class Source>
Result<> add(OperatorContext& context) {
  static constexpr sqlite3_module module = creatable_module_of<Mipmap<Source>>();
  return add_module(context.db, Source::kModule, module, &context);
}

}  // namespace

Result<> add_mipmaps(OperatorContext& context) {
  TB_TRY(add<Counters>(context));
  return add<Slices>(context);
}

}  // namespace tracebraid
