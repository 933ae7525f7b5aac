// Reading losses: warnings for data that readers skipped or repaired.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "event/batch.h"

namespace tracebraid {

// Returns one warning for each stat of severity data_loss or error that the reader of a file
// logged, sorted by the offset of the first occurrence. If there are many, returns the first few
// and one that counts the others.
std::vector<Error> reading_losses(std::span<const EventBatch> chunks);

}  // namespace tracebraid
