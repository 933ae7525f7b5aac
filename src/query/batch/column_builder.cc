#include "query/batch/column_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "query/batch/valid_text.h"
#include "query/functions/text_result.h"
#include "query/scan/column_values.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

// Reads integers as visit_integers() returns them.
void read_integers(const ColumnView& column, const Scan::Rows& rows, std::span<int64_t> values) {
  if (column.packed != nullptr && rows.list == nullptr) {
    column.packed->read(rows.first, values);
    if (column.type == CellType::OptRow || column.type == CellType::String)
      for (int64_t& value : values) value = static_cast<uint32_t>(value);
    return;
  }
  visit_integers(column, [&](auto source) {
    if (rows.list == nullptr)
      for (size_t i = 0; i < values.size(); ++i) values[i] = source[rows.first + i];
    else
      for (size_t i = 0; i < values.size(); ++i) values[i] = source[rows.list[i]];
  });
}

size_t row_at(const Scan::Rows& rows, size_t i) {
  return rows.list == nullptr ? rows.first + i : rows.list[i];
}

constexpr size_t kLongestNumber = 32;

// Returns the size of a cell, bytes; for numbers the largest size.
size_t bytes_of(const Cell& cell, DataType type) {
  if (cell.kind == Cell::Kind::Text && type == DataType::Utf8 && !is_valid_utf8(cell.text))
    return with_valid_utf8(cell.text).size();
  return cell.kind == Cell::Kind::Text ? cell.text.size() : ColumnBuilder::most_bytes_of(cell);
}

bool is_nullable(const ColumnView& column) {
  return column.type == CellType::OptInt || column.type == CellType::OptRow ||
         column.type == CellType::Sparse;
}

}  // namespace

size_t ColumnBuilder::most_bytes_of(const Cell& cell) {
  const bool is_number = cell.kind == Cell::Kind::Int || cell.kind == Cell::Kind::Real;
  return is_number ? kLongestNumber : cell.text.size() * kMostBytesOfByte;
}

void ColumnBuilder::mark(bool is_valid) {
  if (rows_ % 8 == 0) validity_.append(uint8_t{0});
  auto* bits = reinterpret_cast<uint8_t*>(validity_.data());
  if (is_valid) bits[rows_ / 8] = static_cast<uint8_t>(bits[rows_ / 8] | 1u << (rows_ % 8));
  nulls_ += is_valid ? 0 : 1;
  ++rows_;
}

void ColumnBuilder::mark_all_valid(size_t count) {
  for (; count != 0 && rows_ % 8 != 0; --count) mark(true);
  if (const size_t bytes = count / 8; bytes != 0) std::memset(validity_.extend(bytes), 0xff, bytes);
  rows_ += count / 8 * 8;
  for (count %= 8; count != 0; --count) mark(true);
}

void ColumnBuilder::add_null() {
  switch (type_) {
    case DataType::Int64:
    case DataType::Float64:
      values_.append(int64_t{0});
      break;
    case DataType::Dictionary:
      values_.append(int32_t{0});
      break;
    case DataType::Utf8:
    case DataType::Binary:
      if (rows_ == 0) values_.append(int32_t{0});
      values_.append(static_cast<int32_t>(bytes_.size()));
      break;
    case DataType::Unknown:
    case DataType::Null:
    case DataType::Variant:
      break;
  }
  mark(false);
}

bool ColumnBuilder::has_room(const Cell& cell) const {
  return !holds_texts() || most_bytes_of(cell) <= room() || bytes_of(cell, type_) <= room();
}

size_t ColumnBuilder::rows_with_room(const ColumnView& column, const StringPool& strings,
                                     const Scan::Rows& rows) const {
  if (!holds_texts()) return rows.count;
  size_t most = 0;
  for (size_t i = 0; i < rows.count; ++i)
    most += most_bytes_of(cell(column, row_at(rows, i), strings));
  if (most <= room()) return rows.count;
  size_t left = room();
  for (size_t i = 0; i < rows.count; ++i) {
    const size_t bytes = bytes_of(cell(column, row_at(rows, i), strings), type_);
    if (bytes > left) return i;
    left -= bytes;
  }
  return rows.count;
}

size_t ColumnBuilder::add_text_sizes(const ColumnView& column, const StringPool& strings,
                                     const Scan::Rows& rows, std::span<size_t> sizes) {
  size_t sum = 0;
  const auto add = [&](size_t i, size_t bytes) {
    sizes[i] += bytes;
    sum += bytes;
  };
  if (!holds_texts()) return 0;
  if (column.type == CellType::String) {
    scratch_.resize(rows.count);
    read_integers(column, rows, scratch_);
    for (size_t i = 0; i < rows.count; ++i)
      if (const StringId id{static_cast<uint32_t>(scratch_[i])}; id) add(i, strings.get(id).size());
  } else if (column.text_id != nullptr) {
    for (size_t i = 0; i < rows.count; ++i)
      if (const StringId id = column.text_id(column.data, row_at(rows, i)); id)
        add(i, strings.get(id).size());
  } else {
    for (size_t i = 0; i < rows.count; ++i) {
      const Cell value = cell(column, row_at(rows, i), strings);
      add(i, value.kind == Cell::Kind::Text ? value.text.size() : kLongestNumber);
    }
  }
  return sum;
}

bool ColumnBuilder::add_text(std::string_view text) {
  if (is_out_of_room_ = text.size() > room(); is_out_of_room_) return false;
  if (rows_ == 0) values_.append(int32_t{0});
  bytes_.append(text);
  values_.append(static_cast<int32_t>(bytes_.size()));
  mark(true);
  return true;
}

int32_t ColumnBuilder::append_entry(std::string_view text) {
  std::string mended;
  if (!is_valid_utf8(text)) {
    ++invalid_texts_;
    text = mended = with_valid_utf8(text);
  }
  is_out_of_room_ = text.size() > most_text_bytes_ - entry_bytes_.size();
  if (is_out_of_room_) return -1;
  if (entry_ends_.size() == 0) entry_ends_.append(int32_t{0});
  entry_bytes_.append(text);
  entry_ends_.append(static_cast<int32_t>(entry_bytes_.size()));
  return entries_++;
}

int32_t ColumnBuilder::code_of(std::string_view text) {
  const StringId id = texts_.intern(text);
  if (static_cast<int32_t>(id.row) == entries_) return append_entry(text);
  return static_cast<int32_t>(id.row);
}

bool ColumnBuilder::add(const Cell& cell) {
  if (type_ == DataType::Variant) {
    if (is_out_of_room_ = cell.text.size() > room(); is_out_of_room_) return false;
    variant_.add(cell);
    return true;
  }
  if (cell.kind == Cell::Kind::Null) {
    add_null();
    return true;
  }
  switch (type_) {
    case DataType::Int64:
      if (cell.kind != Cell::Kind::Int) return false;
      values_.append(cell.integer);
      break;
    case DataType::Float64: {
      double value = cell.real;
      if (cell.kind == Cell::Kind::Int) {
        if (double_at_least(cell.integer) != double_at_most(cell.integer)) return false;
        value = static_cast<double>(cell.integer);
      } else if (cell.kind != Cell::Kind::Real) {
        return false;
      }
      values_.append(value);
      break;
    }
    case DataType::Dictionary:
      if (cell.kind != Cell::Kind::Text) return false;
      if (const int32_t code = code_of(cell.text); code >= 0)
        values_.append(code);
      else
        return false;
      break;
    case DataType::Utf8:
      if (cell.kind == Cell::Kind::Blob) return false;
      if (cell.kind != Cell::Kind::Text) return add_text(*text_of(cell));
      if (is_verbatim_ || is_valid_utf8(cell.text)) return add_text(cell.text);
      ++invalid_texts_;
      return add_text(with_valid_utf8(cell.text));
    case DataType::Binary:
      if (cell.kind != Cell::Kind::Blob && cell.kind != Cell::Kind::Text) return false;
      return add_text(cell.text);
    case DataType::Unknown:
    case DataType::Null:
    case DataType::Variant:
      return false;
  }
  mark(true);
  return true;
}

bool ColumnBuilder::add_rows(const ColumnView& column, const StringPool& strings,
                             const Scan::Rows& rows) {
  if (column.type == CellType::Double && type_ == DataType::Float64) {
    add_reals(column, rows);
  } else if (column.type == CellType::String && type_ == DataType::Dictionary) {
    return add_codes(column, strings, rows);
  } else if (column.type == CellType::String && type_ == DataType::Utf8) {
    return add_texts(column, strings, rows);
  } else if (holds_integers(column) && column.type != CellType::String &&
             type_ == DataType::Int64) {
    add_integers(column, rows);
  } else {
    for (size_t i = 0; i < rows.count; ++i)
      if (!add(cell(column, row_at(rows, i), strings))) return false;
  }
  return true;
}

void ColumnBuilder::add_integers(const ColumnView& column, const Scan::Rows& rows) {
  auto* const to = values_.extend_by<int64_t>(rows.count);
  const std::span values(to, rows.count);
  read_integers(column, rows, values);
  if (!is_nullable(column)) return mark_all_valid(rows.count);
  const Domain domain = domain_of(column);
  for (int64_t& value : values) {
    const bool is_valid = value >= domain.min && value <= domain.max;
    if (!is_valid) value = 0;
    mark(is_valid);
  }
}

void ColumnBuilder::add_integers(std::span<const int64_t> values, std::span<const bool> valid) {
  auto* const to = values_.extend_by<int64_t>(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    to[i] = valid[i] ? values[i] : 0;
    mark(valid[i]);
  }
}

void ColumnBuilder::add_reals(const ColumnView& column, const Scan::Rows& rows) {
  const auto* from = static_cast<const double*>(column.data);
  auto* const to = values_.extend_by<double>(rows.count);
  for (size_t i = 0; i < rows.count; ++i) {
    const double value = from[row_at(rows, i)];
    const bool is_valid = !std::isnan(value);
    to[i] = is_valid ? value : 0;
    mark(is_valid);
  }
}

bool ColumnBuilder::add_texts(const ColumnView& column, const StringPool& strings,
                              const Scan::Rows& rows) {
  scratch_.resize(rows.count);
  read_integers(column, rows, scratch_);
  if (rows_ == 0) values_.append(int32_t{0});
  auto* const ends = values_.extend_by<int32_t>(rows.count);
  std::string mended;
  for (size_t i = 0; i < rows.count; ++i) {
    const StringId id{static_cast<uint32_t>(scratch_[i])};
    std::string_view text = id ? strings.get(id) : std::string_view();
    if (!is_verbatim_ && !is_valid_utf8(text)) {
      ++invalid_texts_;
      text = mended = with_valid_utf8(text);
    }
    if (is_out_of_room_ = text.size() > room(); is_out_of_room_) return false;
    bytes_.append(text);
    ends[i] = static_cast<int32_t>(bytes_.size());
    mark(static_cast<bool>(id));
  }
  return true;
}

bool ColumnBuilder::add_codes(const ColumnView& column, const StringPool& strings,
                              const Scan::Rows& rows) {
  scratch_.resize(rows.count);
  read_integers(column, rows, scratch_);
  if (codes_.size() < strings.size()) codes_.resize(strings.size(), -1);
  auto* const to = values_.extend_by<int32_t>(rows.count);
  for (size_t i = 0; i < rows.count; ++i) {
    const StringId id{static_cast<uint32_t>(scratch_[i])};
    if (!id) {
      to[i] = 0;
      mark(false);
      continue;
    }
    int32_t& code = codes_[id.row];
    if (code < 0) code = append_entry(strings.get(id));
    if (code < 0) return false;
    to[i] = code;
    mark(true);
  }
  return true;
}

ArrayData ColumnBuilder::finish() {
  if (type_ == DataType::Variant) return variant_.finish();
  ArrayData array{.type = type_, .length = rows_, .null_count = nulls_};
  if (has_offsets() && rows_ == 0) values_.append(int32_t{0});
  if (nulls_ != 0 && type_ != DataType::Null) array.validity = validity_.take();
  array.values = values_.take();
  if (has_offsets()) array.bytes = bytes_.take();
  if (type_ == DataType::Dictionary) {
    if (dictionary_ == nullptr || dictionary_->length != static_cast<size_t>(entries_)) {
      if (entry_ends_.size() == 0) entry_ends_.append(int32_t{0});
      dictionary_ =
          std::make_shared<const ArrayData>(ArrayData{.type = DataType::Utf8,
                                                      .length = static_cast<size_t>(entries_),
                                                      .values = entry_ends_.view(),
                                                      .bytes = entry_bytes_.view()});
    }
    array.dictionary = dictionary_;
  }
  validity_.take();
  rows_ = nulls_ = 0;
  return array;
}

size_t ColumnBuilder::memory() const {
  return validity_.size() + values_.size() + bytes_.size() + entry_ends_.size() +
         entry_bytes_.size() + codes_.size() * sizeof(int32_t) + texts_.memory() +
         variant_.memory();
}

}  // namespace tracebraid
