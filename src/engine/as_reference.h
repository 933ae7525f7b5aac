// What a strict reader loses of a file: a program that follows the rules of the reference alone
// (spec clocks 2 to 11).
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "container/trace_input.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "merge/reference/check.h"
#include "report/reference_report.h"

namespace tracebraid {

// Reads one file or archive. Uses the limits of `options` only. Returns an Error if the input is
// no trace, is a folder or is a braid.
Result<reference::Report> check_as_reference(const Engine& engine, const TraceInput& input,
                                             const TraceOptions& options, Progress& progress);

}  // namespace tracebraid
