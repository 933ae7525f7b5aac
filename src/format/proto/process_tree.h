// ProcessTree and ProcessStats: what the recorder saw in /proc (spec proto 4.2, 4.4).
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "event/sink.h"
#include "format/proto/packet_info.h"
#include "format/system_tracks.h"

namespace tracebraid::proto {

// Kernel workers of one machine: their names tell what they do at the moment.
using KernelWorkers = absl::flat_hash_set<int64_t>;  // pids

// What processes and threads of one machine are called in their namespaces, outermost first
// (spec proto 4.3).
struct PidNamespaces {
  absl::flat_hash_map<int64_t, std::vector<int64_t>> processes;  // by pid
  struct Thread {
    int64_t tid;
    std::vector<int64_t> ids;
  };
  absl::flat_hash_map<int64_t, std::vector<Thread>> threads;  // by pid

  // The id that the machine has for what a process calls `id`.
  int64_t resolve(int64_t pid, int64_t id) const;
};

void read_process_tree(const PacketInfo& packet, std::string_view message, KernelWorkers& workers,
                       PidNamespaces& namespaces, Clocks& clocks, EventSink& sink);

void read_process_stats(const PacketInfo& packet, std::string_view message, SystemTracks& tracks,
                        EventSink& sink);

}  // namespace tracebraid::proto
