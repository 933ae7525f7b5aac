#include "engine/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/boundary.h"
#include "engine/connection.h"
#include "engine/timeline_extra.h"
#include "engine/trace.h"
#include "export/export.h"
#include "export/written_files.h"

namespace tracebraid {

std::span<const std::string_view> export_kinds() {
  static const std::vector<std::string_view> kKinds = [] {
    std::vector<std::string_view> kinds;
    for (const Exporter& exporter : all_exporters()) kinds.push_back(exporter.name);
    return kinds;
  }();
  return kKinds;
}

Result<> check_output(std::string_view kind, const ExportRequest& request,
                      const InputFiles& inputs) {
  const Exporter* exporter = find_exporter(kind);
  std::error_code failed;
  if (!std::filesystem::is_directory(request.path, failed))
    return check_output_file(request.path, request.force, inputs);
  if (exporter != nullptr && !exporter->writes_folders)
    return fail(ErrorCode::Io,
                fmt::format("cannot write {}: a folder has this name", request.path));
  return request.force ? Result<>() : check_export_folder(request.path);
}

Result<ExportReport> export_trace(const std::shared_ptr<const Trace>& trace, std::string_view kind,
                                  const ExportRequest& request, Progress& progress) {
  return at_boundary(trace->broken(), [&]() -> Result<ExportReport> {
    const Exporter* exporter = find_exporter(kind);
    if (exporter == nullptr)
      return fail(ErrorCode::Usage, fmt::format("there is no kind of export '{}', only {}", kind,
                                                fmt::join(export_kinds(), ", ")));
    TB_TRY(check_output(kind, request, *trace->files().inputs));
    TB_TRY(trace->verify_all());
    TB_TRY_ASSIGN(const std::unique_ptr<TraceConnection> connection, TraceConnection::open(trace));
    return exporter->write({trace->merged(),
                            connection->connection(),
                            trace->files(),
                            trace->engine().plugin_folder(),
                            {.stop = request.stop, .deadline = request.deadline},
                            timeline_extra(*trace->merged().store, trace->engine().threads())},
                           request, progress);
  });
}

}  // namespace tracebraid
