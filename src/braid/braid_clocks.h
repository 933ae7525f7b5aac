// Serialises the clock graph of a merged trace.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "merge/merge.h"

namespace tracebraid {

std::string stored_clocks(const MergedClocks& clocks);
// Returns null if there are no clocks or the bytes are malformed.
std::shared_ptr<const MergedClocks> clocks_from(std::string_view bytes, const Store& store);

}  // namespace tracebraid
