// Ftrace: kernel events, recorded by CPU (spec proto 5).
//
// Input: FtraceEventBundle packets. Output: kernel events, one stream per CPU. Called by Reader.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/make_event.h"
#include "event/sink.h"
#include "event/system_tracks.h"
#include "format/common/proto_wire.h"
#include "format/proto/ftrace/compact_sched.h"
#include "format/proto/ftrace/ftrace_generic.h"
#include "format/proto/ftrace/ftrace_stats.h"
#include "format/proto/packet_info.h"
#include "kernel/event_schema.h"
#include "kernel/ftrace_marks.h"

namespace tracebraid::proto {

// The ftrace state of one machine, from bundle to bundle.
struct FtraceState {
  int64_t last_stamp = kUnset;  // ftrace_timestamp that was paired with boot_timestamp
  std::vector<bool> started_cpus, lossy_cpus;
  GenericEvents generic;
  FtraceCounts at_start;
};

// One event with its context.
struct FtraceEvent {
  const PacketInfo& packet;
  EventTime time;
  uint32_t cpu = 0;
  int64_t tid = 0;      // thread that emitted it
  uint32_t number = 0;  // number of its field; 0: none
  uint32_t common_flags = 0;
  std::string_view message;
  bool is_in_order = false;
  uint32_t rank() const { return is_in_order ? 1 : 1 + cpu; }  // rank of its stream
  MarkAt mark() const { return {time, packet.machine, tid, rank()}; }
};

// A bundle with compact scheduler events only.
struct CompactBundle {
  uint32_t cpu = 0;
  ClockChoice clock;
  std::string_view message;
};

class FtraceReader {
 public:
  FtraceReader(Clocks& clocks, SystemTracks& tracks, bool keep_raw, EventSink& sink)
      : clocks_(clocks), marks_(tracks, sink), keep_raw_(keep_raw), sink_(sink) {}

  // Returns an Error only where the specification makes it fatal.
  Result<> read_bundle(const PacketInfo& packet, std::string_view message, FtraceState& state);
  // Returns whether read_compact_bundle() can read the message.
  static bool is_only_compact(std::string_view message);
  // Reads a bundle, but leaves the events to the caller. Returns nothing if there are none.
  Result<std::optional<CompactBundle>> read_compact_bundle(const PacketInfo& packet,
                                                           std::string_view message,
                                                           FtraceState& state);

 private:
  struct Bundle {
    std::optional<uint32_t> cpu;
    uint32_t clock = 0;  // FtraceClock
    bool lost_events = false;
    std::optional<int64_t> ftrace_stamp, boot_stamp, last_read, previous_end;
    bool has_compact = false;
    std::string_view compact;
    uint32_t own = 0;  // own::Bundle
  };

  static Bundle read_header(std::string_view message);
  // Handles the fields of a bundle besides its events. Returns nothing for an unusable bundle.
  Result<std::optional<ClockChoice>> begin_bundle(const PacketInfo& packet, const Bundle& bundle,
                                                  FtraceState& state);
  Result<ClockChoice> clock_of(const PacketInfo& packet, const Bundle& bundle) const;
  void note_start(const PacketInfo& packet, const Bundle& bundle, const ClockChoice& clock,
                  FtraceState& state);
  void read_event(FtraceEvent event, std::string_view message, const ClockChoice& clock,
                  const GenericEvents& generic);
  // Emits an event with its fields unchanged; its handler in assemble/kernel gives it a meaning.
  void add_known(const FtraceEvent& event, const ClockChoice& clock);
  void add_legacy(const FtraceEvent& event);
  void add_own_row(const FtraceEvent& event);
  void add_generic(const FtraceEvent& event, const GenericEvents& generic);
  void emit(const FtraceEvent& event, EventKind kind, StringId name, uint32_t args);
  std::optional<EventTime> own_time(const FtraceEvent& event, const ClockChoice& clock);
  void mark_loss(uint32_t machine, uint32_t cpu, FtraceState& state);
  uint32_t raw_key(const FtraceEventSchema& schema, size_t field);
  void add_raw_arg(const FtraceEvent& event, const FtraceField& field, const Message& value,
                   uint32_t key);
  void add_raw_uint(const FtraceEvent& event, const FtraceField& field, const Message& value,
                    uint32_t key);

  void add_call_args(const FtraceField& field, const Message& value);

  // Emit the meaning of events (ftrace_events.cc, ftrace_sched.cc).
  void apply(const FtraceEvent& event);
  void apply_switch(const FtraceEvent& event);
  void apply_waking(const FtraceEvent& event);
  void apply_blocked(const FtraceEvent& event);
  void apply_new_task(const FtraceEvent& event);
  void apply_rename(const FtraceEvent& event);
  void apply_process_free(const FtraceEvent& event);
  void apply_print(const FtraceEvent& event);
  static bool is_marker(uint32_t event);
  void apply_marker(const FtraceEvent& event);  // kernel_markers.cc

  uint32_t thread(const FtraceEvent& event, int64_t tid);

  Clocks& clocks_;
  FtraceMarks marks_;
  bool keep_raw_;
  uint32_t own_ = 0;  // own::Bundle of the current bundle
  EventSink& sink_;
  std::vector<uint32_t> raw_keys_;  // arg keys of the fields of raw events, once used
  CompactSchedReader compact_;
  size_t call_args_ = 0;  // of the current event so far
};

}  // namespace tracebraid::proto
