// The reader of the Trace Event Format.
//
// Input: the bytes of a JSON file. Output: one EventBatch per chunk, in the clocks of the file.
// Called by format.cc through Format::read, and by tests.
#pragma once

#include "format/format.h"

namespace tracebraid::json {

// Reads the file as Format::read does, in blocks of this size.
Result<> read_file(Input& input, const ReadOptions& options, Chunks& chunks, size_t block_bytes);

}  // namespace tracebraid::json
