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
  std::vector<MissingInput> missing;
  TraceOptions options;
};

// Begins to open a trace and returns it. Error Limit if too many are open.
Result<std::shared_ptr<OpenTrace>> begin_opening(Api& api, OpenRequest request);

// Opens the files of the command line, without those that do not exist.
Result<> open_files(Api& api);

}  // namespace tracebraid::api
