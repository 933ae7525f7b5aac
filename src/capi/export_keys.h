// The keys of tracebraid_options_set(): options of opening (engine/options.h), and of exports. In:
// texts. Out: members of the options. Called by options.cc.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "capi/handles.h"

namespace tracebraid::capi {

// Error of code Usage: no such key (names the nearest), or a bad value.
Result<> set_key(tracebraid_options& options, std::string_view key, std::string_view value);

// Returns all keys as a JSON array (tracebraid_options_keys()).
std::string keys_json();

}  // namespace tracebraid::capi
