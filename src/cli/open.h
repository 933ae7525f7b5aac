// What every command that opens traces shares: its options, and the opening.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "engine/options.h"
#include "engine/trace.h"

namespace tracebraid {

// As typed; what the options of open_option_group() set.
struct OpenArguments {
  OpenOptions options;
  bool no_progress = false;
  bool quiet = false;
  bool timing = false;
  uint64_t memory_limit = 0;  // bytes; 0: none
};

// `arguments` outlives the parse.
OptionGroup open_option_group(OpenArguments& arguments);

// Opens with a progress bar, after reading the files that options name. Warns of the parts that
// could not be read. `for_queries`: see TraceOptions. The trace lives until the process ends: that
// gives all its memory back at once, where freeing table after table takes as long as many a query.
Result<std::shared_ptr<const Trace>> open_trace(std::span<const std::string> files,
                                                const OpenArguments& arguments,
                                                bool for_queries = false);

// At least one, or an Error of code Usage.
Result<> require_files(std::span<const std::string> files);

// Runs long work with a progress bar, if stderr is a terminal. Ctrl-C cancels it.
Result<> with_progress(const OpenArguments& arguments,
                       const std::function<Result<>(Progress& progress)>& work);

// "path: message" for each, unless --quiet.
void print_problems(std::span<const Problem> problems, const OpenArguments& arguments);

}  // namespace tracebraid
