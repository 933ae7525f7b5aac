// Parses the lines of perf script's text (spec json 11.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracebraid::perf_text {

// The form "comm pid/tid [cpu] secs.micros: rest".
struct Header {
  std::string_view comm;
  int64_t pid = 0, tid = 0;
  bool has_pid = false;
  int64_t cpu = -1;
  int64_t ts = 0;  // ns
  std::string_view rest;
};
std::optional<Header> parse_header(std::string_view line);

// The form "address symbol+offset (mapping)".
struct Frame {
  uint64_t address = 0;
  std::string_view symbol, mapping;
};
std::optional<Frame> parse_frame(std::string_view line);

// "file:line", which field srcline puts after a frame. For an unknown location, "??:0" or
// "mapping[address]", the file is empty.
struct Source {
  std::string_view file;
  int64_t line = 0;
};
std::optional<Source> parse_source(std::string_view line);

// The text after the time: the period, if given, the event's name, and its details.
struct What {
  double period = 1;
  std::string_view event;
  std::string_view details;
};
What parse_what(std::string_view rest);

// Returns the name of a tracepoint within its system: "sched:sched_switch" is one, "cycles:u" is
// not. Empty for other events.
std::string_view tracepoint_of(std::string_view event);

// Returns whether the text ends with branches of the form "0x1139/0x1150/P/-/-/1" (field brstack).
bool has_branches(std::string_view text);

// Returns the address that a sample without a callstack may have on its line, "address symbol
// (mapping)"; for a branch its source: "call  address symbol (mapping) => ...".
std::optional<Frame> parse_frame_in(std::string_view details);

}  // namespace tracebraid::perf_text
