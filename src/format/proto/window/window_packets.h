// Window traces: dispatches packets about windows, layers and input of Android to their readers
// (spec proto-2 11).
//
// Input: packets of window traces. Output: rows of the tables of tables/window_tables.h. Called by
// format/proto/system.
#pragma once

#include <cstdint>
#include <string_view>

#include "format/proto/packet_info.h"
#include "format/proto/packet_output.h"
#include "format/proto/window/protolog.h"
#include "format/proto/window/shell_transitions.h"
#include "format/proto/window/transactions.h"

namespace tracebraid::proto {

// The state of one machine.
struct WindowTraces {
  TransactionFlags transaction_flags;
  ShellTransitions transitions;
  ProtologState protolog;
};

// Returns false for another packet field.
bool read_window_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                        WindowTraces& state, PacketOutput& out);

// Call at the end of the file.
void finish_window_traces(uint32_t machine, WindowTraces& state, PacketOutput& out);

}  // namespace tracebraid::proto
