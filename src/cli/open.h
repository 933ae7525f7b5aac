// What every command that opens traces shares: its options, and the opening.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "engine/session.h"

namespace tracebraid {

// As typed; what the options of open_option_group() set.
struct OpenArguments {
  bool strict = false;
  bool drop_negative = false;
  bool no_progress = false;
  bool quiet = false;
  bool timing = false;
  bool cache = false;
  unsigned threads = 0;
  std::string manifest;
  std::string clock_fit = "shift";
  bool sync_same_domain = false, sync_strict = false;
  std::string join_flows;   // empty: as the manifest says, else auto
  std::string clock_model;  // empty: as the manifest says, else linear
  ContainerLimits limits;
  uint64_t memory_limit = 0;  // bytes; 0: none
  ReadOptions read;
  std::vector<std::string> proto_descriptors;  // files
  bool no_ftrace_raw = false;
};

// `arguments` outlives the parse.
OptionGroup open_option_group(OpenArguments& arguments);

OpenOptions open_options(const OpenArguments& arguments);

// Opens with a progress bar, after reading the files that options name. Warns of the parts that
// could not be read. The session lives until the process ends: that gives all its memory back at
// once, where freeing table after table takes as long as many a query. `for_queries`: see
// OpenOptions.
Result<std::reference_wrapper<Session>> open_session(std::span<const std::string> files,
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
