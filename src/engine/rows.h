// Writes rows as text, in the formats of `query --format`, and JSON documents. In: batches. Out:
// bytes to a descriptor, or a text.
#pragma once

#include "export/rows/cell_text.h"
#include "export/rows/json_text.h"
#include "export/rows/letter_width.h"
#include "export/rows/output.h"
#include "export/rows/row_writer.h"
#include "query/batch/cell_at.h"
#include "query/compile/query_options.h"

namespace tracebraid {

// Returns the options of a query whose rows a user waits for: batches are small enough for the
// processor's caches, and rows that come slowly are written in time.
inline QueryOptions text_query_options() {
  return {.verbatim = true, .batch_rows = 4096, .batch_time = std::chrono::milliseconds(100)};
}

}  // namespace tracebraid
