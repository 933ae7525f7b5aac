// The reader of a JSON file, for Format::read and tests.
#pragma once

#include "format/format.h"

namespace tracebraid::json {

// As Format::read; the input is cut into blocks of this size.
Result<> read_file(Input& input, const ReadOptions& options, Pieces& pieces, size_t block_bytes);

}  // namespace tracebraid::json
