#include "tables/image.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tables/all_tables.h"
#include "tables/image_args.h"
#include "tables/references.h"

namespace tracebraid {
namespace {

struct StoredBounds {
  int64_t trace_start, trace_end;
  uint32_t timeline_machine, pad = 0;
};

Error broken(std::string_view what) {
  return {ErrorCode::BadInput, "damaged: " + std::string(what)};
}

// The number of rows of each table, by its name in SQL.
using RowCounts = std::map<std::string_view, size_t>;

RowCounts row_counts(Store& store) {
  RowCounts counts;
  for_each_table(store, [&](auto& table) {
    const TableView view = table.view();
    counts[view.name] = view.rows;
  });
  // The table has rows for known CPUs only; references may lie beyond them.
  size_t& cpus = counts["__intrinsic_cpu"];
  cpus = std::max(cpus, store.machines.rows() * 4096);
  return counts;
}

template <class T>
bool is_below(T value, size_t limit) {
  if constexpr (std::is_same_v<T, StringId>)
    return value.row < limit || !value;
  else if constexpr (std::is_same_v<T, OptRow>)
    return value.row < limit || value.row == OptRow::kNull;
  else
    return value < limit;
}

template <class T>
bool are_below(const Column<T>& column, size_t limit) {
  return std::ranges::all_of(column.values(), [limit](T value) { return is_below(value, limit); });
}

// Returns whether rows from `first` on are between two limits; reads them at once.
bool are_between(const PackedInts& ints, size_t first, size_t count, int64_t least, int64_t limit) {
  std::array<int64_t, PackedInts::kBlockRows> values;
  ints.read(first, std::span(values).first(count));
  bool are_outside = false;
  for (size_t i = 0; i < count; ++i) are_outside |= values[i] < least || values[i] >= limit;
  return !are_outside;
}

// The limits of most blocks are valid, so their rows need not be read.
template <class T>
bool are_below(const PackedColumn<T>& column, size_t limit) {
  constexpr int64_t kLeast = std::is_same_v<T, uint32_t> ? 0 : -1;  // NULL
  constexpr uint64_t kSteep = uint64_t{1} << 50;  // where the line of a block could overflow
  const PackedInts& ints = column.ints();
  for (size_t block = 0; block < ints.blocks(); ++block) {
    const PackedInts::BlockView& bounds = ints.block(block);
    if (static_cast<int64_t>(bounds.base) >= kLeast && bounds.slope < kSteep &&
        (kLeast < 0 || !bounds.has_nulls) && ints.none_above(block) < static_cast<int64_t>(limit))
      continue;
    const size_t begin = block * PackedInts::kBlockRows;
    const size_t end = std::min(column.size(), begin + PackedInts::kBlockRows);
    if (are_between(ints, begin, end - begin, kLeast, static_cast<int64_t>(limit))) continue;
    for (size_t row = begin; row < end; ++row)
      if (!is_below(column[row], limit)) return false;
  }
  return true;
}

// Following parents always ends at a row without a parent.
template <class AnyColumn>
bool are_chains_ending(const AnyColumn& parents) {
  constexpr uint32_t kEnds = OptRow::kNull;
  std::vector<uint32_t> seen_from(parents.size(), kEnds - 1);
  for (uint32_t row = 0; row < parents.size(); ++row) {
    uint32_t at = row;
    for (; at < parents.size() && seen_from[at] != kEnds; at = parents[at].row) {
      if (seen_from[at] == row) return false;
      seen_from[at] = row;
    }
    for (at = row; at < parents.size() && seen_from[at] != kEnds; at = parents[at].row)
      seen_from[at] = kEnds;
  }
  return true;
}

template <class AnyColumn>
void check_rows(const AnyColumn& column, size_t limit, Checks& checks) {
  checks.push_back([&column, limit] { return are_below(column, limit); });
}

class Checker {
 public:
  Checker(std::string_view table, size_t own_rows, const RowCounts& counts, size_t strings,
          Checks& checks)
      : table_(table), own_rows_(own_rows), counts_(counts), strings_(strings), checks_(checks) {}

  template <class T>
  void column(std::string_view name, const Column<T>& column) {
    add<T>(name, column);
  }
  template <class T>
  void column(std::string_view name, const PackedColumn<T>& column) {
    add<T>(name, column);
  }
  void column(std::string_view, const SparseColumn& column) {
    checks_.push_back([rows = column.rows(), limit = own_rows_] {
      return std::ranges::is_sorted(rows) && (rows.empty() || rows.back() < limit);
    });
  }
  bool ok() const { return ok_; }

 private:
  template <class T, class AnyColumn>
  void add(std::string_view name, const AnyColumn& column) {
    ok_ &= column.size() == own_rows_;
    if constexpr (std::is_same_v<T, StringId>) {
      check_rows(column, strings_, checks_);
    } else if constexpr (std::is_same_v<T, OptRow> || std::is_same_v<T, uint32_t>) {
      const std::string_view referenced = referenced_table(table_, name);
      if (!referenced.empty()) check_rows(column, counts_.at(referenced), checks_);
    }
  }

  std::string_view table_;
  size_t own_rows_;
  const RowCounts& counts_;
  size_t strings_;
  Checks& checks_;
  bool ok_ = true;
};

}  // namespace

// The strings: their bytes with lengths, their offsets, and their hash table.
struct StringsImage {
  static void write(const StringPool& pool, PartWriter& out) {
    std::vector<uint64_t> starts;
    uint64_t at = 0;
    for (uint32_t row = 0; row < pool.size(); ++row) {
      starts.push_back(at);
      at += sizeof(uint32_t) + pool.get({row}).size();
    }
    out.values(std::span<const uint64_t>(starts));
    // The length of each lies before it in the pool, too.
    for (uint32_t row = 0; row < pool.size(); ++row)
      out.append({pool.entries_[row], sizeof(uint32_t) + pool.get({row}).size()});
    out.end();
    out.values(std::span<const StringPool::Slot>(pool.slots_));
  }

  static void view(PartReader& in, StringPool& pool) {
    const auto starts = in.values<uint64_t>(Read::Here);
    const std::string_view bytes = in.part(Read::Here);
    const auto slots = in.values<StringPool::Slot>(Read::Here);
    if (!in.ok() || !are_sound(starts, bytes, slots)) return in.fail();
    pool.entries_.reserve(starts.size());
    for (const uint64_t start : starts) pool.entries_.push_back(bytes.data() + start);
    pool.slots_.assign(slots.begin(), slots.end());
  }

 private:
  static bool are_sound(std::span<const uint64_t> starts, std::string_view bytes,
                        std::span<const StringPool::Slot> slots) {
    for (const uint64_t start : starts) {
      uint32_t size = 0;
      if (start > bytes.size() || bytes.size() - start < sizeof size) return false;
      std::memcpy(&size, bytes.data() + start, sizeof size);
      if (bytes.size() - start - sizeof size < size) return false;
    }
    // Some slots must be free to end a search.
    size_t used = 0;
    for (const StringPool::Slot& slot : slots) {
      if (slot.row == StringId::kNone) continue;
      if (slot.row >= starts.size()) return false;
      ++used;
    }
    const bool is_power = (slots.size() & (slots.size() - 1)) == 0;
    return is_power && used == starts.size() && (slots.empty() || used < slots.size());
  }
};

uint64_t schema_key() {
  std::string text = std::to_string(sizeof(StoredBlock)) + std::to_string(sizeof(ArgKey)) +
                     std::to_string(size_of_arg_shape());
  for (const TableView& view : Store().views()) {
    text += view.name;
    for (const ColumnView& column : view.columns) {
      text += ' ';
      text += column.name;
      text += static_cast<char>('0' + static_cast<int>(column.type));
      text += column.packed != nullptr ? 'p' : ' ';
    }
    text += '\n';
  }
  return XXH3_64bits(text.data(), text.size());
}

Result<> write_image(const Store& store, PartSink& parts) {
  PartWriter out(parts);
  const StoredBounds bounds{store.trace_start, store.trace_end, store.timeline_machine};
  out.values(std::span(&bounds, 1));
  StringsImage::write(store.strings, out);
  write_args(store.args, out);
  // Visiting needs a mutable store; this code changes nothing.
  for_each_table(const_cast<Store&>(store), [&](auto& table) {
    table.for_each_column([&](std::string_view, const auto& column) { out.column(column); });
  });
  return out.done();
}

Result<std::vector<TableImage>> view_image(std::span<const std::string_view> parts, Store& store,
                                           const std::function<bool(size_t)>& is_whole) {
  PartReader in(parts, is_whole);
  const auto bounds = in.values<StoredBounds>(Read::Here);
  if (bounds.size() != 1) return tl::unexpected(broken("no bounds"));
  store.trace_start = bounds[0].trace_start;
  store.trace_end = bounds[0].trace_end;
  store.timeline_machine = bounds[0].timeline_machine;
  StringsImage::view(in, store.strings);
  std::vector<TableImage> tables{{ArgsTable::kName, in.next(), 0, {}}};
  if (in.ok()) view_args(in, store.args, tables[0].checks, store.strings);
  tables[0].end = in.next();
  for_each_table(store, [&](auto& table) {
    const size_t begin = in.next();
    table.for_each_column([&](std::string_view, auto& column) {
      if (in.ok()) in.column(column);
    });
    tables.push_back({table.view().name, begin, in.next(), {}});
  });
  if (!in.ok() || !in.is_at_end()) return tl::unexpected(broken("its parts do not fit together"));
  for (const ArgKey& key : store.args.keys)
    if (!is_below(key.key, store.strings.size()) || !is_below(key.flat_key, store.strings.size()) ||
        !is_below(key.path, store.strings.size()))
      return tl::unexpected(broken("a key of args has no name"));
  if (store.timeline_machine >= store.machines.rows())
    return tl::unexpected(broken("no machine has the timeline"));
  const RowCounts counts = row_counts(store);
  bool ok = true;
  size_t number = 1;
  for_each_table(store, [&](auto& table) {
    Checker checker(tables[number].table, table.rows(), counts, store.strings.size(),
                    tables[number].checks);
    ++number;
    table.for_each_column(
        [&](std::string_view name, auto& column) { checker.column(name, column); });
    ok &= checker.ok();
    using Table = std::remove_cvref_t<decltype(table)>;
    // Code follows the parents of these rows to the root.
    if constexpr (std::is_same_v<Table, StackCallsiteTable> ||
                  std::is_same_v<Table, ProfilerAsyncContextTable>)
      tables[number - 1].checks.push_back([&table] { return are_chains_ending(table.parent_id); });
    // Steps of async slices are one below the deepest slice.
    if constexpr (std::is_same_v<Table, SliceTable>)
      tables[number - 1].checks.push_back(
          [&table] { return are_below(table.depth, kMaxSliceDepth + 1); });
  });
  if (!ok) return tl::unexpected(broken("columns of a table differ in length"));
  return tables;
}

}  // namespace tracebraid
