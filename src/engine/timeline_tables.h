// The tables that all parts of a timeline read, for traces whose tables may be damaged. Called by
// those who make a timeline.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

using VerifyTable = std::function<Result<>(std::string_view table)>;
// Verifies these tables; Timeline::prepare() verifies those of the events.
Result<> verify_timeline_tables(const VerifyTable& verify);

}  // namespace tracebraid
