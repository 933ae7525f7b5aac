// Opening traces as jobs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/options.h"
#include "server/api/api.h"

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

// Lists a trace that is being opened, with its job. Error Limit if too many are open.
Result<std::shared_ptr<OpenTrace>> list_trace(Api& api, const OpenRequest& request);
// Opens a trace that is listed. Blocks; job->cancel() ends it with Cancelled.
Result<> open_listed(Api& api, OpenTrace& trace, const OpenRequest& request);

// Returns the inputs of the request. Those that are uploads hold their uploads.
Result<std::vector<TraceInput>> trace_inputs(const OpenRequest& request);
// Returns the command that prints the report of the inputs.
std::string command_of(const OpenRequest& request);
std::string title_of(const OpenRequest& request);

// Begins to open a trace and returns it. Error Limit if too many are open.
Result<std::shared_ptr<OpenTrace>> begin_opening(Api& api, OpenRequest request);
// Does so and returns the answer, {"job","trace"}.
http::Response open_and_answer(Api& api, OpenRequest request);
inline constexpr std::string_view kOpeningSchema =
    R"({"type":"object","required":["job","trace"],"properties":{"job":{"type":"string"},"trace":{"type":"string"}}})";

// Opens the files of the command line, without those that do not exist.
Result<> open_files(Api& api);

}  // namespace tracebraid::api
