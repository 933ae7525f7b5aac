// The options and the opening of traces, shared by all commands that open traces.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/input_files.h"
#include "base/progress.h"
#include "base/stop.h"
#include "cli/command.h"
#include "engine/options.h"
#include "engine/trace.h"

namespace tracebraid {

// The values of the options of open_option_group(), unchecked.
struct OpenArguments {
  OpenOptions options;
  bool no_progress = false;
  bool quiet = false;
  bool timing = false;
  uint64_t memory_limit = 0;  // bytes; 0: none
  // Whether the command itself prints statements of the manifest that do not hold.
  bool leaves_void_statements = false;
};

// `arguments` must outlive the parse.
OptionGroup open_option_group(OpenArguments& arguments);

// Reads the files that options name, then opens with a progress bar. Warns of parts that could not
// be read. `for_queries`: see TraceOptions. The trace is never freed, because the end of the
// process releases its memory faster.
Result<std::shared_ptr<const Trace>> open_trace(std::span<const std::string> files,
                                                const OpenArguments& arguments,
                                                bool for_queries = false);

// Returns the options of openings, with the contents of the files that they name.
Result<TraceOptions> trace_options(const OpenArguments& arguments);

// Sets the budget of --memory-limit, if it was given.
Result<> set_memory_limit(const OpenArguments& arguments);

// Returns an engine with the options of the command, which maps files (see cli/host.h).
Result<std::shared_ptr<const Engine>> make_engine(const OpenArguments& arguments);

// Returns the files that the command reads: traces, manifest, descriptors.
InputFiles input_files(std::span<const std::string> files, const OpenArguments& arguments);
// Returns an Error of code Usage if `path` is one of these, or an existing file without --force.
Result<> check_output(const std::string& path, bool force, std::span<const std::string> files,
                      const OpenArguments& arguments);

// Returns an Error of code Usage if there is no file.
Result<> require_files(std::span<const std::string> files);

// Runs long work, with a progress bar if stderr is a terminal. Ctrl-C cancels it, and requests
// `stop`, which may be null.
Result<> with_progress(const OpenArguments& arguments,
                       const std::function<Result<>(Progress& progress)>& work,
                       Stop* stop = nullptr);

// Prints "path: message" for each problem, unless --quiet.
void print_problems(std::span<const Problem> problems, const OpenArguments& arguments);

}  // namespace tracebraid
