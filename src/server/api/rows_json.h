// Rows of batches as JSON arrays, in which readers see the exact values.
#pragma once

#include <string>

#include "engine/rows.h"

namespace tracebraid::api {

// Appends [value, ...]. Integers of magnitude 2^53 and more are texts.
void append_json_row(std::string& to, const RecordBatch& batch, size_t row);

}  // namespace tracebraid::api
