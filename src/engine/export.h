// Exports: write a Trace as files for other programs. In: a trace and a request. Out: files.
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

// Returns the kinds of exports: "perfetto", "sqlite" ...
std::span<const std::string_view> export_kinds();

// Writes the trace as a file or a folder of files, completely or not at all. Returns an Error of
// code Usage for an unknown kind. Progress: stages "exporting ...".
Result<ExportReport> export_trace(const std::shared_ptr<const Trace>& trace, std::string_view kind,
                                  const ExportRequest& request, Progress& progress);

}  // namespace tracebraid
