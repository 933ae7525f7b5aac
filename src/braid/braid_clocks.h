// The clocks of a merged trace as bytes: what is known of them, from which the graph is made again.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "merge/merge.h"

namespace tracebraid {

std::string stored_clocks(const MergedClocks& clocks);
// Null if there are none, or the bytes make no sense.
std::shared_ptr<const MergedClocks> clocks_from(std::string_view bytes, const Store& store);

}  // namespace tracebraid
