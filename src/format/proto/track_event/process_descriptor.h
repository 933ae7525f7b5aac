// Process descriptors: the processes that packets describe, alone or as owners of tracks (spec
// proto 4.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "event/sink.h"
#include "format/proto/packet_info.h"

namespace tracebraid::proto {

class Clocks;

// The fields of a ProcessDescriptor and a ChromeProcessDescriptor. Views point into the message.
struct ProcessFields {
  std::optional<int64_t> pid;
  StringId name;
  std::vector<std::string_view> labels;
  bool is_chrome = false;  // whether Chrome describes the process
  uint32_t chrome_type = 0;
  std::string_view host_app;
  std::optional<uint64_t> crash_trace_id;
  std::optional<int64_t> start_ns;
  std::string_view own;
};

// Each reads one message into the fields that it gives.
void read_process(std::string_view message, ProcessFields& process, EventSink& sink);
void read_chrome_process(std::string_view message, ProcessFields& process);

// Emits the events of a process: existence, names, args, start. `life` distinguishes it from other
// processes with its pid. Requires: it has a pid.
void emit_process(const PacketInfo& packet, const ProcessFields& process, uint64_t life,
                  Clocks& clocks, EventSink& sink);

// Reads a packet of old versions that is a ProcessDescriptor.
void read_process_packet(const PacketInfo& packet, std::string_view message, Clocks& clocks,
                         EventSink& sink);

}  // namespace tracebraid::proto
