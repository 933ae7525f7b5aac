// PacketInfo: the context of a packet that its readers share.
#pragma once

#include <cstdint>
#include <optional>

#include "event/make_event.h"
#include "event/sink.h"
#include "format/proto/clocks.h"
#include "format/proto/sequence.h"
#include "format/proto/system/pid_namespaces.h"

namespace tracebraid::proto {

struct PacketInfo {
  uint32_t machine = 0;  // index of EventBatch::machines
  uint64_t at = 0;       // offset in the file
  Sequence* sequence = nullptr;
  std::optional<int64_t> trusted_pid;
  // Set if the writer may be in a pid namespace; null otherwise.
  const PidNamespaces* namespaces = nullptr;
  bool has_time = false;  // whether the packet has a timestamp
  EventTime time;

  // Returns whether ids of the writer may be local to a pid namespace.
  bool has_namespace() const { return namespaces != nullptr && namespaces->contains(*trusted_pid); }
  // Returns the machine's id for the writer's `id` (spec proto 4.3).
  int64_t resolve(int64_t id) const {
    return namespaces == nullptr || id == kNoId ? id : namespaces->resolve(*trusted_pid, id);
  }
};

}  // namespace tracebraid::proto
