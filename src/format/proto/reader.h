// Reader: dispatches each packet to its reader, in the order of spec clocks 7.1.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/make_event.h"
#include "event/sink.h"
#include "event/system_tracks.h"
#include "format/format.h"
#include "format/proto/clocks.h"
#include "format/proto/deferred_packets.h"
#include "format/proto/ftrace/ftrace.h"
#include "format/proto/packet_info.h"
#include "format/proto/profile/profiles.h"
#include "format/proto/sequence.h"
#include "format/proto/system/process_tree.h"
#include "format/proto/system/sys_stats.h"
#include "format/proto/system/system_packets.h"
#include "format/proto/track_event/track_event.h"
#include "format/proto/track_event/tracks.h"
#include "format/proto/track_event/translate.h"
#include "format/proto/wire/packets.h"

namespace tracebraid::proto {

// The head of a packet, and the messages it carries.
struct PacketFields {
  std::optional<int64_t> timestamp;
  uint32_t clock_domain = 0;
  std::optional<uint32_t> sequence;
  uint64_t flags = 0;
  uint64_t machine = 0;
  bool is_cleared = false, is_first = false, has_marker = false;
  uint64_t dropped = 0;
  std::optional<int64_t> trusted_pid;
  std::optional<std::string_view> defaults, interned;
  struct Payload {
    uint32_t field;
    std::string_view bytes;
  };
  std::vector<Payload> payloads;  // everything else that is a message, as it comes

  // False if the bytes are damaged.
  bool read(std::string_view packet);
};

// The name of a field of TracePacket; empty for one we do not know.
std::string_view packet_field_name(uint32_t number);

// What a file says about all of its packets, those before as well: ExtensionDescriptor and
// TranslationTable messages, and what processes call their threads, by raw machine id.
struct WholeFileTables {
  std::vector<std::string> extensions, translations;
  std::map<uint64_t, PidNamespaces> namespaces;
};

// The packets of one file.
class Reader {
 public:
  // With `chunks`, of which `sink` is the first, packets are read side by side where they can be,
  // about so many bytes at a time. `known` are all such tables of the file, if it was read before.
  Reader(const ReadOptions& options, EventSink& sink, Chunks* chunks = nullptr,
         size_t chunk_bytes = kUsualChunkBytes, const WholeFileTables* known = nullptr);

  void read(const Packet& packet, int depth = 0);

  // Ends the reading: names that could not be known before are settled. The first of the
  // errors that the specification calls fatal, if there was one; we skip the packet and
  // go on.
  Result<> finish();

  // The tables, if some of them came after packets which they might have changed. Then the file
  // is better read again, with them known.
  std::optional<WholeFileTables> take_late_tables();

 private:
  // One machine's part of the file.
  struct Machine {
    uint32_t index;
    Sequences sequences;
    Tracks tracks;
    DefaultClock default_clock;
    FtraceState ftrace;
    KernelWorkers kernel_workers;
    SysStatsState sys_stats;
    PidNamespaces namespaces;
    SystemPackets system;
  };

  Machine& machine(uint64_t raw_id);
  void find_namespaces(const Machine& machine, PacketInfo& info);
  Result<> read_fields(const Packet& packet, int depth);
  void update_sequence(PacketInfo& info);
  Result<> read_first(Machine& machine, PacketInfo& info, bool& is_done);
  Result<> read_bundle_of_packets(const Packet& outer, std::string_view packed, Packing packing,
                                  int depth);
  Result<bool> defer(Machine& machine, PacketInfo& info, const PacketFields::Payload& payload);
  bool defer_track_event(Machine& machine, const PacketInfo& info, std::string_view message);
  bool defer_descriptor(Machine& machine, const PacketInfo& info, std::string_view message);
  Result<bool> defer_bundle(Machine& machine, PacketInfo& info, std::string_view message);
  void finish_tracks();
  std::vector<Machine*> machines_by_index() const;
  Result<EventTime> time_of(const Machine& machine, const PacketInfo& info);
  Result<> read_payload(Machine& machine, PacketInfo& info, const PacketFields::Payload& payload);
  void read_extensions(const PacketInfo& info, std::string_view message);
  void read_translation_table(std::string_view message);
  void skip(const PacketFields::Payload& payload);

  EventSink& sink_;
  Clocks clocks_;
  Translations translations_;
  DescriptorPool descriptors_;
  SystemTracks system_tracks_;
  PacketOutput output_{clocks_, system_tracks_, descriptors_, sink_};
  DeferredPackets deferred_;
  TrackEventReader track_events_;
  FtraceReader ftrace_;
  Profiles profiles_;
  absl::flat_hash_map<uint64_t, std::unique_ptr<Machine>> machines_;  // by raw id
  Machine* first_machine_ = nullptr;
  Machine* last_machine_ = nullptr;
  uint64_t last_raw_id_ = 0;
  PacketFields fields_;
  WholeFileTables tables_;
  const WholeFileTables* known_ = nullptr;
  bool has_late_ = false;
  bool has_described_ = false;      // an event was read that these tables may be about
  std::optional<Packing> packing_;  // of the packets of packets so far
  struct Skipped {
    uint64_t count = 0, bytes = 0;
  };
  std::map<uint32_t, Skipped> skipped_;  // by packet field
  std::optional<Error> error_;
};

}  // namespace tracebraid::proto
