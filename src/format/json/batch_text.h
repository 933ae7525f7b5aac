// For tests: what the reader says about a text, as lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "event/batch.h"
#include "format/format.h"

namespace tracebraid::json {

// The batches of all chunks.
std::vector<EventBatch> read_batches(Input& input, unsigned threads = 1,
                                     size_t block_bytes = size_t{4} << 20);

// A line an event:   X 1.2 @1000+500 name/category {args.k=1}
// then untimed events, tracks' facts, metadata; `stats` gives "name=1 name=2".
std::string events_of(const std::vector<EventBatch>& batches);
std::string events_of(std::string_view json);
std::string stats_of(const std::vector<EventBatch>& batches);
std::string stats_of(std::string_view json);
std::string metadata_of(std::string_view json);

}  // namespace tracebraid::json
