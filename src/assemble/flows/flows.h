// Flows: creates flows between slices while slices are created (spec proto 3.4, and bind_id of json
// 4.11). Ids are local to a file and machine, unless they join (event/flow_join.h).
//
// Input: flow steps of slices, flow events. Output: rows of flow and flow_violation. Called by
// slices/slice_stage.h and by handlers of kernel events.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <tuple>
#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/flows/causality.h"
#include "assemble/placed_batch.h"
#include "assemble/problems.h"
#include "assemble/slices/slices.h"
#include "event/flow_join.h"
#include "tables/store.h"

namespace tracebraid {

class Flows {
 public:
  Flows(DeferredArgs& args, Problems& problems, JoinFlows join, Causality& causality, Store& store);

  // Adds the flow steps of an event (SliceExtra::flows) that began or ended this slice.
  void attach(uint32_t slice, const TrackName& where, const SliceEvent& from, uint32_t first);

  // Adds a flow without an id.
  void connect(uint32_t slice_out, uint32_t slice_in);

  // Adds a FlowStart, FlowStep or FlowEnd of a proto file. `enclosing` is the innermost open slice
  // of the track, or kNone.
  void legacy(uint32_t track_row, uint32_t enclosing, const TrackName& where, const Event& event);
  // Notes a new slice on the row, which ends the flows that wait for it.
  void slice_began(uint32_t track_row, uint32_t slice) {
    if (!waiting_.empty()) end_waiting(track_row, slice);
  }

 private:
  enum class Kind : uint8_t { TrackEvent, BindId, Anchor, Arrow };
  using Scope = std::pair<FileId, uint32_t>;  // file, machine
  using Key = std::tuple<Scope, Kind, uint64_t>;
  using LegacyKey = std::tuple<Scope, int64_t, StringId, StringId>;  // id, category, name
  struct Active {
    uint32_t slice;
    bool was_consumed = false;
  };
  struct Legacy {
    int64_t number;  // in order of appearance: the trace_id
    StringId name, category;
    uint32_t slice = kNone;
  };
  struct Waiting {
    uint32_t flow;  // index of legacy_
    Scope where;
  };

  // A step of a flow in a slice; `where` is the scope of the step, which may differ from that of
  // the key.
  struct Step {
    uint32_t slice;
    Scope where;
    int64_t ts;
  };
  Key key_of(Scope where, Kind kind, uint64_t id) const {
    return {joins(join_, id) ? Scope{} : where, kind, id};
  }
  // Data of a flow that precedes the step that ends it.
  struct Arrow {
    int64_t trace_id = OptInt::kNull;
    bool is_back = false;
  };
  // The slices of one event id, in order of time.
  struct GpuStages {
    std::vector<uint32_t> slices, waiters, submitters;
  };
  void arrow_step(uint32_t slice, FileId file, const FlowStep& step, Arrow& arrow);
  // Pairs an event id of render stages with the slices that refer to it (spec proto-2 4.2).
  void gpu_step(const Step& at, const FlowStep& step);
  void note(const Step& step, const Key& key, bool starts);
  void track_event_step(const Step& step, const Key& key, bool terminates);
  void bind_step(const Step& step, const Key& key, FlowStepKind kind, bool json);
  uint32_t legacy_flow(Scope where, const Event& event);
  void add_legacy(const Legacy& flow, uint32_t slice_in, bool by_time);
  void end_waiting(uint32_t track_row, uint32_t slice);
  void add(uint32_t slice_out, uint32_t slice_in, int64_t trace_id, uint32_t arg_set_id,
           bool by_time);
  void count(StatId stat, Scope where) { problems_.count(stat, where.second, where.first); }
  // Counts; for JSON the import log also has the time (spec json 1).
  void count(StatId stat, const Step& step, bool json) {
    if (!json) return count(stat, step.where);
    problems_.count_at(stat, step.where.second, step.where.first, step.ts);
  }

  DeferredArgs& args_;
  Problems& problems_;
  JoinFlows join_;
  Causality& causality_;
  const SliceTable& slices_;
  FlowTable& table_;
  absl::flat_hash_map<Key, Active> active_;
  absl::flat_hash_map<std::pair<Scope, uint64_t>, GpuStages> gpu_stages_;
  uint64_t gpu_flows_left_ = 0;
  absl::flat_hash_map<LegacyKey, uint32_t> legacy_indexes_;
  std::vector<Legacy> legacy_;
  absl::flat_hash_map<Scope, int64_t> legacy_counts_;
  absl::flat_hash_map<uint32_t, std::vector<Waiting>> waiting_;  // by row of track
};

}  // namespace tracebraid
