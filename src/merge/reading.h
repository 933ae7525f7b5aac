// Reading: each file separately. The first two stages of merge().
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/memory_limit.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/workers.h"
#include "container/trace_input.h"
#include "manifest/manifest.h"
#include "merge/files.h"
#include "merge/options.h"
#include "merge/problem.h"

namespace tracebraid {

struct Inputs {
  std::vector<TraceFile> files;
  std::vector<uint32_t> order;  // rows of files that are traces, in reading order
  std::vector<Manifest> manifests;
  std::string inner_manifest;          // see Merged
  bool are_none = false;               // the caller names no input: the tables are empty
  std::unique_ptr<HeldMemory> staged;  // of the events of `files`
};

// Undoes archives and compression, detects formats, and reads the manifests.
Result<Inputs> open_inputs(std::span<const TraceInput> from, const MergeOptions& options,
                           Progress& progress, std::vector<Problem>& problems);

// Reads all files, and files embedded in them, which join the list. Appends damage and losses to
// `problems`. Returns an Error when interrupted, when a file was damaged during reading, when the
// memory limit is exceeded, when nothing could be read, or, with `strict`, for the first problem.
Result<> read_inputs(const MergeOptions& options, Workers& workers, Progress& progress,
                     Inputs& inputs, std::vector<Problem>& problems);

// Returns the first 4096 bytes of the input, or all bytes of a shorter one.
std::string input_head(std::span<const TraceInput> inputs, std::span<const TraceFile> files);

}  // namespace tracebraid
