// PartitionedSpans: the intervals of an input by partition and start.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "query/operators/gathered.h"
#include "query/operators/span_buffer.h"
#include "query/operators/span_sweep.h"
#include "query/scan/query_memory.h"

namespace tracebraid {

struct PartitionedSpans {
  std::vector<int64_t> partitions;   // distinct, increasing; one if the input has no partitions
  std::vector<size_t> starts = {0};  // of each partition in `spans`, and the end of the last
  SpanBuffer spans;                  // of equal ts, instants first, then by row

  std::span<const Span> of(size_t partition) const {
    return std::span(spans).subspan(starts[partition], starts[partition + 1] - starts[partition]);
  }
};

// Positions of the columns of an input.
struct SpanColumns {
  size_t ts = 0;
  std::optional<size_t> dur = {};        // without it all rows are instants
  std::optional<size_t> partition = {};  // rows whose partition is NULL are skipped
};

// Errors: Sql if a partition is not an integer, those of `stop`, Limit. Values of ts and dur that
// are not integers are converted as by CAST.
Result<PartitionedSpans> partitioned_spans(const GatheredRows& rows, const SpanColumns& columns,
                                           const StopCheck& stop, OperatorMemory& memory);

}  // namespace tracebraid
