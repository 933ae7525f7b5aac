// Transactions of SurfaceFlinger (spec proto-2 11).
//
// Input: TransactionTraceEntry messages. Output: rows of surfaceflinger_transactions,
// surfaceflinger_transaction and surfaceflinger_transaction_flag. Called by window_packets.cc.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>

#include "format/proto/packet_info.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// The flags_id of each distinct value of `what`.
struct TransactionFlags {
  absl::flat_hash_map<uint64_t, int64_t> of_layers, of_displays;
};

void read_transactions(const PacketInfo& packet, std::string_view message, TransactionFlags& flags,
                       PacketOutput& out);

}  // namespace tracebraid::proto
