#include "query/statements/created_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "query/batch/cell_at.h"

namespace tracebraid {
namespace {

constexpr size_t kMostRows = OptRow::kNull - 1;  // rows have 32 bits

// Returns whether a double represents the integer exactly.
bool is_exact(int64_t integer) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  const auto real = static_cast<double>(integer);
  return real < kLimit && static_cast<int64_t>(real) == integer;
}

std::string_view type_name(Cell::Kind kind) {
  switch (kind) {
    case Cell::Kind::Int:
      return "LONG";
    case Cell::Kind::Real:
      return "DOUBLE";
    case Cell::Kind::Text:
      return "STRING";
    default:
      return "BYTES";
  }
}

// Returns the value as a hint in an error shows it.
std::string shown(const Cell& cell) {
  constexpr size_t kMostShown = 40;
  if (cell.kind == Cell::Kind::Int) return fmt::format("{}", cell.integer);
  if (cell.kind == Cell::Kind::Real) return fmt::format("{}", cell.real);
  const bool is_long = cell.text.size() > kMostShown;
  return fmt::format("'{}{}'", cell.text.substr(0, kMostShown), is_long ? "..." : "");
}

}  // namespace

CreatedColumn::CreatedColumn(std::string name, std::optional<DialectType> declared)
    : name_(std::move(name)), declared_(declared) {
  if (declared_ == DialectType::Double) kind_ = Kind::Real;
}

tl::unexpected<Error> CreatedColumn::misfit(const Cell& cell) const {
  if (cell.kind == Cell::Kind::Blob) return fail(ErrorCode::Sql, "Bytes type is not supported");
  const std::string_view inferred = kind_ == Kind::Integer ? "LONG"
                                    : kind_ == Kind::Real  ? "DOUBLE"
                                                           : "STRING";
  if (declared_) {
    const DialectType type = *declared_ == DialectType::Bool ? DialectType::Long : *declared_;
    return fail(ErrorCode::Sql,
                fmt::format("column '{}' declared as {} in the schema, but {} found", name_,
                            name_of(type), type_name(cell.kind)));
  }
  return fail(
      ErrorCode::Sql,
      fmt::format("column '{}' was inferred to be {}, but later received a value of type {}", name_,
                  inferred, type_name(cell.kind)));
}

tl::unexpected<Error> CreatedColumn::inexact(int64_t integer, size_t row) const {
  return fail(ErrorCode::Sql,
              fmt::format("Unable to represent {} in column '{}' at row {} as a double.", integer,
                          name_, row));
}

// Makes reals of the integers so far.
Result<> CreatedColumn::become_real(const StopCheck& stop) {
  PacedStopCheck check(stop);
  for (size_t row = 0; row < rows_; ++row) {
    if (check.stopped()) return tl::unexpected(check.error());
    const bool is_null = row < nulls_.size() && nulls_[row];
    const int64_t value = is_null ? 0 : packed_[row];
    if (!is_exact(value)) return inexact(value, row);
    reals_.append(is_null ? std::nan("") : static_cast<double>(value));
  }
  packed_ = PackedInts();
  nulls_ = {};
  kind_ = Kind::Real;
  return {};
}

// Prepares the column for a value of the kind.
Result<> CreatedColumn::take(Kind kind, const Cell& cell, const StopCheck& stop) {
  const bool is_number = kind != Kind::Text;
  const bool is_declared_number =
      declared_ && *declared_ != DialectType::String && *declared_ != DialectType::Any;
  if (declared_ && is_number != is_declared_number) return misfit(cell);
  if (kind_ == Kind::Unknown) {
    if (kind != Kind::Real) {
      kind_ = kind;
      return {};
    }
    return become_real(stop);
  }
  if (kind == kind_) return {};
  if (kind_ == Kind::Integer && kind == Kind::Real) return become_real(stop);
  if (kind_ == Kind::Real && kind == Kind::Integer) return {};
  return misfit(cell);
}

void CreatedColumn::add_null() {
  ++null_count_;
  if (kind_ == Kind::Real) {
    reals_.append(std::nan(""));
  } else {
    packed_.append(-1);
    // The first text may come later: then all rows so far are NULL.
    if (kind_ != Kind::Text) {
      nulls_.resize(rows_ + 1);
      nulls_[rows_] = true;
    }
  }
  is_sorted_ = is_row_number_ = false;
  ++rows_;
}

void CreatedColumn::add_integer(int64_t value) {
  if (rows_ == null_count_) least_ = greatest_ = last_ = value;
  is_sorted_ &= value >= last_;
  is_row_number_ &= value == static_cast<int64_t>(rows_);
  least_ = std::min(least_, value);
  greatest_ = std::max(greatest_, value);
  last_ = value;
  packed_.append(value);
  ++rows_;
}

Result<> CreatedColumn::add_cell(const Cell& cell, StringPool& strings, const StopCheck& stop) {
  switch (cell.kind) {
    case Cell::Kind::Null:
      add_null();
      return {};
    case Cell::Kind::Int:
      TB_TRY(take(Kind::Integer, cell, stop));
      if (kind_ == Kind::Integer) {
        add_integer(cell.integer);
        return {};
      }
      if (!is_exact(cell.integer)) return inexact(cell.integer, rows_);
      reals_.append(static_cast<double>(cell.integer));
      ++rows_;
      return {};
    case Cell::Kind::Real:
      TB_TRY(take(Kind::Real, cell, stop));
      reals_.append(cell.real);
      ++rows_;
      return {};
    case Cell::Kind::Text:
      TB_TRY(take(Kind::Text, cell, stop));
      add_text(strings.intern(cell.text));
      return {};
    case Cell::Kind::Blob:
      break;
  }
  return misfit(cell);
}

void CreatedColumn::add_integers(const ArrayData& values) {
  const auto* integers = values.values.as<int64_t>();
  if (values.null_count == 0) {
    add_integers({integers, values.length});
    return;
  }
  for (size_t row = 0; row < values.length; ++row)
    if (values.is_null(row))
      add_null();
    else
      add_integer(integers[row]);
}

// Adds many integers, with the facts about them in registers.
void CreatedColumn::add_integers(std::span<const int64_t> values) {
  if (values.empty()) return;
  if (rows_ == null_count_) least_ = greatest_ = last_ = values[0];
  int64_t least = least_, greatest = greatest_, last = last_;
  auto row = static_cast<int64_t>(rows_);
  bool is_sorted = is_sorted_, is_row_number = is_row_number_;
  for (const int64_t value : values) {
    is_sorted &= value >= last;
    is_row_number &= value == row++;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
    last = value;
    packed_.append(value);
  }
  least_ = least;
  greatest_ = greatest;
  last_ = last;
  is_sorted_ = is_sorted;
  is_row_number_ = is_row_number;
  rows_ += values.size();
}

// Adds texts of a dictionary, which only grows from batch to batch.
void CreatedColumn::add_codes(const ArrayData& values, StringPool& strings) {
  for (size_t code = of_code_.size(); code < values.dictionary->length; ++code)
    of_code_.push_back(strings.intern(text_at(*values.dictionary, code)));
  const auto* codes = values.values.as<int32_t>();
  for (size_t row = 0; row < values.length; ++row)
    if (values.is_null(row))
      add_null();
    else
      add_text(of_code_[static_cast<size_t>(codes[row])]);
}

Result<> CreatedColumn::add(const ArrayData& values, StringPool& strings, const StopCheck& stop) {
  const bool has_values = values.null_count != values.length;
  if (has_values && values.type == DataType::Int64) {
    if (kind_ != Kind::Real) TB_TRY(take(Kind::Integer, Cell::of(int64_t{0}), stop));
    if (kind_ == Kind::Integer) {
      add_integers(values);
      return {};
    }
  } else if (has_values && values.type == DataType::Dictionary && !values.is_null(0)) {
    TB_TRY(take(Kind::Text, cell_at(values, 0), stop));
    add_codes(values, strings);
    return {};
  }
  for (size_t row = 0; row < values.length; ++row) {
    const Cell cell = cell_at(values, row);
    const bool is_misfit = cell.kind == Cell::Kind::Blob;
    if (const Result<> added = add_cell(cell, strings, stop); !added)
      return is_misfit || added.error().code != ErrorCode::Sql
                 ? added
                 : fail(ErrorCode::Sql,
                        fmt::format("row {}: {}\n{}", rows_, shown(cell), added.error().message));
  }
  return {};
}

Cell CreatedColumn::nullable_cell(const void* data, size_t row, const StringPool&) {
  const auto& of = *static_cast<const Nullable*>(data);
  const bool is_null = row < of.nulls->size() && (*of.nulls)[row];
  return is_null ? Cell::null() : Cell::of((*of.integers)[row]);
}

Result<ColumnView> CreatedColumn::finish(const StopCheck& stop) {
  ColumnView view{.name = name_, .about = ""};
  if (kind_ == Kind::Real) {
    view.type = CellType::Double;
    view.sql_type = SqlType::Real;
    view.data = reals_.data();
    return view;
  }
  if (kind_ == Kind::Text || (kind_ == Kind::Unknown && declared_ == DialectType::String)) {
    view.type = CellType::String;
    view.sql_type = SqlType::Text;
    view.packed = &packed_;
    return view;
  }
  view.packed = &packed_;
  if (null_count_ == 0) {
    view.type = CellType::Int64;
    view.order = is_sorted_ ? Order::Sorted : Order::None;
    if (is_row_number_ && rows_ != 0) {
      packed_ = PackedInts();
      return ColumnView{.name = name_, .about = "", .order = Order::Sorted};
    }
    return view;
  }
  if (least_ >= 0 && greatest_ < int64_t{OptRow::kNull}) {
    nulls_ = {};
    view.type = CellType::OptRow;
    return view;
  }
  if (least_ == OptInt::kNull) {
    nullable_ = {&packed_, &nulls_};
    view.packed = nullptr;
    view.type = CellType::Computed;
    view.compute = nullable_cell;
    view.data = &nullable_;
    return view;
  }
  PacedStopCheck check(stop);
  for (size_t row = 0; row < rows_; ++row) {
    if (check.stopped()) return tl::unexpected(check.error());
    const bool is_null = row < nulls_.size() && nulls_[row];
    optional_.append({is_null ? OptInt::kNull : packed_[row]});
  }
  packed_ = PackedInts();
  nulls_ = {};
  view.packed = nullptr;
  view.type = CellType::OptInt;
  view.data = optional_.data();
  return view;
}

size_t CreatedColumn::memory() const {
  return packed_.memory() + nulls_.capacity() / 8 + reals_.size() * sizeof(double) +
         optional_.size() * sizeof(OptInt) + of_code_.size() * sizeof(StringId);
}

Result<> CreatedTable::add(const RecordBatch& batch, const StopCheck& stop) {
  if (batch.rows > kMostRows - rows)
    return fail(ErrorCode::Limit, fmt::format("a table has at most {} rows", kMostRows));
  for (size_t i = 0; i < columns.size(); ++i)
    TB_TRY(columns[i].add(batch.columns[i], strings, stop));
  rows += batch.rows;
  return charge();
}

Result<> CreatedTable::charge() {
  size_t bytes = strings.memory();
  for (const CreatedColumn& column : columns) bytes += column.memory();
  if (bytes <= charged_) return {};
  TB_TRY(memory.take(bytes - charged_));
  if (!held.take(bytes - charged_)) return held.check();
  charged_ = bytes;
  return {};
}

Result<> CreatedTable::finish(const StopCheck& stop) {
  TableView view{name, "", rows, {}};
  for (CreatedColumn& column : columns) {
    TB_TRY_ASSIGN(ColumnView made, column.finish(stop));
    view.columns.push_back(std::move(made));
  }
  view.columns.push_back(
      {.name = kAutoId, .about = "Row number.", .order = Order::Sorted, .hidden = true});
  TB_TRY(charge());
  table = std::make_unique<Table>(std::move(view), strings);
  return {};
}

std::shared_ptr<CreatedTable> new_table(std::string name, const std::vector<std::string>& columns,
                                        const std::vector<DialectType>& types,
                                        std::shared_ptr<MemoryLimit> limit, QueryMemory* of_query) {
  auto table = std::make_shared<CreatedTable>(std::move(limit), of_query);
  table->name = std::move(name);
  for (size_t i = 0; i < columns.size(); ++i)
    table->columns.emplace_back(
        columns[i], types.empty() ? std::nullopt : std::optional<DialectType>(types[i]));
  return table;
}

}  // namespace tracebraid
