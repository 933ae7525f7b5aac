// Args of compute kernels of GPUs (spec proto-2 4.2). Called by the reader of render stages.
#pragma once

#include <cstdint>

#include "format/common/proto_wire.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// Adds the args of the interned kernel with this iid to the open set; none if it is not known.
void add_kernel_args(const PacketInfo& packet, uint64_t iid, EventSink& sink);
// Adds the args of a ComputeKernelLaunch to the open set.
void add_launch_args(const PacketInfo& packet, Message launch, EventSink& sink);

}  // namespace tracebraid::proto
