// Values that a writer sends as differences since its last packet.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>

#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// Returns the state of the packet's writer, which is empty after the writer cleared its own.
// `Writer` has a member `generation`.
template <class Writer>
Writer& writer_of(const PacketInfo& packet, absl::flat_hash_map<uint32_t, Writer>& writers) {
  Writer& writer = writers[packet.sequence->id];
  if (writer.generation != packet.sequence->generation) {
    writer = {};
    writer.generation = packet.sequence->generation;
  }
  return writer;
}

}  // namespace tracebraid::proto
