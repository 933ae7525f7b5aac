// Slices: stacks of open and recently closed slices, one for each row of the track table (spec
// proto 3.1, json 4.2 to 4.4).
//
// Input: begins, ends and complete slices. Output: rows of slice. Called by slice_stage.h and by
// handlers of kernel events.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <span>
#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/placed_batch.h"
#include "assemble/problems.h"
#include "assemble/queue/task_queue.h"
#include "assemble/saturate.h"
#include "assemble/slices/end_rule.h"
#include "assemble/slices/slice_times.h"
#include "assemble/tracks/tracks.h"
#include "base/workers.h"
#include "tables/store.h"

namespace tracebraid {

// The event of a slice and its extras.
struct SliceEvent {
  const Event* event;
  const PlacedBatch* from;
  uint32_t batch;  // index of `from`

  ArgSource args() const { return {batch, event->args}; }
  const SliceExtra* extra() const {
    return event->extra == kNone ? nullptr : &from->batch.slice_extras[event->extra];
  }
};

// Columns of slice that events hardly read: filled by tasks, and moved into the table when all
// slices are complete.
struct SliceLabels {
  PackedColumn<StringId> name, category;
  PackedColumn<uint32_t> depth;
  PackedColumn<OptRow> parent_id;
};

class Slices {
 public:
  // With `lenient_ends`, an end of a JSON thread ends the innermost open slice, whatever its name.
  Slices(TaskQueues& queues, std::span<const PlacedBatch> batches, DeferredArgs& args,
         Problems& problems, bool lenient_ends, Store& store);

  // Each function returns the row of the slice that it made or closed, or kNone. `track_row` is the
  // row of track, `where` the scope of stats.
  uint32_t begin(uint32_t track_row, const TrackName& where, const SliceEvent& from);
  uint32_t begin_once(uint32_t track_row, const TrackName& where, const SliceEvent& from);
  uint32_t end(uint32_t track_row, const TrackName& where, const SliceEvent& from, EndRule rule);
  uint32_t complete(uint32_t track_row, const TrackName& where, const SliceEvent& from,
                    int64_t dur);

  // Returns the slice that [ts, ts + dur) would partly overlap; kNone if there is none.
  uint32_t half_overlapped(uint32_t track_row, const TrackName& where, int64_t ts, int64_t dur);

  // Returns the innermost slice of the stack, open or closed; kNone if the stack is empty.
  uint32_t top(uint32_t track_row) const;
  // Returns the outermost slice, if it is open; otherwise kNone.
  uint32_t open_root(uint32_t track_row) const;

  // Returns the innermost slice with the name that is open at `ts`; kNone if there is none.
  uint32_t open_slice(uint32_t track_row, const TrackName& where, int64_t ts, StringId name);
  // Adds args to a slice of the row's stack, open or closed. Requires: all sets added to one slice
  // have the same source.
  void add_args(uint32_t track_row, uint32_t slice, ArgSource set);

  // Adds a child to a slice outside of the stacks: for steps, whose ends are known only when their
  // slice has ended.
  void add_child(uint32_t parent, int64_t ts, int64_t dur, StringId name, StringId category,
                 uint32_t arg_set_id);

  // Returns the labels of the slices so far. Waits for tasks.
  const SliceLabels& labels() { return labels_.now(); }
  // Call after the last slice: moves the labels into the table.
  void finish_rows();
  // Call after finish_rows(): sorts rows by time, with their args. If rows move, element i is the
  // new row of row i; otherwise the result is empty.
  std::vector<uint32_t> finish(Workers& workers);

 private:
  static constexpr int64_t kOpen = std::numeric_limits<int64_t>::max();
  struct Entry {
    int64_t end;  // kOpen; never after the end of a closed entry below
    uint32_t row;
    StringId name, category;
    ArgSource args;             // of the begin, until it ends
    uint32_t added = kNone;     // index of added_
    uint32_t times = kNone;     // number of times_
    uint32_t closed_below = 0;  // 1 + index of the nearest closed entry below; 0: none
    bool is_open() const { return end == kOpen; }
  };
  using Stack = std::vector<Entry>;
  struct Cut {  // an open slice that ended with its parent
    StringId name;
  };
  struct Restarts {  // repeated begins of an open slice
    int64_t count = 1;
    int64_t last_ts = 0;
  };

  Stack& stack_of(uint32_t track_row);
  void settle(Stack& stack, int64_t ts, bool is_instant, const TrackName& where);
  void cut_open(Stack& stack, size_t above, const TrackName& where);
  bool has_name(StringId name) const { return name && name != no_name_; }
  bool is_of_cut(const Stack& stack, const Event& end);
  // `args` are the current args of the row.
  Entry* push(Stack& stack, uint32_t track_row, const TrackName& where, const SliceEvent& from,
              int64_t dur, ArgSource args);
  uint32_t add_sibling(const Stack& stack, uint32_t track_row, const SliceEvent& from);
  size_t find_open(const Stack& stack, const Event& end, bool with_category) const;
  // Returns the size of the stack if no slice is open.
  static size_t innermost_open(const Stack& stack);
  bool has_name_of(const Event& end, const Entry& entry) const;
  void count_mismatch(const TrackName& where, const Event& end, const Entry& open);
  void close(Stack& stack, size_t at, int64_t ts);
  static void append_labels(SliceLabels& labels, const TaskBlock& block);
  void append(uint32_t track_row, const Event& event, int64_t dur, uint32_t depth, OptRow parent,
              OptRow args);
  // Stores the set of a slice that ends or never ends. Counts values that the end replaced.
  uint32_t flush_args(const Entry& entry, ArgSource closing);
  std::vector<uint32_t> sort_rows();

  DeferredArgs& args_;
  Problems& problems_;
  bool lenient_ends_;
  SliceTable& table_;
  absl::flat_hash_set<FileId> exact_files_;
  StringId no_name_;                                    // name of JSON slices without a name
  std::vector<Stack> stacks_;                           // by row of track
  absl::flat_hash_map<size_t, std::vector<Cut>> cuts_;  // by row of track; the last ones
  SliceTimes times_;
  absl::flat_hash_map<uint32_t, Restarts> restarts_;  // by row of slice
  std::vector<std::vector<ArgSource>> added_;         // sets added after the begin
  Deferred<SliceLabels> labels_;
};

}  // namespace tracebraid
