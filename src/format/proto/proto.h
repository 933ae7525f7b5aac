// The reader of Perfetto protobuf traces.
//
// Input: the bytes of a file. Output: one EventBatch for the packets of the first pass and one per
// chunk of deferred packets. Called through Format::read, and by tests with a chunk size of their
// own.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "format/format.h"

namespace tracebraid::proto {

// Reads the file as Format::read does. Decodes deferred packets in parallel, about `stretch_bytes`
// at a time; defers nothing if it is 0.
Result<> read_file(Input& input, const ReadOptions& options, size_t chunk_bytes, Chunks& chunks);

}  // namespace tracebraid::proto
