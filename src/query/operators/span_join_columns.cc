#include "query/operators/span_join_columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <limits>
#include <optional>

#include "base/pages.h"
#include "base/words.h"
#include "base/workers.h"
#include "query/operators/span_inputs.h"
#include "query/operators/span_sweep.h"
#include "query/operators/task_stop.h"
#include "query/scan/query_stats.h"

namespace tracebraid {
namespace {

constexpr size_t kSpansOfChunk = size_t{1} << 18;
constexpr size_t kRowsAtOnce = size_t{1} << 16;  // computed before memory is counted
constexpr size_t kRowsPerRead = 1024;
constexpr size_t kRowsOfAnyJoin = size_t{1} << 20;

// Columns of the result.
constexpr size_t kTs = 0, kDur = 1;

// All rows of a span join, by partition and ts.
class SpanJoinColumns {
 public:
  SpanJoinColumns(const SpanTable& definition, const OperatorContext& context)
      : definition_(definition),
        context_(context),
        inputs_(definition_, context),
        memory_(context.memory) {}
  SpanJoinColumns(const SpanJoinColumns&) = delete;
  SpanJoinColumns& operator=(const SpanJoinColumns&) = delete;

  // Errors: Sql, those of the StopCheck, Limit.
  // Adds the statistics to `entry`, which may be null.
  Result<> compute(uint64_t columns_read, QueryStats::Operator* entry);
  // Returns false if there are too many rows. Requires: compute() succeeded.
  bool make_table(std::string_view name, uint64_t columns_read);
  // Requires: make_table() returned true.
  const Table& table() const { return *table_; }
  size_t rows() const { return rows_; }

 private:
  // Consecutive partitions.
  struct Chunk {
    std::vector<SpanPartition> inputs;     // until `rows` are computed
    std::vector<int64_t> partitions = {};  // of `rows`
    std::vector<size_t> ends = {};         // of the rows of each partition, in `rows`
    std::vector<SpanPair> rows = {};
    size_t spans = 0, first = 0;  // of the inputs; row of the result
  };
  struct Column {
    const SpanJoinColumns* of;
    size_t index;
    const GatheredColumn* values = nullptr;  // null for ts, dur and the partition
    // The id of each text of `values` in the pool of the table; empty: they are the same.
    std::vector<uint32_t> ids = {};
  };

  Result<> fill(Chunk& chunk);
  size_t chunk_of(size_t row) const;
  void add_texts(Column& column);
  void read(const Column& column, size_t first, std::span<int64_t> values,
            std::span<bool> valid) const;
  void read_chunk(const Column& column, const Chunk& chunk, size_t first, std::span<int64_t> values,
                  std::span<bool> valid) const;
  void read_partitions(const Chunk& chunk, size_t first, std::span<int64_t> values) const;
  void read_input(const Column& column, std::span<const SpanPair> rows, std::span<int64_t> values,
                  std::span<bool> valid) const;
  static Cell cell(const void* data, size_t row, const StringPool& strings);

  const SpanTable definition_;
  const OperatorContext& context_;
  SpanInputs inputs_;
  OperatorMemory memory_;
  std::vector<Chunk> chunks_;
  size_t rows_ = 0;
  std::atomic<size_t> computed_ = 0;  // rows
  size_t most_rows_ = 0;
  mutable std::atomic<size_t> chunk_ = 0;  // of the row that was read last
  std::deque<Column> columns_;
  std::string name_;
  StringPool strings_;  // if the texts are not all in one pool
  std::optional<Table> table_;
};

Result<> SpanJoinColumns::compute(uint64_t columns_read, QueryStats::Operator* entry) {
  TB_TRY(inputs_.gather(std::nullopt, columns_read));
  for (size_t i = definition_.common_columns(); i < definition_.names.size(); ++i) {
    const GatheredColumn* const values = inputs_.column(i - definition_.common_columns());
    if (values != nullptr && !values->type())
      return fail(ErrorCode::Sql, "a column has values that a table does not store");
  }
  const TimeOf time(entry == nullptr ? nullptr : &entry->time);
  TB_TRY(inputs_.sort());
  inputs_.start(std::nullopt);
  PacedStopCheck check(*context_.stop);
  while (const std::optional<SpanPartition> next = inputs_.next()) {
    if (check.stopped()) return tl::unexpected(check.error());
    const size_t spans = next->left.size() + next->right.size();
    if (chunks_.empty() || chunks_.back().spans + spans > kSpansOfChunk) chunks_.emplace_back();
    chunks_.back().inputs.push_back(*next);
    chunks_.back().spans += spans;
  }
  // Intervals of an input that do not overlap have no more rows than this.
  most_rows_ = 2 * (inputs_.rows_of_left() + inputs_.rows_of_right()) + kRowsOfAnyJoin;
  std::vector<Result<>> filled(chunks_.size());
  Workers workers(chunks_.size() > 1 ? context_.threads : 1);
  workers.run(chunks_.size(), [&](size_t i) { filled[i] = fill(chunks_[i]); });
  for (const Result<>& done : filled) TB_TRY(done);
  for (Chunk& chunk : chunks_) {
    chunk.first = rows_;
    rows_ += chunk.rows.size();
  }
  std::erase_if(chunks_, [](const Chunk& chunk) { return chunk.rows.empty(); });
  inputs_.drop_spans();
  if (entry == nullptr) return {};
  ++entry->starts;
  entry->rows_scanned += inputs_.rows_of_left() + inputs_.rows_of_right();
  entry->rows_found += rows_;
  return {};
}

Result<> SpanJoinColumns::fill(Chunk& chunk) {
  constexpr size_t kPartitionBytes = sizeof(SpanPartition) + sizeof(int64_t) + sizeof(size_t);
  TB_TRY(memory_.take(chunk.inputs.size() * kPartitionBytes));
  reserve_in_huge_pages(chunk.rows, chunk.spans);
  size_t counted = 0;
  const auto count = [&]() -> Result<> {
    const size_t added = chunk.rows.size() - counted;
    counted += added;
    if ((computed_ += added) > most_rows_)
      return fail(ErrorCode::Limit, "a span join has too many rows for a table");
    return memory_.take(added * sizeof(SpanPair));
  };
  for (size_t i = 0; i < chunk.inputs.size(); ++i) {
    if (is_stopped_before(i, *context_.stop)) return tl::unexpected(context_.stop->error());
    const SpanPartition& input = chunk.inputs[i];
    SpanSweep sweep(definition_.join, input.left, input.right);
    while (!sweep.done()) {
      if (!sweep.fill(chunk.rows, chunk.rows.size() + kRowsAtOnce, *context_.stop))
        return tl::unexpected(context_.stop->error());
      TB_TRY(count());
    }
    chunk.partitions.push_back(input.partition);
    chunk.ends.push_back(chunk.rows.size());
  }
  chunk.inputs = {};
  return {};
}

bool SpanJoinColumns::make_table(std::string_view name, uint64_t columns_read) {
  if (rows_ > std::numeric_limits<uint32_t>::max()) return false;
  const size_t common = definition_.common_columns();
  for (size_t i = 0; i < common; ++i) columns_.push_back({this, i});
  TableView view{name_ = name, "", rows_, {}};
  const StringPool* strings = nullptr;
  bool has_one_pool = true;
  const auto add = [&](size_t index, std::string_view of) {
    view.columns.push_back({.name = of, .type = CellType::Computed});
    if (index < common) return;
    Column& column = columns_.emplace_back(Column{this, index, inputs_.column(index - common)});
    if (!is_read(columns_read, index)) column.values = nullptr;
    if (column.values == nullptr) return;
    view.columns.back().sql_type = *column.values->type();
    if (view.columns.back().sql_type != SqlType::Text) return;
    const StringPool* const pool = column.values->strings();
    has_one_pool &= pool != nullptr && (strings == nullptr || strings == pool);
    strings = pool;
  };
  for (size_t i = 0; i < definition_.names.size(); ++i) add(i, definition_.names[i]);
  if (!has_one_pool || strings == nullptr) strings = &strings_;
  for (size_t i = 0; i < view.columns.size(); ++i) {
    ColumnView& shown = view.columns[i];
    Column& column = columns_[i];
    if (i >= common && column.values == nullptr) continue;
    if (shown.sql_type == SqlType::Text && strings == &strings_) add_texts(column);
    shown.data = &column;
    shown.compute = cell;
    shown.read = [](const void* data, size_t first, std::span<int64_t> values,
                    std::span<bool> valid) {
      const Column& of = *static_cast<const Column*>(data);
      of.of->read(of, first, values, valid);
    };
  }
  table_.emplace(std::move(view), *strings);
  return true;
}

// Adds the texts of an input to the pool of the table, unless stopped.
void SpanJoinColumns::add_texts(Column& column) {
  constexpr uint32_t kNone = ~uint32_t{0};
  const GatheredColumn& values = *column.values;
  std::array<int64_t, kRowsPerRead> codes{};
  std::array<bool, kRowsPerRead> valid{};
  std::array<uint32_t, kRowsPerRead> rows{};
  const size_t count = inputs_.is_left(column.index - definition_.common_columns())
                           ? inputs_.rows_of_left()
                           : inputs_.rows_of_right();
  PacedStopCheck check(*context_.stop);
  for (size_t first = 0; first < count; first += kRowsPerRead) {
    if (check.stopped(kRowsPerRead)) return;
    const size_t size = std::min(kRowsPerRead, count - first);
    for (size_t i = 0; i < size; ++i) rows[i] = static_cast<uint32_t>(first + i);
    values.read_rows(std::span(rows).first(size), codes, valid);
    for (size_t i = 0; i < size; ++i) {
      if (!valid[i]) continue;
      const auto code = static_cast<size_t>(codes[i]);
      if (code >= column.ids.size())
        column.ids.resize(std::max(code + 1, 2 * column.ids.size()), kNone);
      if (column.ids[code] == kNone)
        column.ids[code] = strings_.intern(values.cell(first + i).text).row;
    }
  }
}

size_t SpanJoinColumns::chunk_of(size_t row) const {
  const size_t last = chunk_.load(std::memory_order_relaxed);
  const Chunk& chunk = chunks_[last];
  if (chunk.first <= row && row < chunk.first + chunk.rows.size()) return last;
  const auto behind = std::ranges::upper_bound(chunks_, row, {}, &Chunk::first);
  const auto found = static_cast<size_t>(behind - chunks_.begin()) - 1;
  chunk_.store(found, std::memory_order_relaxed);
  return found;
}

void SpanJoinColumns::read(const Column& column, size_t first, std::span<int64_t> values,
                           std::span<bool> valid) const {
  for (size_t done = 0; done < values.size();) {
    const Chunk& chunk = chunks_[chunk_of(first + done)];
    const size_t row = first + done - chunk.first;
    const size_t count = std::min({values.size() - done, chunk.rows.size() - row, kRowsPerRead});
    read_chunk(column, chunk, row, values.subspan(done, count), valid.subspan(done, count));
    done += count;
  }
}

// Requires: at most kRowsPerRead values.
void SpanJoinColumns::read_chunk(const Column& column, const Chunk& chunk, size_t first,
                                 std::span<int64_t> values, std::span<bool> valid) const {
  const std::span rows = std::span(chunk.rows).subspan(first, values.size());
  if (column.values != nullptr) return read_input(column, rows, values, valid);
  std::ranges::fill(valid, true);
  if (column.index == kTs)
    std::ranges::transform(rows, values.begin(), &SpanPair::ts);
  else if (column.index == kDur)
    std::ranges::transform(rows, values.begin(), &SpanPair::dur);
  else
    read_partitions(chunk, first, values);
}

void SpanJoinColumns::read_partitions(const Chunk& chunk, size_t first,
                                      std::span<int64_t> values) const {
  auto at = static_cast<size_t>(std::ranges::upper_bound(chunk.ends, first) - chunk.ends.begin());
  for (size_t done = 0; done < values.size(); ++at) {
    const size_t count = std::min(values.size() - done, chunk.ends[at] - first - done);
    std::ranges::fill(values.subspan(done, count), chunk.partitions[at]);
    done += count;
  }
}

void SpanJoinColumns::read_input(const Column& column, std::span<const SpanPair> rows,
                                 std::span<int64_t> values, std::span<bool> valid) const {
  const bool is_left = inputs_.is_left(column.index - definition_.common_columns());
  std::array<uint32_t, kRowsPerRead> read{};
  uint32_t any = SpanPair::kNone;  // a row of the input
  for (size_t i = 0; i < rows.size(); ++i) {
    read[i] = is_left ? rows[i].left : rows[i].right;
    if (read[i] != SpanPair::kNone) any = read[i];
  }
  if (any == SpanPair::kNone) return static_cast<void>(std::ranges::fill(valid, false));
  std::array<bool, kRowsPerRead> is_row{};
  for (size_t i = 0; i < rows.size(); ++i) {
    is_row[i] = read[i] != SpanPair::kNone;
    if (!is_row[i]) read[i] = any;
  }
  column.values->read_rows(std::span(read).first(rows.size()), values, valid);
  for (size_t i = 0; i < rows.size(); ++i) {
    valid[i] = valid[i] && is_row[i];
    if (valid[i] && !column.ids.empty()) values[i] = column.ids[static_cast<size_t>(values[i])];
  }
}

Cell SpanJoinColumns::cell(const void* data, size_t row, const StringPool& strings) {
  const Column& column = *static_cast<const Column*>(data);
  int64_t value = 0;
  bool is_valid = false;
  column.of->read(column, row, {&value, 1}, {&is_valid, 1});
  if (!is_valid) return Cell::null();
  const SqlType type = column.of->table_->view().columns[column.index].sql_type;
  return type == SqlType::Text ? Cell::of(strings.get({static_cast<uint32_t>(value)}))
                               : Cell::of(value);
}

// Returns the type that values of a column with this declared type probably have.
SqlType probable_type(std::string_view declared) {
  const std::string type = in_lower_case(declared);
  const auto has = [&](std::string_view part) { return type.find(part) != std::string::npos; };
  if (has("char") || has("clob") || has("text")) return SqlType::Text;
  return has("real") || has("floa") || has("doub") ? SqlType::Real : SqlType::Integer;
}

// Refers to the names of the definition.
std::shared_ptr<const Table> shape_of(const SpanTable& definition) {
  // The number of rows is unknown. That of a large table lets the push-down choose it.
  constexpr size_t kRows = 1'000'000;
  struct Shape {
    StringPool strings;
    std::optional<Table> table;
  };
  auto shape = std::make_shared<Shape>();
  TableView view{"", "", kRows, {}};
  for (const std::string& name : definition.names)
    view.columns.push_back({.name = name, .type = CellType::Computed});
  size_t at = definition.common_columns();
  for (const SpanSide* side : {&definition.left, &definition.right})
    for (const SpanSide::Column& column : side->others)
      view.columns[at++].sql_type = probable_type(column.type);
  for (ColumnView& column : view.columns)
    if (column.sql_type != SqlType::Real)
      column.read = [](const void*, size_t, std::span<int64_t>, std::span<bool>) {};
  shape->table.emplace(std::move(view), shape->strings);
  return {shape, &*shape->table};
}

Result<std::shared_ptr<const Table>> table_of(const SpanTable& definition, const std::string& name,
                                              const OperatorContext& context,
                                              uint64_t columns_read) {
  auto rows = std::make_shared<SpanJoinColumns>(definition, context);
  QueryStats* const stats = context.stats == nullptr ? nullptr : *context.stats;
  QueryStats::Operator* const entry =
      stats == nullptr ? nullptr : &stats->at("span join", name, "all rows");
  const Result<> done = rows->compute(columns_read, entry);
  if (!done && done.error().code != ErrorCode::Sql && done.error().code != ErrorCode::Limit)
    return tl::unexpected(done.error());
  if (!done || !rows->make_table(name, columns_read)) return nullptr;
  if (context.stop->stopped()) return tl::unexpected(context.stop->error());
  return std::shared_ptr<const Table>(rows, &rows->table());
}

}  // namespace

OperatorTable span_join_columns(const SpanTable& definition, std::string_view name,
                                const OperatorContext& context) {
  constexpr size_t kPartition = 2;
  const auto partition = definition.is_partitioned() ? std::optional(kPartition) : std::nullopt;
  return {shape_of(definition), partition,
          [&definition, &context, name = std::string(name)](uint64_t read) {
            return table_of(definition, name, context, read);
          }};
}

}  // namespace tracebraid
