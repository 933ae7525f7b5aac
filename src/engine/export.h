// Exports: a Trace in, files for other programs out.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "export/request.h"

namespace tracebraid {

class Trace;

// The kinds of files: "perfetto", "sqlite" and the like.
std::span<const std::string_view> export_kinds();

// Writes the trace as a file of that kind, or a folder of files: whole or not at all. An Error of
// code Usage if there is no such kind. Progress: stages "exporting ...".
Result<ExportReport> export_trace(const std::shared_ptr<const Trace>& trace, std::string_view kind,
                                  const ExportRequest& request, Progress& progress);

}  // namespace tracebraid
