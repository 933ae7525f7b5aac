// What opening a trace and opening a draft (engine/draft.h) have in common: options and inputs.
#pragma once

#include <span>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "container/trace_input.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "merge/options.h"

namespace tracebraid {

// Returns an Error of code Usage for a value that is not valid.
Result<MergeOptions> merge_options(const Engine& engine, const TraceOptions& options);

// Notes the files that the opening reads, which no output of the trace may replace.
void note_inputs(std::span<const TraceInput> inputs, const TraceOptions& options,
                 const HostFiles& files);

// Reads streams to their ends, because their bytes determine whether they are braids.
Result<std::vector<TraceInput>> gather_streams(std::span<const TraceInput> inputs,
                                               const MergeOptions& merge, Progress& progress);

// Whether the input is a braid.
bool is_braid_input(const TraceInput& input);

}  // namespace tracebraid
