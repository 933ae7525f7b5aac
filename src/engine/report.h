// Reports on a Trace, which `check` and `info` print: where each file lies on the timeline and why,
// what was lost, and what is in each file. In: a trace. Out: values, and their text and JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/check_report.h"
#include "report/file_report.h"

namespace tracebraid {

class Trace;

CheckReport check_report(const Trace& trace);

// How the events of one file got onto the timeline. `file` is a path of the report, or the end of
// one behind a '/'. Nothing if no file has it.
std::optional<std::string> explain_file(const Trace& trace, std::string_view file);

// The clock graph, for Graphviz and laid out.
std::string clock_graph_dot(const Trace& trace);
std::string clock_graph_svg(const Trace& trace);

// What is in each file, as text and as JSON.
std::string info_text(const Trace& trace);
std::string info_json(const Trace& trace);

}  // namespace tracebraid
