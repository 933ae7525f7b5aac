// DeferredArgs: stores the arg sets of events, at once or in a task of another thread. Sets that no
// event waits for, and rows of ftrace_event with theirs, are stored in the order of the calls, so
// the tables do not depend on the threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assemble/args/args_builder.h"
#include "assemble/queue/task_queue.h"
#include "column/packed_column.h"
#include "tables/args_table.h"
#include "tables/store.h"

namespace tracebraid {

// A row of ftrace_event without its args.
struct FtraceRow {
  int64_t ts;
  StringId name;
  uint32_t utid;
  uint32_t common_flags;
  uint32_t ucpu;
};

// Used by the assembling thread.
class DeferredArgs {
 public:
  DeferredArgs(TaskQueues& queues, ArgSourceList sources, Identity& identity, StringPool& strings,
               ArgsTable& table, FtraceEventTable& rows);

  // Waits for all tasks. Requires: no task is queued while a set is open.
  ArgsBuilder& now() { return tasks_.now().builder; }
  // Returns now() with an open set.
  ArgsBuilder& open() {
    ArgsBuilder& builder = now();
    builder.open();
    return builder;
  }
  // Stores a set at once. Returns its arg_set_id, or OptRow::kNull.
  uint32_t set(ArgSource set) { return set ? now().set(set) : OptRow::kNull; }

  // Queues a set. Returns a placeholder for its row, null without a set; columns with placeholders
  // go through resolve_placeholders().
  OptRow defer(ArgSource set);
  // Queues a row of ftrace_event and its args. Keys are of ArgsBuilder::key(), layouts of
  // ArgsBuilder::add_parted_layout().
  void add_row(const FtraceRow& row, ArgSource set, bool without_arrays);
  void add_row(const FtraceRow& row, std::span<const ArgRow> args);
  void add_row(const FtraceRow& row, uint32_t parted_layout, std::span<const int64_t> numbers);
  // Call after the last row of ftrace_event is queued. Waits.
  void finish_rows();
  // Waits for all tasks. Required by the next two functions.
  void finish() { now(); }
  void resolve_placeholders(PackedColumn<OptRow>& column) const;
  OptRow resolved(OptRow row) const {
    return is_placeholder(row)
               ? OptRow{static_cast<uint32_t>(tasks_.peek().sets[row.row - kPlaceholders])}
               : row;
  }

  // Adds combinations of values for ArgPart::combinations. Does not wait, because no task reads
  // them.
  uint32_t add_combinations(uint32_t width) { return table_.add_combinations(width); }
  uint32_t add_combination(uint32_t combinations, std::span<const int64_t> values) {
    return table_.add_combination(combinations, values);
  }

  // Keeps a packed source that is used_up() until the held sets are released. For code that keeps
  // an ArgSource longer than the event that it came with.
  void hold(ArgSource set) {
    if (set) ++uses_[set.source].holds;
  }
  void release(ArgSource set) {
    if (set && --uses_[set.source].holds == 0 && uses_[set.source].is_over)
      release_source(set.source);
  }
  void used_up(uint32_t source) {
    uses_[source].is_over = true;
    if (uses_[source].holds == 0) release_source(source);
  }

  uint32_t made_source() const { return sources_.made(); }
  uint32_t names_source() const { return sources_.names(); }
  // Returns the rows of a set with keys of its source, valid until the next call. Does not wait.
  std::span<const ArgRow> rows(ArgSource set);
  ArgKey key_of(ArgSource set, const ArgRow& row) const { return sources_.key_of(set, row); }
  void resolve(ArgType& type, int64_t& value) { resolve_name(identity_, type, value); }

 private:
  // State that tasks change.
  struct Stored {
    ArgsBuilder builder;
    FtraceEventTable& rows;
    PackedInts sets;  // arg_set_ids that placeholders represent
  };
  struct Use {  // the use of a source
    uint32_t holds = 0;
    bool is_over = false, is_released = false;
  };
  enum class Task : uint8_t { Set, Row, RowWithoutArrays, RowOfArgs, RowOfParts, Release };
  // The first word of each task: its kind, the number of words that follow, and its source or
  // layout.
  struct Head {
    uint32_t task : 8;
    uint32_t count : 24;
    uint32_t of;
  };

  // Placeholders are rows from here on, except OptRow::kNull.
  static constexpr uint32_t kPlaceholders = uint32_t{1} << 31;
  static bool is_placeholder(OptRow row) {
    return row.row >= kPlaceholders && row.row != OptRow::kNull;
  }
  static Head head_of(uint64_t word);
  static size_t size_of(Head head);
  uint64_t* begin_task(Task task, size_t count, uint32_t of);
  static uint64_t* put_row(uint64_t* at, const FtraceRow& row);
  // Returns whether the set can be stored on another thread: the set does not change, and refers to
  // no row of another table.
  bool can_wait(ArgSource set);
  bool shape_names_rows(uint32_t source, uint32_t shape);
  void release_source(uint32_t source);

  static void run(Stored& stored, const TaskBlock& block);
  static void run_prefetched(Stored& stored, const TaskBlock& block);
  static void run_task(Stored& stored, Head head, const uint64_t* values);
  static void append_row(FtraceEventTable& rows, const FtraceRow& row, uint32_t arg_set_id);
  static void prefetch(const ArgsBuilder& builder, const uint64_t* task, bool very_soon);

  const ArgSourceList sources_;
  Identity& identity_;
  ArgsTable& table_;  // for its combinations
  std::vector<Use> uses_;
  std::vector<std::vector<bool>> shapes_with_names_;  // of sources for which can_wait() was called
  std::vector<ArgRow> unpacked_;                      // result of rows()
  uint32_t placeholders_ = 0;
  Deferred<Stored> tasks_;
};

}  // namespace tracebraid
