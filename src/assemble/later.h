// Later: work that no event waits for, done in order by whichever thread has time for it:
// looking up sets of args that came with events, and rows of ftrace_event.
//
// The order is that in which it was asked for, so what comes out does not depend on the threads.
#pragma once

#include <cstdint>
#include <span>

#include "assemble/args.h"
#include "assemble/lane.h"
#include "tables/args_table.h"
#include "tables/store.h"

namespace tracebraid {

struct FtraceRow {
  int64_t ts;
  StringId name;
  uint32_t utid;
  uint32_t common_flags;
  uint32_t ucpu;
};

class Later {
 public:
  // `args` asks for finish() before it does anything that must not happen meanwhile.
  Later(ArgsBuilder& args, FtraceEventTable& rows);
  ~Later();
  Later(const Later&) = delete;
  Later& operator=(const Later&) = delete;

  // By the thread that builds:

  // What stands for the row of the set until keep_promises(); null if there is no set.
  OptRow set(ArgSource set);
  // A row of ftrace_event and its args.
  void add_row(const FtraceRow& row, ArgSource set, bool without_arrays);
  void add_row(const FtraceRow& row, std::span<const ArgRow> args);
  void add_row(const FtraceRow& row, uint32_t parted_layout, std::span<const int64_t> numbers);
  // For add_row(); keys are of ArgsBuilder::key().
  uint32_t add_parted_layout(std::span<const ArgPart> parts);
  void forget(uint32_t source);

  // Afterwards all that was asked for is done.
  void finish() { lane_.finish(); }
  // All rows have been asked for.
  void finish_rows();
  // After finish(), for columns with what set() returned:
  void keep_promises(PackedColumn<OptRow>& column) const;
  OptRow kept(OptRow row) const {
    return is_promise(row) ? OptRow{static_cast<uint32_t>(sets_[row.row - kPromises])} : row;
  }

  Lane& lane() { return lane_; }

 private:
  enum class Task : uint8_t { Set, Row, RowWithoutArrays, RowOfArgs, RowOfParts, Forget };
  // The first word of each task: what, how many values follow, and of what.
  struct Head {
    uint32_t task : 8;
    uint32_t count : 24;
    uint32_t of;  // source or layout
  };
  static constexpr uint32_t kPromises = uint32_t{1} << 31;  // and above: OptRow::kNull is above all

  static bool is_promise(OptRow row) { return row.row >= kPromises && row.row != OptRow::kNull; }
  static Head head_of(uint64_t word);
  static size_t size_of(Head head);
  uint64_t* begin_task(Task task, size_t count, uint32_t of);
  static uint64_t* put_row(uint64_t* at, const FtraceRow& row);
  void run(const Lane::Block& block);
  void run_all_ahead(const Lane::Block& block);
  void run_task(Head head, const uint64_t* values);
  void append_row(const FtraceRow& row, uint32_t arg_set_id);
  void expect(const uint64_t* task, bool very) const;

  ArgsBuilder& args_;
  FtraceEventTable& rows_;
  uint32_t promised_ = 0;

  // Of the thread that does a block. Others leave it alone, and what the args are built in.
  PackedInts sets_;  // the rows promised
  Lane lane_{[this](const Lane::Block& block) { run(block); }};
};

}  // namespace tracebraid
