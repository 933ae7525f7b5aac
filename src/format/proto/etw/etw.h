// Kernel events of Windows (spec proto-2 2): scheduling, file and disk operations, memory.
//
// Input: packets etw_events. Output: scheduler events, slices, counters. Called by SystemPackets.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// The begin or end of an operation on a file. The request pointer relates both.
struct EtwFileOperation {
  EventTime time;
  uint32_t thread = kNone;
  StringId name;  // none also for opcodes without a name
  uint32_t args = kNone;
  std::optional<uint64_t> request;
  bool is_end = false;
};

// The state of one machine. Ends of operations may come before their begins in the file, therefore
// operations are kept until its end.
struct EtwState {
  std::vector<EtwFileOperation> operations;  // in file order
};

void read_etw_events(const PacketInfo& packet, std::string_view message, EtwState& state,
                     PacketOutput& out);
// Call at the end of the file: emits the slices of file operations.
void finish_etw_events(uint32_t machine, EtwState& state, PacketOutput& out);

}  // namespace tracebraid::proto
