#include "query/operators/gathered.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "query/group/read_values.h"
#include "query/scan/column_values.h"

namespace tracebraid {

// Reads runs of consecutive rows at once.
void GatheredColumn::read_packed(size_t first, std::span<int64_t> integers) const {
  const PackedInts& packed = *stored_->packed;
  if (rows_->list.empty()) return packed.read(rows_->first + first, integers);
  const std::span<const uint32_t> rows = std::span(rows_->list).subspan(first, integers.size());
  for (size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    end = begin + 1;
    while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
    if (end == begin + 1)
      integers[begin] = packed[rows[begin]];
    else
      packed.read(rows[begin], integers.subspan(begin, end - begin));
  }
}

size_t GatheredColumn::read_integers(size_t first, std::span<int64_t> integers) const {
  if (stored_ == nullptr) {
    if (values_.is_all(Cell::Kind::Int)) {
      std::copy_n(values_.words().begin() + static_cast<ptrdiff_t>(first), integers.size(),
                  integers.begin());
      return integers.size();
    }
    for (size_t i = 0; i < integers.size(); ++i) {
      if (values_.kind(first + i) != Cell::Kind::Int) return i;
      integers[i] = values_.word(first + i);
    }
    return integers.size();
  }
  if (stored_->sql_type == SqlType::Integer && holds_integers(*stored_)) {
    const Domain domain = domain_of(*stored_);
    if (stored_->packed != nullptr && stored_->type == CellType::Int64) {
      read_packed(first, integers);
      return integers.size();
    }
    // Little is read behind a NULL in vain, because the caller continues behind it.
    constexpr size_t kRowsPerRead = 64;
    for (size_t at = 0; stored_->packed != nullptr && at < integers.size(); at += kRowsPerRead) {
      const std::span part = integers.subspan(at, std::min(kRowsPerRead, integers.size() - at));
      read_packed(first + at, part);
      for (int64_t& value : part) {
        value = static_cast<uint32_t>(value);
        if (value < domain.min || value > domain.max)
          return static_cast<size_t>(&value - integers.data());
      }
    }
    if (stored_->packed != nullptr) return integers.size();
    return visit_integers(*stored_, [&](auto values) {
      for (size_t i = 0; i < integers.size(); ++i) {
        integers[i] = values[(*rows_)[first + i]];
        if (integers[i] < domain.min || integers[i] > domain.max) return i;
      }
      return integers.size();
    });
  }
  for (size_t i = 0; i < integers.size(); ++i) {
    const Cell value = cell(first + i);
    if (value.kind != Cell::Kind::Int) return i;
    integers[i] = value.integer;
  }
  return integers.size();
}

int64_t as_integer(const Cell& cell) {
  constexpr double kEnd = 0x1p63;
  if (cell.kind == Cell::Kind::Int) return cell.integer;
  if (cell.kind == Cell::Kind::Real) {
    if (cell.real >= kEnd) return std::numeric_limits<int64_t>::max();
    if (cell.real < -kEnd) return std::numeric_limits<int64_t>::min();
    return static_cast<int64_t>(cell.real);
  }
  int64_t value = 0;
  const size_t begin = cell.text.find_first_not_of(" \t\n\v\f\r+");
  if (begin != std::string_view::npos)
    std::from_chars(cell.text.data() + begin, cell.text.data() + cell.text.size(), value);
  return value;
}

void GatheredColumn::read_as_integers(size_t first, std::span<int64_t> integers) const {
  size_t at = read_integers(first, integers);
  while (at < integers.size()) {
    integers[at] = as_integer(cell(first + at));
    if (++at < integers.size()) at += read_integers(first + at, integers.subspan(at));
  }
}

std::optional<SqlType> GatheredColumn::type() const {
  if (stored_ == nullptr) {
    const std::optional<Cell::Kind> kind = values_.kind_of_all();
    if (kind == Cell::Kind::Text) return SqlType::Text;
    const bool is_integer = kind == Cell::Kind::Int || kind == Cell::Kind::Null;
    return is_integer ? std::optional(SqlType::Integer) : std::nullopt;
  }
  const CellType type = type_read(*stored_);
  if (type == CellType::Double || type == CellType::Computed) return std::nullopt;
  return type == CellType::String ? SqlType::Text : SqlType::Integer;
}

void GatheredColumn::read_rows(std::span<const uint32_t> rows, std::span<int64_t> values,
                               std::span<bool> valid) const {
  if (stored_ == nullptr) {
    for (size_t i = 0; i < rows.size(); ++i) {
      values[i] = values_.word(rows[i]);
      valid[i] = values_.kind(rows[i]) != Cell::Kind::Null;
    }
    return;
  }
  std::vector<uint32_t> stored(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) stored[i] = static_cast<uint32_t>((*rows_)[rows[i]]);
  Values read;
  if (!read_values(*stored_, {stored.data(), 0, stored.size()}, read)) {
    // The integer that stands for NULL occurs.
    for (size_t i = 0; i < rows.size(); ++i) {
      const Cell value = cell(rows[i]);
      values[i] = value.integer;
      valid[i] = value.kind != Cell::Kind::Null;
    }
    return;
  }
  const Domain domain = domain_read(*stored_);
  for (size_t i = 0; i < rows.size(); ++i) {
    values[i] = read[i];
    valid[i] = domain.min <= read[i] && read[i] <= domain.max;
  }
}

size_t GatheredRows::memory() const {
  size_t bytes = 0;
  for (const GatheredColumn& column : columns) bytes += column.memory();
  return bytes;
}

}  // namespace tracebraid
