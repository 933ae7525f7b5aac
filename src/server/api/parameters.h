// Parameters of the query of a call.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "server/api/api.h"

namespace tracebraid::api {

// Returns a parameter as a number from `low` to `high`; `otherwise` if it is absent. Error Usage.
Result<int64_t> number_parameter(const Call& call, std::string_view name, int64_t otherwise,
                                 int64_t low, int64_t high);

// Returns a parameter; empty if it is absent.
std::string text_parameter(const Call& call, std::string_view name);

}  // namespace tracebraid::api
