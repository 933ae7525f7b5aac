// Packets: one recording sends what the other one receives (spec alignment 3.4).
//
// Args name a packet: addresses, ports, and for TCP the sequence and acknowledgement numbers, for
// UDP the id of IP and a hash of the payload.
#pragma once

#include <span>

#include "merge/align/flows.h"

namespace tracebraid::align {

// Returns the packets that each recording sent and received. Numbers that do not look random are no
// keys, nor are those of connections that count from 0 (relative sequence numbers). If the kernel
// traced a packet at several places, one place of the file counts. At most a million of a file; of
// more, every n-th by key.
FlowMoments read_packets(std::span<const FileToLocate> files, const Trackers& trackers);

}  // namespace tracebraid::align
