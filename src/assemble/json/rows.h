// JsonRows: dispatches events to the builders of the tables that only JSON fills.
//
// Input: events that only JSON has. Output: rows of the json_ and memory tables. Called by
// dispatch.
#pragma once

#include <span>
#include <vector>

#include "assemble/json/contexts.h"
#include "assemble/json/ids.h"
#include "assemble/json/links.h"
#include "assemble/json/memory_dumps.h"
#include "assemble/json/objects.h"
#include "assemble/json/slices.h"
#include "assemble/tracks/tracks.h"

namespace tracebraid {

class JsonRows {
 public:
  JsonRows(std::span<const PlacedBatch> batches, Identity& identity, DeferredArgs& args,
           Stacks& stacks, Problems& problems, Store& store);

  // Adds an event of an object, context or link, in order of time.
  void add(const JsonEvent& at);
  // Adds an event of a memory dump; `track_row` is the row of track for the dumps of its file.
  void memory_dump(const JsonEvent& at, uint32_t track_row) { memory_.add(at, track_row); }
  // Adds a slice event; `slice` is the row that it began or ended, or kNone.
  void slice(const JsonEvent& at, bool began, uint32_t track_row, uint32_t slice);
  void step(uint32_t slice, uint32_t parent, uint32_t batch, uint32_t extra);

  // Call when slice is complete. `new_rows` maps its old rows to new ones; empty if they did not
  // move. `flow_ids`: JsonFlows::linkable_ids().
  void finish(const std::vector<uint32_t>& new_rows, std::span<const JsonKey> flow_ids);
  // Call when the bounds of the trace are known, too.
  void finish_annotations();

 private:
  bool is_json(const PlacedBatch& from) const {
    return from.batch.tie_rule == TieRule::TraceEventFormat;
  }
  bool has_contexts(FileId file) const {
    return file.row < has_contexts_.size() && has_contexts_[file.row];
  }
  void list_linked(std::span<const JsonKey> flow_ids);
  void list_bound();
  void list_counters();
  void colour_rows();

  std::span<const PlacedBatch> batches_;
  Store& store_;
  JsonObjects objects_;
  JsonContexts contexts_;
  JsonLinks links_;
  JsonSlices slices_;
  JsonMemoryDumps memory_;
  Identity& identity_;
  std::vector<bool> has_contexts_;  // by file
};

}  // namespace tracebraid
