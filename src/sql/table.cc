#include "sql/table.h"

#include <algorithm>

namespace tracebraid {
namespace {

constexpr size_t kSampleRows = 128;

std::vector<uint32_t> sample_of(size_t rows) {
  const size_t size = std::min(rows, kSampleRows);
  std::vector<uint32_t> sample;
  for (size_t i = 0; i < size; ++i) sample.push_back(static_cast<uint32_t>(i * rows / size));
  return sample;
}

}  // namespace

Table::Table(TableView table, const StringPool& pool, const std::atomic<bool>& stop_flag)
    : view(std::move(table)),
      strings(pool),
      stop(stop_flag),
      lookups(view.columns.size()),
      sample(sample_of(view.rows)),
      distinct(view.columns.size()) {}

const ColumnView* Table::column(std::string_view name) const {
  const auto found = std::find_if(view.columns.begin(), view.columns.end(),
                                  [&](const ColumnView& column) { return column.name == name; });
  if (found != view.columns.end()) return &*found;
  return name == kRowid.name ? &kRowid : nullptr;
}

bool is_searchable(const ColumnView& column) {
  if (column.type == CellType::RowNumber) return true;
  // Where NULL lies among sorted values differs by type; those are scanned.
  return column.order == Order::Sorted &&
         (column.type == CellType::Int64 || column.type == CellType::UInt32 ||
          column.type == CellType::UInt8 || column.type == CellType::Computed);
}

}  // namespace tracebraid
