// AlignOptions: which kinds of content relate clocks (spec alignment 7.2).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

enum class AlignKind : uint8_t {
  TaskSwitches,
  Collectives,
  Flows,
  Markers,
  Spans,
  SameEvents,
  Logs,
  Rpc,
  Packets,
  Wakeups,
  Barriers,
  Mpi
};
inline constexpr std::array<std::string_view, 12> kAlignKinds{
    "task_switches", "collectives", "flows",   "markers", "spans",    "same_events",
    "logs",          "rpc",         "packets", "wakeups", "barriers", "mpi"};

struct AlignOptions {
  uint32_t kinds = ~uint32_t{0};  // bits of AlignKind; 0: off
  bool places = true;             // false: matches are only reported

  friend bool operator==(const AlignOptions&, const AlignOptions&) = default;
  bool has(AlignKind kind) const { return (kinds >> static_cast<uint32_t>(kind) & 1) != 0; }
};

// Returns the text that parse_align() parses to the same options.
std::string align_text(const AlignOptions& options);

// Parses auto, off, verify, or a list of kinds with commas; nothing for an unknown kind.
std::optional<AlignOptions> parse_align(std::string_view text);

}  // namespace tracebraid
