// ProcessTree and ProcessStats: data of /proc (spec proto 4.2, 4.4).
#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <string_view>

#include "event/sink.h"
#include "event/system_tracks.h"
#include "format/proto/packet_info.h"
#include "format/proto/system/pid_namespaces.h"

namespace tracebraid::proto {

// Kernel workers of one machine: their names contain their current work.
using KernelWorkers = absl::flat_hash_set<int64_t>;  // pids

void read_process_tree(const PacketInfo& packet, std::string_view message, KernelWorkers& workers,
                       PidNamespaces& namespaces, Clocks& clocks, EventSink& sink);

void read_process_stats(const PacketInfo& packet, std::string_view message, SystemTracks& tracks,
                        EventSink& sink);

}  // namespace tracebraid::proto
