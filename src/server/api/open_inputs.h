// OpenRequest: the inputs of a trace or a draft, and the options they are opened with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/options.h"
#include "server/api/open_trace.h"
#include "server/api/upload.h"

namespace tracebraid::api {

struct OpenRequest {
  std::vector<TraceInputName> inputs;            // for display
  std::vector<std::string> paths;                // of the files
  std::vector<std::shared_ptr<Upload>> uploads;  // behind them
  std::vector<TraceInput> buffers;               // behind these
  uint64_t bytes = 0;                            // size of all inputs that are known
  std::vector<MissingInput> missing;
  TraceOptions options;
  std::string manifest;  // text of a manifest; empty: as the options say
};

// Returns the inputs of the request. Those that are uploads hold their uploads.
Result<std::vector<TraceInput>> trace_inputs(const OpenRequest& request);
// Returns the command that prints the report of the inputs.
std::string command_of(const OpenRequest& request);
std::string title_of(const OpenRequest& request);

}  // namespace tracebraid::api
