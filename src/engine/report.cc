#include "engine/report.h"

#include "base/boundary.h"
#include "engine/trace.h"
#include "merge/merge.h"
#include "report/clock_picture.h"
#include "report/explain.h"

namespace tracebraid {
namespace {

const Store& store_of(const Trace& trace) { return *trace.merged().store; }

FilesReport files_report(const Trace& trace) {
  return files_report(store_of(trace), trace.problems(), trace.not_imported());
}

}  // namespace

Result<CheckReport> check_report(const Trace& trace) {
  return at_boundary(trace.broken(), [&]() -> Result<CheckReport> {
    return check_report(store_of(trace), trace.negative_dropped(), trace.problems(),
                        trace.not_imported());
  });
}

Result<std::optional<std::string>> explain_file(const Trace& trace, std::string_view file) {
  return at_boundary(trace.broken(), [&]() -> Result<std::optional<std::string>> {
    return explain_file(store_of(trace), file);
  });
}

Result<std::string> clock_graph_dot(const Trace& trace) {
  return at_boundary(trace.broken(),
                     [&]() -> Result<std::string> { return clock_graph_dot(store_of(trace)); });
}
Result<std::string> clock_graph_svg(const Trace& trace) {
  return at_boundary(trace.broken(),
                     [&]() -> Result<std::string> { return clock_graph_svg(store_of(trace)); });
}

Result<std::string> info_text(const Trace& trace, size_t width) {
  return at_boundary(trace.broken(), [&]() -> Result<std::string> {
    return files_text(files_report(trace), store_of(trace), width);
  });
}
Result<std::string> info_json(const Trace& trace) {
  return at_boundary(trace.broken(), [&]() -> Result<std::string> {
    return files_json(files_report(trace), store_of(trace));
  });
}

}  // namespace tracebraid
