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

// The head of a packet, and its messages.
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
  std::vector<Payload> payloads;  // all other messages, in order

  // Returns false if the bytes are damaged.
  bool read(std::string_view packet);
};

// Returns the name of a field of TracePacket; empty for an unknown one.
std::string_view packet_field_name(uint32_t number);

// Data that applies to all packets of a file, including earlier ones: ExtensionDescriptor and
// TranslationTable messages, and the pid namespaces of processes, by raw machine id.
struct WholeFileTables {
  std::vector<std::string> extensions, translations;
  std::map<uint64_t, PidNamespaces> namespaces;
};

// Reads the packets of one file.
class Reader {
 public:
  // Decodes deferred packets in parallel, about `stretch_bytes` at a time, if `pieces` is given,
  // whose first sink is `sink`. `known` are the tables of the whole file, if it was read before.
  Reader(const ReadOptions& options, EventSink& sink, Chunks* chunks = nullptr,
         size_t chunk_bytes = kUsualChunkBytes, const WholeFileTables* known = nullptr);

  void read(const Packet& packet, int depth = 0);

  // Ends reading: sets names that could not be known before. Returns the first of the errors that
  // the specification makes fatal, if any; reading skips such packets and continues.
  Result<> finish();

  // Returns the tables, if some of them came after packets that they might affect. Read the file
  // again with these tables then.
  std::optional<WholeFileTables> take_late_tables();

 private:
  // The state of one machine in the file.
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
  bool has_described_ = false;      // whether an event was read that these tables may affect
  std::optional<Packing> packing_;  // compression of bundles of packets so far
  uint32_t chrome_metadata_ = 0;    // number of packets so far
  struct Skipped {
    uint64_t count = 0, bytes = 0;
  };
  std::map<uint32_t, Skipped> skipped_;  // by packet field
  std::optional<Error> error_;
};

}  // namespace tracebraid::proto
