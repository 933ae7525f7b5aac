#include "query/scan/scan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/pages.h"
#include "query/scan/narrow.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

// Blocks grow, so that LIMIT 1 is cheap and long scans cost little per row.
constexpr size_t kFirstBlockRows = 64;
constexpr size_t kLargestBlockRows = 16384;

// Up to this many rows, selecting is faster than sorting all rows.
constexpr size_t kFewRows = 10'000;

// Returns whether SQLite must evaluate a constraint row by row.
bool is_left_to_sqlite(const PlanTerm& term, std::span<const Cell> values) {
  const auto is_text = [](const Cell& cell) { return cell.kind == Cell::Kind::Text; };
  const auto is_null = [](const Cell& cell) { return cell.kind == Cell::Kind::Null; };
  if (term.op == Op::Glob || term.op == Op::Like)
    return !is_text(values.front()) && !is_null(values.front());
  // Affinities that only SQLite knows may convert texts to numbers or vice versa.
  if (term.constant || term.column->sql_type != SqlType::Text) return false;
  return !std::all_of(values.begin(), values.end(),
                      [&](const Cell& cell) { return is_text(cell) || is_null(cell); });
}

// Returns 0 for columns that are no plain array.
size_t value_bytes(CellType type) {
  switch (type) {
    case CellType::Int64:
    case CellType::OptInt:
    case CellType::Double:
      return 8;
    case CellType::UInt32:
    case CellType::OptRow:
    case CellType::String:
      return 4;
    case CellType::UInt8:
      return 1;
    default:
      return 0;
  }
}

// Orders predicates by cost, cheapest first.
int cost_of(const Predicate& predicate) {
  switch (predicate.kind) {
    case Predicate::Kind::TextTest:
      return 1;
    case Predicate::Kind::CellTest:
    case Predicate::Kind::CellInSet:
      return 2;
    default:
      return 0;
  }
}

}  // namespace

std::string text_of(const ScanCounts& counts) {
  switch (counts.access) {
    case ScanCounts::Access::AllRows:
      break;
    case ScanCounts::Access::RowNumber:
      return "row number";
    case ScanCounts::Access::Search:
      return "search of " + std::string(counts.column->name);
    case ScanCounts::Access::Index: {
      std::string text = "index of " + std::string(counts.column->name);
      for (size_t i = 1; i < counts.served.size(); ++i)
        text += ", " + std::string(counts.served[i]->name);
      return text;
    }
  }
  return "all rows";
}

bool Scan::start(const Table& table, const Plan& plan, std::span<const Operand> operands,
                 const StopCheck& stop, uint32_t columns_read) {
  const TimeOf time(time_);
  reset(table, plan, stop);
  if (!compile_terms(operands) || !narrow()) {
    source_ = {};
    size_ = 0;
    return !stop.stopped();
  }
  add_verdicts();
  if (!arrange(rows_wanted(operands))) return false;
  choose_prefetched(columns_read);
  return true;
}

void Scan::reset(const Table& table, const Plan& plan, const StopCheck& stop) {
  table_ = &table;
  stop_ = &stop;
  plan_ = &plan;
  arrangement_ = plan.arrangement;
  source_ = {.begin = 0, .end = table.rows(), .is_list = false, .list = {}};
  counts_ = {};
  compiled_.clear();
  filters_.clear();
  owned_.clear();
  prefetched_.clear();
  prefetched_packed_.clear();
  run_ = run_end_ = 0;
  contiguous_ = false;
  at_ = size_ = 0;
  block_rows_ = kFirstBlockRows;
}

// Returns false if no row can satisfy all terms.
bool Scan::compile_terms(std::span<const Operand> operands) {
  for (size_t i = 0; i < plan_->terms.size(); ++i) {
    const PlanTerm& term = plan_->terms[i];
    const std::span<const Cell> values = operands[i].values;
    const bool has_operand = term.op != Op::IsNull && term.op != Op::IsNotNull;
    if (narrow_directly(term, values)) continue;
    if (has_operand && is_left_to_sqlite(term, values)) continue;
    Cell number;
    Constraint constraint{term.column, term.op, values};
    const bool converts = has_operand && term.op != Op::In && !term.constant &&
                          term.column->sql_type != SqlType::Text;
    if (converts) {
      number = with_numeric_affinity(values.front());
      constraint.values = {&number, 1};
    }
    if (!compile(constraint, table_->strings(), compiled_)) return false;
  }
  return true;
}

// A short cut for the inner side of joins: `id = 5`, `arg_set_id = 5`.
bool Scan::narrow_directly(const PlanTerm& term, std::span<const Cell> values) {
  const bool equality = term.op == Op::Eq || term.op == Op::Is;
  if (!equality || values.front().kind != Cell::Kind::Int) return false;
  const int64_t value = values.front().integer;
  std::pair<size_t, size_t> rows;
  if (term.column->type == CellType::RowNumber) {
    if (value >= 0 && value < static_cast<int64_t>(table_->rows()))
      rows = {static_cast<size_t>(value), static_cast<size_t>(value) + 1};
  } else if (term.column->rows_of != nullptr) {
    rows = term.column->rows_of(term.column->data, value);
  } else {
    return false;
  }
  source_.begin = std::max(source_.begin, rows.first);
  source_.end = std::min(source_.end, rows.second);
  set_access(*term.column, ScanCounts::Access::Search);
  return true;
}

void Scan::set_access(const ColumnView& column, ScanCounts::Access access) {
  counts_.access = column.type == CellType::RowNumber ? ScanCounts::Access::RowNumber : access;
  counts_.column = &column;
}

// Narrows the scan as far as the predicates allow; the other predicates become filters. Returns
// false if there are no rows.
bool Scan::narrow() {
  RowRange range{source_.begin, source_.end};
  std::erase_if(compiled_, [&](const Predicate& predicate) {
    if (!narrow_range(predicate, *table_, range)) return false;
    set_access(*predicate.column, ScanCounts::Access::Search);
    return true;
  });
  source_.begin = range.begin;
  source_.end = range.end;
  if (range.begin >= range.end) return false;
  if (!narrow_by_ordered_index() && !narrow_by_lookup()) return false;
  if (source_.is_list && source_.list.empty()) return false;
  std::ranges::stable_sort(compiled_, {}, cost_of);
  for (Predicate& predicate : compiled_) filters_.push_back({std::move(predicate), std::nullopt});
  return true;
}

// Takes the rows from an index of several columns. Returns whether it did.
bool Scan::narrow_by_ordered_index() {
  const IndexedRows found = rows_of_ordered_index(*table_, compiled_, source_.end - source_.begin);
  if (found.columns.empty()) return false;
  owned_.clear();
  for (const uint32_t row : found.rows)
    if (row >= source_.begin && row < source_.end) owned_.push_back(row);
  std::ranges::sort(owned_);
  source_.is_list = true;
  source_.list = owned_;
  set_access(*found.columns.front(), ScanCounts::Access::Index);
  counts_.served.assign(found.columns.begin(), found.columns.end());
  std::erase_if(compiled_,
                [&](const Predicate& predicate) { return is_served(predicate, found.columns); });
  return true;
}

// Takes the rows from the predicate with the fewest rows.
bool Scan::narrow_by_lookup() {
  const RowRange range{source_.begin, source_.end};
  size_t best = compiled_.size();
  for (size_t i = 0; i < compiled_.size(); ++i) {
    const Predicate& predicate = compiled_[i];
    std::span<const uint32_t> rows;
    if (predicate.kind == Predicate::Kind::IntegerInSet && owned_.empty() &&
        predicate.column->type == CellType::RowNumber) {
      owned_ = rows_in_set(predicate, range);
      rows = owned_;
    } else if (predicate.kind == Predicate::Kind::IntegerInside &&
               predicate.low == predicate.high) {
      const RowIndex* index =
          index_for(*table_, *predicate.column, range.end - range.begin, *stop_);
      if (index == nullptr) continue;
      rows = index->rows_of(predicate.low);
    } else {
      continue;
    }
    if (best != compiled_.size() && rows.size() >= source_.list.size()) continue;
    best = i;
    source_.list = rows;
  }
  if (best == compiled_.size()) return true;
  set_access(*compiled_[best].column, ScanCounts::Access::Index);
  compiled_.erase(compiled_.begin() + static_cast<ptrdiff_t>(best));
  source_.is_list = true;
  const auto first = std::lower_bound(source_.list.begin(), source_.list.end(), range.begin);
  const auto last = std::lower_bound(first, source_.list.end(), range.end);
  source_.list = {first, last};
  return !source_.list.empty();
}

// Tests each string once, if the scan reads more rows than there are strings.
void Scan::add_verdicts() {
  const uint32_t strings = table_->strings().size();
  const size_t rows = source_.is_list ? source_.list.size() : source_.end - source_.begin;
  if (rows < strings / 4) return;
  for (Filter& filter : filters_) {
    const bool is_pooled = filter.predicate.kind == Predicate::Kind::TextTest &&
                           filter.predicate.column->type == CellType::String;
    if (is_pooled) filter.verdicts.emplace(strings);
  }
}

// Prepares the order of the plan and returns the first block. Returns false if stopped.
bool Scan::arrange(size_t most_rows) {
  const bool by_range = arrangement_ == Arrangement::Descending && !source_.is_list;
  if (by_range) run_ = run_end_ = source_.end;
  if (arrangement_ == Arrangement::Reversed && source_.is_list) {
    std::vector<uint32_t> reversed(source_.list.rbegin(), source_.list.rend());
    owned_ = std::move(reversed);
    source_.list = owned_;
  }
  const bool streams =
      arrangement_ == Arrangement::RowOrder || arrangement_ == Arrangement::Reversed || by_range;
  if (streams) return refill();
  arrangement_ = Arrangement::RowOrder;
  block_rows_ = kLargestBlockRows;
  return most_rows <= kFewRows ? select_first(most_rows) : sort_all();
}

// Returns the limit plus the skipped rows before it; without a limit, all rows.
size_t Scan::rows_wanted(std::span<const Operand> operands) const {
  constexpr size_t kAll = std::numeric_limits<size_t>::max();
  const auto number_at = [&](size_t i) -> std::optional<int64_t> {
    const Cell& cell = operands[i].values.front();
    return cell.kind == Cell::Kind::Int ? std::optional(cell.integer) : std::nullopt;
  };
  if (!plan_->has_limit) return kAll;
  const std::optional<int64_t> limit = number_at(plan_->terms.size());
  const std::optional<int64_t> offset =
      plan_->has_offset ? number_at(plan_->terms.size() + 1) : std::optional<int64_t>(0);
  int64_t rows = 0;
  if (!limit || !offset || *limit < 0 ||
      __builtin_add_overflow(*limit, std::max<int64_t>(*offset, 0), &rows))
    return kAll;
  return static_cast<size_t>(rows);
}

// Selects the first rows without sorting the others.
bool Scan::select_first(size_t count) {
  FirstRows first(plan_->keys.front(), count);
  std::vector<uint32_t> rows;
  while (refill() && size_ != 0) {
    if (contiguous_) {
      rows.resize(size_);
      std::iota(rows.begin(), rows.end(), row_);
    }
    first.add(contiguous_ ? std::span<const uint32_t>(rows) : std::span(block_).first(size_));
  }
  if (stop_->stopped()) return false;
  owned_ = first.take();
  source_ = {.begin = 0, .end = 0, .is_list = true, .list = owned_};
  filters_.clear();
  return refill();
}

bool Scan::sort_all() {
  std::vector<uint32_t> rows;
  // A list that grows step by step is copied again and again.
  reserve_in_huge_pages(rows, source_.is_list ? source_.list.size() : source_.end - source_.begin);
  while (refill() && size_ != 0) {
    const size_t before = rows.size();
    rows.resize(before + size_);
    const auto added = rows.begin() + static_cast<ptrdiff_t>(before);
    if (contiguous_)
      std::iota(added, rows.end(), row_);
    else
      std::copy_n(block_.begin(), size_, added);
  }
  if (stop_->stopped()) return false;
  if (!sort_rows(rows, plan_->keys, table_->strings(), *stop_)) return false;
  owned_ = std::move(rows);
  source_ = {.begin = 0, .end = 0, .is_list = true, .list = owned_};
  filters_.clear();
  return refill();
}

void Scan::choose_prefetched(uint32_t columns_read) {
  constexpr size_t kWorthwhile = 64;
  if (!source_.is_list || size_ < kWorthwhile) return;
  const std::vector<ColumnView>& columns = table_->view().columns;
  for (size_t i = 0; i < std::min<size_t>(columns.size(), 32); ++i) {
    if ((columns_read >> i & 1) == 0) continue;
    const size_t bytes = value_bytes(columns[i].type);
    if (columns[i].packed != nullptr)
      prefetched_packed_.push_back(columns[i].packed);
    else if (bytes != 0)
      prefetched_.push_back({static_cast<const char*>(columns[i].data), bytes});
  }
}

void Scan::prefetch() const {
  constexpr size_t kAhead = 16;  // rows; about the latency of memory
  if (contiguous_ || at_ + kAhead >= size_) return;
  const uint32_t row = block_[at_ + kAhead];
  for (const auto& [data, bytes] : prefetched_) __builtin_prefetch(data + row * bytes);
  for (const PackedInts* ints : prefetched_packed_) ints->prefetch(row);
}

// Reads blocks until one has a row that passes all filters.
bool Scan::refill() {
  for (;;) {
    if (stop_->stopped()) return false;
    at_ = size_ = 0;
    contiguous_ = false;
    const size_t left = source_.is_list ? source_.list.size() : source_.end - source_.begin;
    if (left == 0 && run_ == run_end_) return true;
    const size_t count = std::min(left, block_rows_);
    block_rows_ = std::min(block_rows_ * 2, kLargestBlockRows);
    if (source_.is_list)
      take_list(count);
    else if (arrangement_ == Arrangement::Reversed)
      take_reversed(count);
    else if (arrangement_ == Arrangement::Descending)
      take_descending(kLargestBlockRows);
    else
      take_range(count);
    counts_.rows_scanned += size_;
    if (contiguous_) {
      counts_.rows_found += size_;
      return true;
    }
    for (Filter& filter : filters_) {
      const std::span<uint32_t> rows(block_.data(), size_);
      size_ = filter.verdicts
                  ? keep_rows(filter.predicate, table_->strings(), *filter.verdicts, rows)
                  : keep_rows(filter.predicate, table_->strings(), rows);
    }
    counts_.rows_found += size_;
    if (size_ == 0) continue;
    row_ = block_[0];
    return true;
  }
}

void Scan::take_range(size_t count) {
  if (filters_.empty()) {
    contiguous_ = true;
    row_ = static_cast<uint32_t>(source_.begin);
    size_ = count;
    source_.begin += count;
    return;
  }
  block_.resize(std::max(block_.size(), count));
  std::iota(block_.begin(), block_.begin() + static_cast<ptrdiff_t>(count),
            static_cast<uint32_t>(source_.begin));
  size_ = count;
  source_.begin += count;
}

void Scan::take_list(size_t count) {
  block_.assign(source_.list.begin(), source_.list.begin() + static_cast<ptrdiff_t>(count));
  source_.list = source_.list.subspan(count);
  size_ = count;
}

void Scan::take_reversed(size_t count) {
  block_.clear();
  for (size_t i = 0; i < count; ++i) block_.push_back(static_cast<uint32_t>(--source_.end));
  size_ = count;
}

// Takes runs of equal values from the last to the first, each from its first row on.
void Scan::take_descending(size_t count) {
  const ColumnView& column = *plan_->keys.front().column;
  block_.clear();
  while (block_.size() < count) {
    if (run_ == run_end_) {
      if (source_.begin == source_.end) break;
      run_end_ = source_.end;
      source_.end = run_ = first_equal(column, {source_.begin, run_end_}, table_->strings());
    }
    while (run_ != run_end_ && block_.size() < count)
      block_.push_back(static_cast<uint32_t>(run_++));
  }
  size_ = block_.size();
}

}  // namespace tracebraid
