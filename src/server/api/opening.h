// Opening traces as jobs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "server/api/api.h"
#include "server/api/open_inputs.h"

namespace tracebraid::api {

// Lists a trace that is being opened, with its job. Error Limit if too many are open.
Result<std::shared_ptr<OpenTrace>> list_trace(Api& api, const OpenRequest& request);
// Opens a trace that is listed. Blocks; job->cancel() ends it with Cancelled.
Result<> open_listed(Api& api, OpenTrace& trace, const OpenRequest& request);

// Begins to open a trace and returns it. Error Limit if too many are open.
Result<std::shared_ptr<OpenTrace>> begin_opening(Api& api, OpenRequest request);
// Does so and returns the answer, {"job","trace"}.
http::Response open_and_answer(Api& api, OpenRequest request);
inline constexpr std::string_view kOpeningSchema =
    R"({"type":"object","required":["job","trace"],"properties":{"job":{"type":"string"},"trace":{"type":"string"}}})";

// Opens the files of the command line, without those that do not exist.
Result<> open_files(Api& api);

}  // namespace tracebraid::api
