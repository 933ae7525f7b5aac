// Losses: warnings for data that is missing or was changed, whichever stage counted it.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "event/batch.h"
#include "event/stat.h"
#include "merge/options.h"
#include "merge/report.h"

namespace tracebraid {

struct LossWarning {
  FileId file;        // of stage_losses() only
  StatLevel level{};  // the worst of several
  Error error;
};

inline bool is_refused(const LossWarning& warning, const MergeOptions& options) {
  return options.strict && fails_strict(warning.level, options.strict_all);
}

// Which repairs are warnings, besides losses.
enum class Repairs : uint8_t { None, Grave, All };  // grave: of severity data_loss or error

// Returns one warning for each stat of a loss or repair that the reader of a file logged, and for
// each stat of events that it lost without a log. Sorted by the offset of the first occurrence. If
// there are many, returns the first few and one that counts the others.
std::vector<LossWarning> reading_losses(std::span<const EventBatch> chunks, Repairs repairs);

// Returns one warning for each file and stat of events that were read, but are on no row. `bumps`
// and `logs` are those of placing and assembling.
std::vector<LossWarning> stage_losses(std::span<const StatBump> bumps,
                                      std::span<const PendingLog> logs, Repairs repairs);

}  // namespace tracebraid
