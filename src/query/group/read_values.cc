#include "query/group/read_values.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace tracebraid {
namespace {

// Reads rows of a column that ColumnView::read computes. NULL is outside of domain_read().
bool read_computed(const ColumnView& column, const Scan::Rows& rows, Values& values) {
  constexpr size_t kRowsPerRead = 1024;
  const int64_t null = type_read(column) == CellType::String ? int64_t{OptRow::kNull}
                                                             : std::numeric_limits<int64_t>::min();
  std::array<bool, kRowsPerRead> valid{};
  bool is_exact = true;
  for (size_t done = 0; done < rows.count;) {
    const size_t first = rows.list == nullptr ? rows.first + done : rows.list[done];
    size_t count = rows.list == nullptr ? std::min(rows.count - done, kRowsPerRead) : 1;
    if (rows.list != nullptr)
      while (count < kRowsPerRead && done + count < rows.count &&
             rows.list[done + count] == first + count)
        ++count;
    const std::span part = std::span(values).subspan(done, count);
    column.read(column.data, first, part, std::span(valid).first(count));
    for (size_t i = 0; i < count; ++i) {
      is_exact &= !valid[i] || part[i] != null;
      if (!valid[i]) part[i] = null;
    }
    done += count;
  }
  return is_exact;
}

}  // namespace

CellType type_read(const ColumnView& column) {
  if (column.type != CellType::Computed || column.read == nullptr) return column.type;
  if (column.sql_type == SqlType::Integer) return CellType::OptInt;
  return column.sql_type == SqlType::Text && column.texts.empty() ? CellType::String
                                                                  : CellType::Computed;
}

Domain domain_read(const ColumnView& column) {
  ColumnView read = column;
  read.type = type_read(column);
  return domain_of(read);
}

bool read_values(const ColumnView& column, const Scan::Rows& rows, Values& values) {
  values.resize(rows.count);
  const auto fill = [&](auto source) {
    for (size_t i = 0; i < rows.count; ++i)
      values[i] = source[rows.list == nullptr ? rows.first + i : rows.list[i]];
  };
  if (column.type == CellType::Computed) {
    return read_computed(column, rows, values);
  } else if (column.type == CellType::Double) {
    const auto* reals = static_cast<const int64_t*>(column.data);
    fill(reals);
  } else if (column.packed != nullptr && rows.list == nullptr) {
    column.packed->read(rows.first, values);
    if (column.type == CellType::Int64) return true;
    for (int64_t& value : values) value = static_cast<uint32_t>(value);
  } else {
    visit_integers(column, fill);
  }
  return true;
}

}  // namespace tracebraid
