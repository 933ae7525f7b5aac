// Packets about the recording itself, and a few unrelated ones (spec proto 6.3, 6.10).
//
// Input: packets about the trace and its recorder. Output: metadata, stats, machine facts. Called
// by Reader.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "format/proto/packet_output.h"
#include "format/proto/recording/latest_stats.h"
#include "format/proto/sequence.h"
#include "format/proto/track_event/translate.h"

namespace tracebraid::proto {

enum class TriggerKind : uint8_t { Trace, Clone };
// The triggers of a recording; metadata names the first clone trigger, else the earliest trigger.
struct Triggers {
  StringId clone;
  std::vector<Event> named;  // MetadataTime
};
void read_trigger(const PacketInfo& packet, std::string_view message, TriggerKind kind,
                  Triggers& triggers, PacketOutput& out);
// Call at the end of the file.
void finish_triggers(uint32_t machine, const Triggers& triggers, EventSink& sink);

// `late_metadata` takes the rows that come after those of other packets.
void read_chrome_trigger(const PacketInfo& packet, std::string_view message,
                         const Translations& translations, std::vector<Metadata>& late_metadata,
                         PacketOutput& out);
// `count` is the number of such packets in the file so far.
void read_chrome_metadata(const PacketInfo& packet, std::string_view message, uint32_t& count,
                          PacketOutput& out);
// Reads only data about the trace; events of this old form are not read.
void read_chrome_events(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_concurrent_session(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_trace_stats(std::string_view message, LatestStats& stats);
// Call at the end of the file: counts what the first `buffers` buffers overwrote as lost.
void count_overwritten(uint32_t buffers, LatestStats& stats);
// Adds the losses of the writers in TraceStats, by buffer, as known so far.
void read_writer_stats(std::string_view message, const Sequences& sequences, LatestStats& stats);
void read_gpu_info(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_interrupt_names(const PacketInfo& packet, std::string_view message, PacketOutput& out);
void read_bluetooth(const PacketInfo& packet, std::string_view message, PacketOutput& out);

}  // namespace tracebraid::proto
