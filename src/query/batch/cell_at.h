// Cells of arrays, for consumers that read batches row by row.
#pragma once

#include "column/cell.h"
#include "query/batch/record_batch.h"

namespace tracebraid {

// Returns a text of an array of Utf8 or Binary. Borrows from the array. An empty text has a
// pointer, because SQLite takes null for NULL.
inline std::string_view text_at(const ArrayData& array, size_t row) {
  const auto* ends = array.values.as<int32_t>() + row;
  if (ends[0] == ends[1]) return {"", 0};
  return {array.bytes.as<char>() + ends[0], static_cast<size_t>(ends[1] - ends[0])};
}

// Returns the value of a row. Borrows from the array.
inline Cell cell_at(const ArrayData& array, size_t row) {
  if (array.is_null(row)) return Cell::null();
  switch (array.type) {
    case DataType::Int64:
      return Cell::of(array.values.as<int64_t>()[row]);
    case DataType::Float64:
      return Cell::of(array.values.as<double>()[row]);
    case DataType::Dictionary:
      return Cell::of(
          text_at(*array.dictionary, static_cast<size_t>(array.values.as<int32_t>()[row])));
    case DataType::Utf8:
      return Cell::of(text_at(array, row));
    case DataType::Binary:
      return {Cell::Kind::Blob, 0, 0, text_at(array, row)};
    case DataType::Variant: {
      const auto child = static_cast<size_t>(array.values.as<int8_t>()[row]);
      return cell_at(array.children[child], static_cast<size_t>(array.offsets.as<int32_t>()[row]));
    }
    case DataType::Unknown:
    case DataType::Null:
      break;
  }
  return Cell::null();
}

}  // namespace tracebraid
