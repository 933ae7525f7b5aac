// Parses lines of the function_graph tracer: " 0)  sh-48
//   0.633 us
//  vfs_stat();"
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "event/names.h"

namespace tracebraid::systrace {

// The text after the columns.
struct GraphBody {
  enum class Kind : uint8_t {
    Enter,    // name() {
    Leaf,     // name();
    Leave,    // }
    Comment,  // /* text */
    None,     // nothing, or an arrow for an interrupt
  };
  Kind kind = Kind::None;
  std::string_view name;    // Enter, Leaf; Leave if it names the function; text of Comment
  std::string_view args;    // between the parentheses; empty if none were recorded
  std::string_view result;  // of Leaf and Leave; empty if it was not recorded
};

struct GraphLine {
  enum class Kind : uint8_t {
    Call,    // has a body
    Switch,  // " 0)  a-1  =>  b-2": the CPU runs another task from here on
  };
  Kind kind = Kind::Call;
  uint32_t cpu = 0;
  std::optional<int64_t> ns;  // none without a column for the time
  bool is_count = false;      // of the time: it has no point
  int64_t tid = kNoId;        // kNoId: no such column. Switch: the next task
  std::string_view task;
  std::optional<int64_t> duration_ns;
  GraphBody body;
};

std::optional<GraphLine> parse_graph_line(std::string_view text);

}  // namespace tracebraid::systrace
