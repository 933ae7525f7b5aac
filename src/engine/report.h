// Reports on a Trace, which `check` and `info` print: how each file was placed, which events were
// dropped, and the content of each file. In: a trace. Out: values, and their text and JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/check_report.h"
#include "report/file_report.h"
#include "report/verdict.h"

namespace tracebraid {

class Trace;

Result<CheckReport> check_report(const Trace& trace);

// Explains how the events of one file were placed. `file` is a path of the report, or its end after
// a '/'. Returns nothing if no file matches, and an Error of code Usage that lists the files if
// several match.
Result<std::optional<std::string>> explain_file(const Trace& trace, std::string_view file);

// Return the clock graph as DOT and as SVG.
Result<std::string> clock_graph_dot(const Trace& trace);
Result<std::string> clock_graph_svg(const Trace& trace);

// Return the content of each file as text, with lines that fit a terminal of `width` columns (0:
// any), and as JSON.
Result<std::string> info_text(const Trace& trace, size_t width = 0);
Result<std::string> info_json(const Trace& trace);

}  // namespace tracebraid
