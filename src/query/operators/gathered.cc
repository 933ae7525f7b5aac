#include "query/operators/gathered.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "query/scan/column_values.h"

namespace tracebraid {

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
    if (rows_->list.empty() && stored_->packed != nullptr && stored_->type == CellType::Int64) {
      stored_->packed->read(rows_->first + first, integers);
      return integers.size();
    }
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

size_t GatheredRows::memory() const {
  size_t bytes = 0;
  for (const GatheredColumn& column : columns) bytes += column.memory();
  return bytes;
}

}  // namespace tracebraid
