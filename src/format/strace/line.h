// Parses lines of strace -f -ttt (or -r, -t, -tt).
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
    ResumedUnfinished,  // resumes a call that stays unfinished
    Signal,             // --- SIGCHLD {...} ---
    Exit,               // +++ exited with 0 +++
  };
  Kind kind = Kind::Call;
  std::optional<int64_t> tid;
  bool is_on_terminal = false;         // the tid is in brackets: other lines may lack theirs
  int64_t ns = 0;                      // since 1970; with option -r since the line before
  bool is_of_day = false;              // options -t and -tt: since midnight
  std::string_view name;               // name of the call or signal
  std::string_view args;               // text between the brackets
  std::string_view result;             // returned value
  std::string_view comm;               // name of the thread, option -Y
  std::optional<int64_t> duration_ns;  // option -T
};

std::optional<Line> parse_line(std::string_view text);

// Returns the process that a notice announces as traced: "strace: Process 12 attached".
std::optional<int64_t> attached(std::string_view text);
// Matches messages of strace itself ("strace: Process 12 attached"), and frames of option -k.
bool is_notice(std::string_view text);
// Matches a call without a time.
bool is_timeless(std::string_view text);

}  // namespace tracebraid::strace
