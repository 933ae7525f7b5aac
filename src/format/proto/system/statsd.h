// Atoms of Android's statsd (spec proto 6.6).
#pragma once

#include <cstdint>
#include <string_view>

#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// Atoms without a descriptor: they become slices without args.
struct StatsdState {
  uint64_t without_fields = 0;
  uint64_t bytes = 0;
};

// Emits a slice for each atom, at its own time in BOOTTIME.
void read_statsd_atoms(const PacketInfo& packet, std::string_view message, StatsdState& state,
                       PacketOutput& out);

// Call at the end of the file: lists data that was not imported.
void finish_statsd(const StatsdState& state, PacketOutput& out);

}  // namespace tracebraid::proto
