#include "server/api/stored_view.h"

#include <algorithm>

#include "engine/arrow.h"
#include "engine/rows.h"

namespace tracebraid::api {
namespace {

constexpr size_t kMostTextBytes = size_t{256} << 20;
constexpr uint64_t kBatchRows = 4096;

}  // namespace

Result<RecordBatch> StoredView::batch(uint64_t begin, uint64_t end) const {
  std::vector<ColumnBuilder> builders;
  for (const Field& field : rows.schema->fields)
    builders.emplace_back(field.type == DataType::Unknown ? DataType::Null : field.type,
                          kMostTextBytes, true);
  size_t bytes = 0;
  for (uint64_t i = begin; i < end; ++i) {
    const StoredRows::Place place = find(i);
    for (size_t column = 0; column < builders.size(); ++column) {
      const Cell cell = cell_at(place.batch->columns[column], place.row);
      bytes += cell.text.size();
      if (bytes > kMostTextBytes || !builders[column].add(cell))
        return fail(ErrorCode::Limit, "the rows exceed 256 MiB; ask for fewer at once");
    }
  }
  RecordBatch batch{rows.schema, static_cast<size_t>(end - begin), {}};
  for (ColumnBuilder& builder : builders) batch.columns.push_back(builder.finish());
  return batch;
}

Result<bool> StoredView::for_each_batch(
    const std::function<bool(const RecordBatch& batch)>& each) const {
  if (order == nullptr)
    return std::ranges::all_of(rows.batches,
                               [&](const auto& stored) { return each(stored->batch); });
  for (uint64_t begin = 0; begin < size(); begin += kBatchRows) {
    TB_TRY_ASSIGN(const RecordBatch some, batch(begin, std::min(begin + kBatchRows, size())));
    if (!each(some)) return false;
  }
  return true;
}

}  // namespace tracebraid::api
