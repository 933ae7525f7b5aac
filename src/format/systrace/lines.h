// Lines of kernel text: events, callstacks, comments and notices between them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "format/systrace/chunk.h"
#include "format/systrace/line.h"

namespace tracebraid::systrace {

class LineReader {
 public:
  explicit LineReader(Chunk& chunk) : chunk_(chunk) {}

  // Reads complete lines; the last may lack a line feed. `at` is their offset in the file.
  void read(std::string_view text, uint64_t at);

 private:
  void read_line(std::string_view text);
  void read_event_line(const Line& line);
  void read_comment(std::string_view text);
  void take_stack();
  bool read_stack_line(std::string_view text);
  void end_stack();
  bool read_notice(std::string_view text);  // lines between events

  Chunk& chunk_;
  std::optional<Line> stack_;  // the event of the callstack whose functions are being read
  std::string functions_;      // functions of stack_, leaf first
};

}  // namespace tracebraid::systrace
