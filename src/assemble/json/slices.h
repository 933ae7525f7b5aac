// JsonSlices: additional tables of JSON slices: colours, user timings, the ids of async slices and
// their threads (spec json 7.4).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/json/ids.h"
#include "tables/store.h"

namespace tracebraid {

class JsonSlices {
 public:
  JsonSlices(Identity& identity, DeferredArgs& args, Store& store)
      : identity_(identity), args_(args), store_(store) {}

  // Adds a slice event with a JsonExtra; `slice` is the row that it began or ended, or kNone.
  // `track`: index of the track names.
  void began(const JsonEvent& at, const JsonExtra& extra, uint32_t track, uint32_t slice);
  void ended(const JsonExtra& extra, uint32_t track, uint32_t slice);
  // Adds a step of an async slice.
  void step(uint32_t slice, uint32_t parent, const PlacedBatch& from, const JsonExtra& extra);

  // Fills the tables. `new_rows` maps old rows of slice to new ones; empty if they did not move.
  void finish(const std::vector<uint32_t>& new_rows);

  // Returns the keys of the groups, with their kinds.
  struct Group {
    JsonKey key;
    bool is_legacy;
    friend auto operator<=>(const Group&, const Group&) = default;
    template <class H>
    friend H AbslHashValue(H h, const Group& g) {
      return H::combine(std::move(h), g.key, g.is_legacy);
    }
  };
  std::vector<Group> groups() const;

 private:
  struct Async {
    uint32_t slice;
    uint32_t parent = kNone;  // for a step: its slice
    StringId id, scope;
    bool is_local;
    char phase;
    uint32_t begin_utid;
    uint32_t end_utid = OptRow::kNull;
    uint32_t group_upid;
  };
  struct Timing {
    uint32_t slice;
    StringId group, title;
    uint32_t arg_set_id;
  };
  uint32_t group_process(uint32_t track, uint32_t utid);
  void add(Async row, const PlacedBatch& from, const JsonExtra& extra);

  Identity& identity_;
  DeferredArgs& args_;
  Store& store_;
  std::vector<Async> asyncs_;
  absl::flat_hash_map<uint32_t, uint32_t> async_of_;   // index of asyncs_, by row of slice
  absl::flat_hash_map<uint32_t, uint32_t> processes_;  // of groups, by track
  absl::flat_hash_map<uint32_t, StringId> colours_;    // by row of slice
  std::vector<Timing> timings_;
  absl::flat_hash_map<Group, bool> groups_;
};

}  // namespace tracebraid
