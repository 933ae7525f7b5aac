#include "query/compile/seen_types.h"

namespace tracebraid {

void SeenTypes::add(const ArrayData& array) {
  const bool has_values = array.null_count < array.length;
  switch (array.type) {
    case DataType::Int64:
      integers |= has_values;
      break;
    case DataType::Float64:
      reals |= has_values;
      break;
    case DataType::Utf8:
    case DataType::Dictionary:
      texts |= has_values;
      break;
    case DataType::Binary:
      blobs |= has_values;
      break;
    case DataType::Variant:
      for (const ArrayData& child : array.children) add(child);
      break;
    case DataType::Unknown:
    case DataType::Null:
      break;
  }
}

DataType SeenTypes::type(DataType text) const {
  if (blobs) return DataType::Binary;
  if (texts) return is_mixed() ? DataType::Utf8 : text;
  if (reals) return DataType::Float64;
  return integers ? DataType::Int64 : DataType::Null;
}

}  // namespace tracebraid
