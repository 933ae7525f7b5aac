// Tracks: maps track names to rows of the track table, which are created on first use (spec proto
// 2.4, 3.2, 7).
//
// Input: track names of batches. Output: rows of track. Called by all builders of rows on tracks.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/identity/cpus.h"
#include "assemble/identity/gpus.h"
#include "assemble/identity/identity.h"
#include "assemble/placed_batch.h"
#include "assemble/tracks/lanes.h"
#include "tables/store.h"

namespace tracebraid {

// The key of a track without a name in a file, besides type and owner.
struct TrackDimension {
  StringId key;
  ArgType type = ArgType::Int;
  int64_t value = 0;
};

// A track that assembling creates. `owner` is a row of thread or process, or the CPU.
struct MadeTrack {
  TrackScope scope = TrackScope::Global;
  TrackEvents events = TrackEvents::Slice;
  Lanes lanes = Lanes::Single;
  uint32_t machine = 0;
  FileId file = {};
  uint32_t owner = kNone;
  StringId type;
};

class Tracks {
 public:
  Tracks(const Names& names, Identity& identity, DeferredArgs& args, Cpus& cpus, Gpus& gpus,
         Store& store);

  // Returns the row for an event of this track; kNone if the track has no owner. On tracks with
  // lanes: the lane of the cookie for a begin or end, and a lane that is free in [ts, end) for a
  // complete slice.
  uint32_t begin_row(uint32_t track, StringId event_name) {
    return begin_row(track, event_name, name(track).cookie);
  }
  uint32_t end_row(uint32_t track, StringId event_name) {
    return end_row(track, event_name, name(track).cookie);
  }
  uint32_t begin_row(uint32_t track, StringId event_name, uint64_t cookie);
  uint32_t end_row(uint32_t track, StringId event_name, uint64_t cookie);
  uint32_t complete_row(uint32_t track, StringId event_name, int64_t ts, int64_t end);
  // An instant uses the lane of its cookie without occupying it.
  uint32_t instant_row(uint32_t track, StringId event_name);

  // Whether a slice of the cookie of the track is open; always true for tracks without lanes.
  bool is_active(uint32_t track, StringId event_name);

  // Returns an overflow row of `row` for a slice that partly overlaps one there (spec json 4.4).
  uint32_t spill_row(uint32_t row, int64_t ts, int64_t end);
  // Returns the rows of spill_row() for `row`, which belong to the same thread.
  std::span<const uint32_t> spill_rows(uint32_t row) const;

  // Sets the clock of the events that the next calls above are for: a row of clock, kNone for trace
  // time, or kNoClock if no event is meant.
  void set_clock(uint32_t clock) { clock_ = clock; }
  uint32_t clock() const { return clock_; }
  // Fills the column clock_id. Call after the last event.
  void fill_clocks();

  static constexpr uint32_t kNoClock = kNone - 1, kSeveralClocks = kNone - 2;
  // Returns the clock of events of two clocks.
  static uint32_t joined_clock(uint32_t a, uint32_t b) {
    if (a == kNoClock || a == b) return b;
    return b == kNoClock ? a : kSeveralClocks;
  }

  // Returns the row of gpu.
  uint32_t ugpu(uint32_t machine, uint32_t gpu) { return gpus_.row(machine, gpu); }

  const TrackName& name(uint32_t track) const {
    const size_t named = names_.tracks.size();
    return track < named ? names_.tracks[track] : made_[track - named];
  }

  // Returns the index of the track that assembling created for these; kNone if there is none yet.
  // An equal track of a reader has the same row.
  uint32_t find_made(const MadeTrack& track, std::span<const TrackDimension> dimensions);
  // Creates the track that find_made() did not find.
  uint32_t make(const MadeTrack& track, std::span<const TrackDimension> dimensions, StringId name,
                StringId unit);

 private:
  struct Group {  // the lanes of one logical track
    uint32_t owner;
    uint32_t id;
    CookieLanes lanes;
    std::vector<uint32_t> rows;
  };
  struct Spill {
    uint32_t id;
    NestingLanes lanes;
    std::vector<uint32_t> rows;
  };
  enum class Owner : uint8_t {
    Fixed,       // no row, or always the same row
    UntilLives,  // the same row while Identity::lives() does not change
    Momentary,   // looked up each time
  };
  // The target of the events of a track: a row, or an index of groups_ for tracks with lanes.
  struct Place {
    uint32_t index = kNone;
    uint32_t lives = 0;
    uint32_t owner = kNone;
    uint32_t dimensions = kNone;  // by dimensions_key()
    Owner kind = Owner::Fixed;
    bool is_named = false;
    StringId name;
  };
  struct Key {
    FileId file;
    uint32_t machine, owner, gpu;
    uint32_t dimensions;  // by dimensions_key()
    uint64_t instance;
    StringId type, name;
    TrackScope scope;
    TrackEvents events;
    Lanes lanes;
    friend bool operator==(const Key&, const Key&) = default;
    template <class H>
    friend H AbslHashValue(H h, const Key& k) {
      return H::combine(std::move(h), k.file, k.machine, k.owner, k.dimensions, k.gpu, k.instance,
                        k.type, k.name, k.scope, k.events, k.lanes);
    }
  };
  struct RowOf {  // the source of a new row
    uint32_t track, owner;
    StringId name;
    uint32_t lane = kNone, group = kNone;
  };

  uint32_t place(uint32_t track, StringId event_name) {
    Place& place = places_[track];
    if (place.index != kNone && (place.kind == Owner::Fixed || (place.kind == Owner::UntilLives &&
                                                                place.lives == identity_.lives())))
      return place.index;
    return find_place(track, event_name);
  }
  uint32_t find_place(uint32_t track, StringId event_name);
  // Notes that the row has an event of the current clock.
  uint32_t noted(uint32_t row) {
    if (row != kNone && clock_of_row_[row] != clock_)
      clock_of_row_[row] = joined_clock(clock_of_row_[row], clock_);
    return row;
  }
  // Returns the name that the track takes from its first event.
  StringId first_name(const TrackName& track, StringId event_name) const;
  // Returns a number that is equal for equal dimensions of any source.
  uint32_t dimensions_key(std::span<const TrackDimension> dimensions);
  uint32_t dimensions_key(const TrackName& name, StringId shown);
  // Whether the name from the first event is also the key that merges siblings.
  bool merges_by_first_name(const TrackName& name) const;
  static Key key_of(const MadeTrack& track, uint32_t dimensions);
  bool is_made(uint32_t track) const { return track >= names_.tracks.size(); }
  uint32_t owner_of(const TrackName& name);
  Owner owner_kind(const TrackName& name) const;
  // Returns the row of a lane of the group of the track. A new row has the name of the track.
  uint32_t lane_row(uint32_t track, uint32_t lane);
  uint32_t parent_row(uint32_t track);
  uint32_t add_row(const RowOf& from);
  uint32_t add_row(const TrackName& name, const RowOf& from, uint32_t parent, uint32_t dimensions,
                   uint32_t source_args);
  uint32_t dimensions(const RowOf& from);

  const Names& names_;
  Identity& identity_;
  DeferredArgs& args_;
  Cpus& cpus_;
  Gpus& gpus_;
  TrackTable& table_;
  StringPool& strings_;
  uint32_t source_;  // of Names::args, for ArgSource

  uint32_t clock_ = kNoClock;
  std::vector<uint32_t> clock_of_row_;
  std::vector<Place> places_;   // by track name, then those of made_
  std::deque<TrackName> made_;  // owner: a row
  std::vector<std::vector<TrackDimension>> made_dimensions_;
  absl::flat_hash_map<Key, uint32_t> made_indexes_;
  absl::flat_hash_map<std::string, uint32_t> dimension_keys_;  // by content
  std::string content_;                                        // scratch
  absl::flat_hash_map<Key, uint32_t> indexes_;
  std::vector<Group> groups_;
  absl::flat_hash_map<uint32_t, std::unique_ptr<Spill>> spills_;  // by row
  uint32_t next_group_id_ = 0;
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, uint32_t> named_groups_;  // machine, number
  uint32_t depth_ = 0;  // depth of parents being created
};

}  // namespace tracebraid
