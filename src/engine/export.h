// Exports: write a Trace as files for other programs. In: a trace and a request. Out: files.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/input_files.h"
#include "base/progress.h"
#include "base/result.h"
#include "export/request.h"

namespace tracebraid {

class Trace;

// Returns the kinds of exports: "perfetto", "sqlite" ...
std::span<const std::string_view> export_kinds();

// Returns an Error of code Usage if the export would replace one of the inputs, or a file or folder
// that no earlier export wrote (unless request.force). export_trace() checks the same; call this to
// know it before the trace is opened.
Result<> check_output(std::string_view kind, const ExportRequest& request,
                      const InputFiles& inputs);

// Writes the trace as a file or a folder of files, completely or not at all. Returns an Error of
// code Usage for an unknown kind, and as check_output() does. Progress: stages "exporting ...".
Result<ExportReport> export_trace(const std::shared_ptr<const Trace>& trace, std::string_view kind,
                                  const ExportRequest& request, Progress& progress);

}  // namespace tracebraid
