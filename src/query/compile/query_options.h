// QueryOptions: what a caller may say of a query beside its text.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/stop.h"
#include "query/compile/parameters.h"
#include "query/scan/stop_check.h"

namespace tracebraid {

struct QueryOptions {
  std::vector<Parameter> parameters = {};
  // Ends the query with Cancelled: before, during and between rows. May be null.
  std::shared_ptr<const Stop> stop = {};
  std::optional<StopCheck::Clock::time_point> deadline = {};  // then it ends with Timeout
};

}  // namespace tracebraid
