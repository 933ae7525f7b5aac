// Packets about the recording itself, and a few unrelated ones (spec proto 6.3, 6.10).
//
// Input: packets about the trace and its recorder. Output: metadata, stats, machine facts. Called
// by Reader.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "format/proto/packet_output.h"
#include "format/proto/recording/latest_stats.h"
#include "format/proto/sequence.h"
#include "format/proto/track_event/translate.h"

namespace tracebraid::proto {

enum class TriggerKind : uint8_t { Trace, Clone };
// The trigger that metadata names.
struct NamedTrigger {
  StringId name;
  int64_t ticks = 0;
  bool is_clone = false;
};
void read_trigger(const PacketInfo& packet, std::string_view message, TriggerKind kind,
                  std::optional<NamedTrigger>& named, PacketOutput& out);
void read_chrome_trigger(const PacketInfo& packet, std::string_view message,
                         const Translations& translations, std::vector<Metadata>& late_metadata,
                         PacketOutput& out);
// `number_of_packet` counts the packets of the file.
void read_chrome_metadata(const PacketInfo& packet, std::string_view message,
                          uint32_t& number_of_packet, PacketOutput& out);
// Reads only data about the trace; events of this old form are not read.
void read_chrome_events(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_concurrent_session(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_trace_stats(std::string_view message, LatestStats& stats);
// Adds the losses of the writers in TraceStats, by buffer, as known so far.
void read_writer_stats(std::string_view message, const Sequences& sequences, LatestStats& stats);
void read_gpu_info(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_interrupt_names(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_bluetooth(const PacketInfo& packet, std::string_view message, PacketOutput& out);

}  // namespace tracebraid::proto
