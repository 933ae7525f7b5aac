#include "format/systrace/sniff.h"

#include <algorithm>

#include "base/words.h"
#include "format/systrace/graph_line.h"
#include "format/systrace/line.h"

namespace tracebraid::systrace {
namespace {

constexpr size_t kHeaderBytes = 4096;

// Matches a line between or before events.
bool is_notice(std::string_view line) {
  return line.starts_with('#') || line.starts_with("version =") || line.starts_with("cpus=") ||
         (line.starts_with("CPU") && line.ends_with("is empty"));
}

}  // namespace

bool is_text(std::string_view head) {
  constexpr std::string_view kTracer = "# tracer";
  head = without_byte_order_mark(head);
  const std::string_view header = head.substr(0, kHeaderBytes);
  const size_t first = header.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || header[first] == '{' || header[first] == '[') return false;
  const size_t tracer = header.find(kTracer);
  if (tracer == 0 || (tracer != std::string_view::npos && header[tracer - 1] == '\n')) return true;
  bool has_notice = false;
  for (std::string_view rest = head; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (trim(line).empty()) continue;
    if (line == "TRACE:" || line.starts_with("cpus=")) return true;
    if (is_notice(line)) {
      has_notice |= !line.starts_with('#');  // other tools write comments, too
      continue;
    }
    if (parse_line(line, kUsualFlagWidth) || parse_graph_line(line)) return true;
    if (!has_notice) break;  // only the first line counts
  }
  // Text of a tool before the trace.
  return header.find("\nTRACE:\n") != std::string_view::npos ||
         header.find("\nTRACE:\r\n") != std::string_view::npos;
}

}  // namespace tracebraid::systrace
