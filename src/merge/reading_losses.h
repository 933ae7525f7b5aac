// What readers counted as lost or wrong, told in words.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "event/batch.h"

namespace tracebraid {

// One warning for each stat of severity data_loss or error that the reader of a file logged, by
// where in the file it first happened; of many kinds the first few, and one that counts the others.
std::vector<Error> reading_losses(std::span<const EventBatch> pieces);

}  // namespace tracebraid
