// TrackEvents: slices, instants, counters and states of annotated programs (spec
// proto 2).
//
// Input: TrackEvent packets with the state of their sequence. Output: slices, instants, counters,
// states, flows. Called by Reader, and by the readers of deferred packets on any thread.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "event/make_event.h"
#include "event/sink.h"
#include "format/common/proto_wire.h"
#include "format/proto/args/args.h"
#include "format/proto/args/typed_args.h"
#include "format/proto/packet_info.h"
#include "format/proto/track_event/tracks.h"
#include "format/proto/track_event/translate.h"
#include "format/proto/track_event/v8_profile.h"

namespace tracebraid::proto {

// The fields of a TrackEvent. Reused from event to event, so that lists keep their memory.
struct TrackEventFields {
  uint32_t type = 0;
  std::optional<uint64_t> track_uuid;
  uint64_t name_iid = 0;
  std::string_view name;
  bool has_name = false;
  std::optional<int64_t> delta_us, absolute_us;
  std::optional<int64_t> thread_delta_us, thread_absolute_us;
  std::optional<int64_t> instructions_delta, instructions_absolute;
  std::optional<double> counter_value;
  std::string_view legacy, task_execution, log_message;
  bool has_legacy = false, has_log_message = false;
  uint64_t source_location_iid = 0;
  std::optional<uint64_t> correlation_id, correlation_iid;
  std::string_view correlation_text;
  bool has_correlation_text = false;
  std::string_view callstack;
  bool has_callstack = false;
  std::string_view own;      // fields of our exporter
  bool has_anchors = false;  // see own::Event
  std::optional<uint64_t> callstack_iid;
  std::optional<double> callstack_weight;
  bool has_annotations = false;
  std::vector<Message> typed;  // fields that become args by their descriptors

  std::vector<uint64_t> category_iids;
  std::vector<std::string_view> categories;
  std::vector<uint64_t> flows, old_flows, ended_flows, old_ended_flows;
  std::vector<uint64_t> counter_uuids, real_counter_uuids;
  std::vector<int64_t> counter_values;
  std::vector<double> real_counter_values;

  void read(std::string_view message);

 private:
  void read_rare(const Message& fields);
  void reset();
};

// Whether the event tells that a process of Android started or died.
bool has_framework_event(const TrackEventFields& fields);

struct LegacyEvent {
  uint64_t name_iid = 0;
  char phase = 0;
  std::optional<int64_t> duration_us, thread_duration_us;
  std::optional<uint64_t> unscoped_id, local_id, global_id;
  std::string_view id_scope;
  bool has_id_scope = false;
  uint64_t bind_id = 0;
  bool use_async_tts = false, bind_to_enclosing = false;
  uint32_t flow_direction = 0, instant_scope = 0;
  std::optional<int64_t> instruction_delta;
  std::optional<int64_t> pid_override, tid_override;

  // Returns the id of an asynchronous event.
  std::optional<uint64_t> any_id() const {
    if (unscoped_id) return unscoped_id;
    return global_id ? global_id : local_id;
  }
};
// Returns whether events of the phase have tracks of their own, by id.
inline bool is_async_phase(char phase) {
  return phase != '\0' && std::string_view("benSTpF").find(phase) != std::string_view::npos;
}

LegacyEvent read_legacy_event(std::string_view message);

// Returns whether a TrackEvent names another thread than its writer's.
bool has_thread_override(std::string_view message);
// Whether a TrackEvent has times of its own, or counter values, both of which may be incremental.
struct CountsOn {
  bool times = false, values = false;
};
CountsOn counts_on(std::string_view message);

// Thread times of an event, from any source (spec proto 2.7).
struct ThreadTimes {
  int64_t time_ns = kUnset, instructions = kUnset;
};

// Reads the TrackEvents of one file.
class TrackEventReader {
 public:
  TrackEventReader(Clocks& clocks, const Translations& translations, DescriptorPool& pool,
                   EventSink& sink)
      : clocks_(clocks), translations_(translations), pool_(pool), sink_(sink) {}

  void read(const PacketInfo& packet, std::string_view message, Tracks& tracks);
  // Advances the incremental values of the sequence for an event that is decoded elsewhere, and
  // counts the conversion of its own time, as read() does.
  void skim(const PacketInfo& packet, std::string_view message, Tracks& tracks);

  // Returns the chunks of V8 profiles, in the order of events.
  std::vector<V8Chunk>& v8_chunks() { return v8_chunks_; }

 private:
  // The event that is being read.
  struct Current {
    const PacketInfo& packet;
    std::string_view message;
    Tracks& tracks;
    EventTime time;
    uint32_t track = kNone;        // index of EventBatch::tracks
    std::optional<uint64_t> uuid;  // uuid of the track; none: the track of `thread`
    // The owner of the track, and the writer of the event; indexes of the batch's names.
    TrackScope scope = TrackScope::Global;
    uint32_t thread = kNone, process = kNone;
    uint32_t writer = kNone;  // thread
    StringId name, category;
    ThreadTimes legacy_times, times;
    uint32_t errors = 0;  // number of parts that could not be read
  };

  // Times in the event itself.
  struct OwnTimes {
    int64_t event_ns = kUnset;  // MONOTONIC
    ThreadTimes thread;
  };
  // The extra counters of its values, in order.
  struct ExtraCounters {
    std::span<const uint64_t> uuids, real_uuids;
  };
  std::optional<StatId> count_times(const PacketInfo& packet, OwnTimes& times) const;
  std::optional<StatId> problem_of_counter(const PacketDefaults& defaults, Tracks& tracks) const;
  std::optional<StatId> problem_of_extra(const ExtraCounters& extra, Tracks& tracks) const;
  ExtraCounters extra_counters(const PacketDefaults& defaults) const;
  template <class Each>
  void for_each_extra(const ExtraCounters& extra, const Each& each) const;
  // Returns null if the uuid is not that of a counter.
  static const CounterTrack* counter_of(uint64_t uuid, Tracks& tracks);
  static double count_value(const CounterTrack& counter, uint64_t uuid, double value,
                            Sequence& sequence);

  // Each returns false if the event must be dropped; the reason has been counted then.
  bool find_times(Current& event);
  bool emit_counter(Current& event);
  bool emit_extra_counters(Current& event);

  void find_track(Current& event);
  void use_thread(Current& event, int64_t pid, int64_t tid);
  void emit_legacy_counters(const Current& event);
  void emit_value(Current& event, uint64_t uuid, double value, uint32_t args);
  static EventParts parts_of(const Current& event) {
    return {.name = event.name, .category = event.category};
  }
  bool drop(StatId stat, const Current& event);
  void lose(Current& event);
  void count_missing(const Current& event);

  StringId name_of(const Current& event);
  StringId category_of(const Current& event);
  uint32_t args_of(Current& event);
  // Events of the framework of Android have no args.
  void add_framework_event(const Current& event);
  void add_process_start(const Current& event, Message start);
  void add_process_death(const Current& event, Message death);
  void add_args(Current& event);  // to the open set
  void add_source_location(Current& event);
  void add_location(const SourceLocationText& location, std::string_view prefix);
  void add_log_message(Current& event);
  void add_legacy_args(const Current& event);
  void read_own_times(Current& event) const;
  void add_correlation(Current& event);
  void add_annotations(Current& event);
  void add_typed(Current& event);
  void add_histogram_name(const Current& event, Message sample);
  void add_user_action(Message action);
  void add_hashed(Message message, uint32_t hash_field,
                  const absl::flat_hash_map<uint64_t, StringId>& names, std::string_view key);
  void add_active_processes(const Current& event, Message processes);
  // Returns the index of slice_stacks; kNone if the event has no callstack.
  uint32_t stack_of(const Current& event);
  // Returns the SliceExtra for a slice with these times; kNone if it would be empty.
  uint32_t extra_of(const Current& event, int64_t thread_dur = kUnset,
                    int64_t instruction_delta = kUnset);
  void read_own_lengths(int64_t& thread_dur, int64_t& instruction_delta) const;
  void add_own_arrow(uint64_t flow);
  uint32_t add_flows();

  // Emits by type, or by the phase of a legacy event (legacy_event.cc).
  void emit(Current& event);
  void emit_phase(Current& event, char phase);
  void emit_slice(Current& event, EventKind kind);
  void emit_complete(Current& event);
  bool find_legacy_track(Current& event);
  bool find_async_track(Current& event);
  void emit_flow(Current& event, char phase);
  bool emit_metadata(Current& event);
  void emit_raw(Current& event);
  void keep_v8_chunk(const Current& event);
  uint32_t process_of(const Current& event);
  std::string_view annotation_name(const Current& event, Message annotation) const;
  StringId annotation_text(const Current& event, std::string_view name);

  // Async tracks of legacy events, by kind and owner, scope, id.
  struct AsyncKey {
    uint32_t machine, process;
    bool is_local;
    StringId scope;
    uint64_t id;
    friend bool operator==(const AsyncKey&, const AsyncKey&) = default;
    template <class H>
    friend H AbslHashValue(H h, const AsyncKey& k) {
      return H::combine(std::move(h), k.machine, k.process, k.is_local, k.scope, k.id);
    }
  };

  uint32_t add_async_track(const AsyncKey& key);

  Clocks& clocks_;
  const Translations& translations_;
  DescriptorPool& pool_;
  EventSink& sink_;
  TrackEventFields fields_;
  LegacyEvent legacy_;
  ArraySizes arrays_;
  std::string text_;  // scratch
  std::vector<V8Chunk> v8_chunks_;
  absl::flat_hash_map<AsyncKey, uint32_t> async_tracks_;
  // Tracks by machine and process, or kNone for those of the machine: index + 1.
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, uint32_t> instant_tracks_;
};

}  // namespace tracebraid::proto
