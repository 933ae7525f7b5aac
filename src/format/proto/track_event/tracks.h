// Tracks: the content of TrackDescriptors, and the track name of each uuid (spec proto 2.3, 2.4).
//
// A uuid may be used before it is declared, and its parents may be known even later. Each uuid
// therefore reserves indexes of EventBatch::tracks at first use; they are filled when the file has
// been read.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "format/proto/track_event/translate.h"

namespace tracebraid::proto {

enum class BuiltinCounter : uint8_t { None, ThreadTime, InstructionCount };
enum class SiblingMerge : uint8_t { ByName, None, ByKey };

struct CounterTrack {
  BuiltinCounter builtin = BuiltinCounter::None;
  StringId categories;  // joined with ','
  StringId unit;
  int64_t multiplier = 0;  // applied if positive
  bool is_incremental = false;
  StringId share_key;
  // Returns whether a repeated declaration agrees; the unit may differ.
  bool agrees_with(const CounterTrack& other) const {
    return builtin == other.builtin && categories == other.categories &&
           multiplier == other.multiplier && is_incremental == other.is_incremental &&
           share_key == other.share_key;
  }
};

// Data of our exporter about a track.
struct OwnTrack {
  StringId type;  // none: no data
  StringId unit;
  uint32_t cpu = kNone, gpu = kNone;
  uint32_t dimensions = kNone, source_args = kNone;  // arg sets
  uint32_t group = 0;
};

// The fields of a TrackDescriptor about the track.
struct TrackDeclaration {
  TrackEvents kind = TrackEvents::Slice;
  uint64_t parent_uuid = 0;
  bool has_process = false, has_thread = false;
  int64_t pid = kNoId, tid = kNoId;
  bool is_separate = false;  // disallow_merging_with_system_tracks
  StringId name;
  SiblingMerge merge = SiblingMerge::ByName;
  StringId merge_key;
  CounterTrack counter;
  StringId child_ordering, description;
  std::optional<int64_t> sibling_rank;
  OwnTrack own;
};

// Declarations up to some position in the file. Strings are those of the declaring sink.
using DeclaredTracks = absl::flat_hash_map<uint64_t, TrackDeclaration>;

// The uuids of one machine.
class Tracks {
 public:
  // `known`, if given, has earlier declarations.
  Tracks(uint32_t machine, EventSink& sink, std::shared_ptr<const DeclaredTracks> known = nullptr)
      : machine_(machine), sink_(sink), known_(std::move(known)) {}

  // Returns false if the uuid has another declaration; the first one stays.
  bool declare(uint64_t uuid, const TrackDeclaration& declaration);
  // Returns null if the uuid is not declared (yet).
  const TrackDeclaration* declaration(uint64_t uuid);
  // Returns the index of EventBatch::tracks for events of this kind, which never changes.
  // `is_whole`: the track gets has_first_packet_on_sequence if its first event uses this index.
  uint32_t slot(uint64_t uuid, TrackEvents kind, bool is_whole);

  // The owner of the uuid's track, by the declarations so far.
  struct Owner {
    TrackScope scope = TrackScope::Global;
    uint32_t index = kNone;  // of a process or thread name
    int64_t pid = kNoId;
  };
  Owner owner_now(uint64_t uuid);

  // Returns the track of a thread without a uuid.
  uint32_t thread_track(uint32_t thread);

  // Fills the tracks. Returns the invalid ones, each with the stat to count for an event on it; the
  // caller must drop these events.
  struct Broken {
    uint32_t slot;
    std::optional<StatId> cause;  // in addition to track_event_parser_errors
  };
  std::vector<Broken> finish(const Translations& translations);

  // Returns all current declarations; names may be those of earlier ones.
  std::shared_ptr<const DeclaredTracks> declared();
  // An index that was reserved for a uuid.
  struct Use {
    uint64_t uuid;
    TrackEvents kind;
    bool is_whole;
    uint32_t slot;
  };
  std::vector<Use> uses() const;
  // Whether an incremental counter was declared.
  bool has_incremental_counters = false;

  // Whether sibling_order_rank of processes or threads applies.
  bool orders_processes = false, orders_threads = false;

 private:
  struct Entry {
    uint64_t uuid;
    std::array<uint32_t, 6> slots{kNone, kNone, kNone, kNone, kNone, kNone};  // by slot_number()
    bool is_declared = false;
    uint32_t times_declared = 0;
    TrackDeclaration declaration = {};
    std::optional<Owner> owner = {};  // once all parents are declared
  };
  // The owner found among the parents of a uuid.
  struct Scope {
    TrackScope scope = TrackScope::Global;
    uint32_t owner = kNone;
    int64_t pid = kNoId;
    bool is_root = false;
    std::optional<StatId> error;
  };

  static constexpr size_t slot_number(TrackEvents kind, bool is_whole) {
    return static_cast<size_t>(kind) * 2 + (is_whole ? 1 : 0);
  }
  static constexpr TrackEvents kind_of_slot(size_t number) {
    return static_cast<TrackEvents>(number / 2);
  }
  static bool is_owner(const Entry& entry) {
    return entry.declaration.has_process || entry.declaration.has_thread;
  }
  Entry& entry(uint64_t uuid);
  uint32_t add_entry(uint64_t uuid);
  uint32_t slot_of(Entry& entry, TrackEvents kind, bool is_whole);
  uint32_t owner(const Entry& entry);
  const Entry* parent_of(const Entry& entry) const;
  bool is_in_loop(const Entry& entry) const;
  Scope scope_of(const Entry& entry);
  void make_parents();
  void make_parents_of(size_t entry, bool is_whole);
  TrackName track_name(const Entry& entry, const Scope& scope, const Translations& translations,
                       bool is_whole);
  void set_merged(const Entry& entry, TrackName& name);
  static void set_own(const Entry& entry, TrackName& name);
  uint32_t source_args(const Entry& entry, bool is_root, bool is_whole);
  void add_int(std::string_view key, int64_t value, ArgType type = ArgType::Int);
  void add_text(std::string_view key, StringId text);

  uint32_t machine_;
  EventSink& sink_;
  std::shared_ptr<const DeclaredTracks> known_;
  std::shared_ptr<const DeclaredTracks> declared_;  // null if more was declared since
  absl::flat_hash_map<uint64_t, uint32_t> ids_;
  std::vector<Entry> entries_;
  // Indexes of entries_, by a hash of the uuid, because few tracks have most of the events.
  static constexpr size_t kRecent = 256;
  std::array<uint32_t, kRecent> recent_{};
};

}  // namespace tracebraid::proto
