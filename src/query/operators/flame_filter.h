// Filters of a flamegraph: which rows of the source are shown, and with which self values.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "query/operators/flame_config.h"
#include "query/operators/flame_source.h"

namespace tracebraid {

struct FilteredFlames {
  // The nearest shown ancestor of each row; FlameSource::kNone for roots.
  std::vector<uint32_t> parents;
  std::vector<uint8_t> is_shown;  // whether a row is a node, with a value below or at it
  std::vector<Amounts> self;      // by value column and row
  double total = 0;               // of the primary value
};

// Returns, for each distinct text of the names, whether the pattern matches. Errors: Sql, and those
// of `stop`.
Result<std::vector<uint8_t>> matches_of(const FlameSource& source, const FlamePattern& pattern,
                                        const StopCheck& stop);

// Whether the name of a row matches.
inline bool is_match(const FlameSource& source, const std::vector<uint8_t>& matches, uint32_t row) {
  return source.texts.kind(row) == Cell::Kind::Text &&
         matches[static_cast<size_t>(source.texts.word(row))] != 0;
}

// `values`: columns of the source.
Result<FilteredFlames> filter_flames(const FlameSource& source, const FlameConfig& config,
                                     const std::vector<size_t>& values, const StopCheck& stop);

}  // namespace tracebraid
