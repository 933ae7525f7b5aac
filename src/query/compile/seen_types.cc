#include "query/compile/seen_types.h"

namespace tracebraid {

DataType SeenTypes::type(DataType text) const {
  if (blobs) return DataType::Binary;
  if (texts) return is_mixed() ? DataType::Utf8 : text;
  if (reals) return DataType::Float64;
  return integers ? DataType::Int64 : DataType::Null;
}

}  // namespace tracebraid
