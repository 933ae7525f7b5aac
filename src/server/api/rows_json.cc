#include "server/api/rows_json.h"

namespace tracebraid::api {

void append_json_row(std::string& to, const RecordBatch& batch, size_t row) {
  constexpr int64_t kExact = int64_t{1} << 53;
  to += '[';
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    if (i > 0) to += ',';
    const Cell cell = cell_at(batch.columns[i], row);
    const bool is_large =
        cell.kind == Cell::Kind::Int && (cell.integer >= kExact || cell.integer <= -kExact);
    if (is_large) to += '"';
    append_json(to, cell);
    if (is_large) to += '"';
  }
  to += ']';
}

}  // namespace tracebraid::api
