// Thread descriptors: the threads that packets describe, alone or as owners of tracks (spec proto
// 4.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "event/sink.h"
#include "format/proto/packet_info.h"

namespace tracebraid::proto {

// The fields of a ThreadDescriptor and a ChromeThreadDescriptor. `own` points into the message.
struct ThreadFields {
  std::optional<int64_t> pid, tid;
  StringId name;
  uint32_t chrome_type = 0;
  bool is_sandboxed = false;
  int64_t reference_us = 0, thread_time_us = 0, instructions = 0;
  std::string_view own;
  // The tid, with the pid in its upper bits if it is local to a namespace: local tids of
  // different processes may be equal. Requires: there is a tid, and a pid of a local one.
  int64_t global_tid() const {
    if (!is_sandboxed) return *tid;
    return static_cast<int64_t>(static_cast<uint64_t>(*pid) << 32 | static_cast<uint32_t>(*tid));
  }
};

// Each reads one message into the fields that it gives.
void read_thread(std::string_view message, ThreadFields& thread, EventSink& sink);
void read_chrome_thread(std::string_view message, ThreadFields& thread);

// Emits the events of a thread: existence, names, args. `life` distinguishes it from other threads
// with its tid. Requires: it has a pid and a tid.
void emit_thread(const PacketInfo& packet, const ThreadFields& thread, uint64_t life,
                 EventSink& sink);

// Makes the thread the writer of the packet's sequence from here on.
void set_writer(const PacketInfo& packet, const ThreadFields& thread);

// Reads a packet of old versions that is a ThreadDescriptor.
void read_thread_packet(const PacketInfo& packet, std::string_view message, EventSink& sink);

}  // namespace tracebraid::proto
