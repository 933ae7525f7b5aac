// Shell transitions of Android's windows (spec proto-2 11).
//
// Input: ShellTransition and ShellHandlerMappings messages. Output: rows of the tables
// window_manager_shell_transition*. Called by window_packets.cc.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/proto/packet_info.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// The packets of each transition, which together make one row.
struct ShellTransitions {
  struct Part {
    EventTime time;
    uint64_t at;  // offset of the packet
    std::string message;
  };
  struct Transition {
    int32_t id;
    std::vector<Part> parts;  // not empty
  };
  std::vector<Transition> all;
  absl::flat_hash_map<int32_t, size_t> by_id;  // indexes of `all`
};

void read_shell_transition(const PacketInfo& packet, std::string_view message,
                           ShellTransitions& transitions, PacketOutput& out);
void read_shell_handlers(const PacketInfo& packet, std::string_view message, PacketOutput& out);

// Call at the end of the file.
void finish_shell_transitions(uint32_t machine, ShellTransitions& transitions, PacketOutput& out);

}  // namespace tracebraid::proto
