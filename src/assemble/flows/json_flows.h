// JsonFlows: flow events of Trace Event Format files (spec json 4.11). They bind to slices by time,
// also to slices that come later in the file, so they are collected first and bound when all slices
// are known.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <queue>
#include <span>
#include <tuple>
#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/flows/causality.h"
#include "assemble/json/ids.h"
#include "assemble/placed_batch.h"
#include "assemble/problems.h"
#include "assemble/tracks/tracks.h"
#include "event/flow_join.h"
#include "tables/store.h"

namespace tracebraid {

struct JsonFlowEvent {
  const Event* event;
  uint32_t batch;      // index of its batch
  uint32_t track_row;  // row of track
  FlowExtra extra;     // its callsite is a row
  uint64_t sequence;   // file order at equal times
};

class JsonFlows {
 public:
  // Ids are local to a file and machine, unless they join (event/flow_join.h).
  JsonFlows(DeferredArgs& args, Problems& problems, JoinFlows join, Causality& causality,
            Store& store);

  void add(const JsonFlowEvent& from, const TrackName& where);
  // Creates the rows of flow.
  void bind(const Tracks& tracks);
  // Returns the ids of all flows, in order, after bind(); gathered only if any ids are linked.
  const std::vector<JsonKey>& linkable_ids() const { return ids_; }

 private:
  struct Pending {
    int64_t ts;
    uint64_t sequence;
    int64_t id;
    FlowExtra extra;
    StringId name, category;
    ArgSource args;
    uint32_t track_row;
    uint32_t slices_before;  // rows of slice when the event came
    FileId file;
    uint32_t machine;
    EventKind kind;
  };
  using Key = std::tuple<FileId, uint32_t, int64_t, StringId, StringId, StringId>;
  Key key_of(const Pending& at) const;
  void note(const Pending& at, const Key& key, uint32_t slice);
  struct Active {  // the last step of a flow
    uint32_t slice;
    int64_t ts;
    ArgSource args;
    uint32_t callsite;
    bool has_ended = false;
    bool is_on_row = false;  // part of a row of flow
    uint32_t machine = kNone;
    FileId file;
  };
  // A slice that has begun and may enclose later flow events.
  struct Begun {
    int64_t ts;
    bool is_spilled;
    uint32_t row;
    // Whether `other` is nested deeper.
    bool operator<(const Begun& other) const {
      if (ts != other.ts) return ts < other.ts;
      return is_spilled != other.is_spilled ? is_spilled : row < other.row;
    }
  };
  // The slices of one thread, on its track and its overflow tracks, as rows of slice in order; read
  // once in order of time.
  struct Thread {
    std::vector<uint32_t> rows;
    bool has_overflow = false;
    // Used with overflow tracks only:
    size_t begun_rows = 0;
    std::priority_queue<Begun> begun;  // the innermost first; may contain ended slices
  };

  void gather_ids();
  void gather_slices(const Tracks& tracks);
  uint32_t enclosing(const Pending& at);
  uint32_t enclosing_nested(std::span<const uint32_t> rows, const Pending& at) const;
  uint32_t next(const Pending& at) const;
  uint32_t target(const Pending& at);
  bool prefers_enclosing(StringId category);
  void bind(const Pending& at);
  void step(const Pending& at, uint32_t slice, Active* from);
  void end(const Pending& at, uint32_t slice, Active& from);
  uint32_t times_only(const Active& from, const Pending& to);
  uint32_t args_of(const Active& from, const Pending& to);
  void add_row(Active& from, const Pending& to, uint32_t slice);
  void count_unended();
  void count(StatId stat, const Pending& at) {
    problems_.count_at(stat, at.machine, at.file, at.ts);
  }

  DeferredArgs& args_;
  Problems& problems_;
  JoinFlows join_;
  Causality& causality_;
  Store& store_;
  const SliceTable& slices_;
  FlowTable& table_;
  const StringPool& strings_;
  std::vector<JsonKey> ids_;
  std::vector<Pending> pending_;
  absl::flat_hash_map<uint32_t, Thread> threads_;  // that have flow events, by row of track
  absl::flat_hash_map<Key, Active> active_;
  ArgLayout layouts_[4];  // of flows without args, by presence of name and category
  bool has_layout_[4] = {};
  absl::flat_hash_map<StringId, bool> prefers_enclosing_;  // by category
};

}  // namespace tracebraid
