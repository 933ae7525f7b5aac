// Heap profiles of heapprofd (spec proto 6.8).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/proto/packet_output.h"
#include "format/proto/profile/stacks.h"
#include "format/proto/recording/latest_stats.h"

namespace tracebraid::proto {

class HeapProfileReader {
 public:
  void read(const PacketInfo& packet, std::string_view message, PacketOutput& out);
  // Emits unfinished dumps as far as they were read.
  void finish(PacketOutput& out);

 private:
  struct Dump {
    int64_t pid = 0;
    StringId heap_name;          // none if not given
    int64_t end = 0, start = 0;  // MONOTONIC_COARSE
    bool has_start = false;
    std::optional<EventTime> own_end;  // of our exporter: a time on the clock of the packet
    std::vector<HeapSample> samples;
  };
  struct Series {  // consecutive packets of one writer
    uint32_t machine = 0;
    std::optional<uint64_t> last_index;
    InternedStacks stacks;
    std::vector<Dump> dumps;
  };

  void read_dump(const PacketInfo& packet, Message message, Series& series, PacketOutput& out);
  void write_dumps(Series& series, PacketOutput& out);

  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, Series> series_;  // machine, sequence
  absl::flat_hash_map<uint32_t, LatestStats> latest_;                  // by machine
};

}  // namespace tracebraid::proto
