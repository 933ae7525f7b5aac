// A line of strace -f -ttt (or -r, -t, -tt), taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebraid::strace {

struct Line {
  enum class Kind : uint8_t {
    Call,
    Unfinished,         // begins a call
    Resumed,            // ends one
    ResumedUnfinished,  // goes on with one
    Signal,             // --- SIGCHLD {...} ---
    Exit,               // +++ exited with 0 +++
  };
  Kind kind = Kind::Call;
  std::optional<int64_t> tid;
  bool is_on_terminal = false;         // the tid stands in brackets: others may not be said
  int64_t ns = 0;                      // since 1970; of option -r since the line before
  bool is_of_day = false;              // options -t and -tt: since midnight
  std::string_view name;               // of the call or signal
  std::string_view args;               // between the brackets
  std::string_view result;             // what it returned
  std::string_view comm;               // of the thread, option -Y
  std::optional<int64_t> duration_ns;  // option -T
};

std::optional<Line> parse_line(std::string_view text);

// The process that a notice says is traced from now on: "strace: Process 12 attached".
std::optional<int64_t> attached(std::string_view text);
// What strace says of itself ("strace: Process 12 attached"), and frames of option -k.
bool is_notice(std::string_view text);
// A call without a time before it.
bool is_timeless(std::string_view text);

}  // namespace tracebraid::strace
