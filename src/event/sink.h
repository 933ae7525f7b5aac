// EventSink: the words a reader may use to fill an EventBatch. It takes and
// never tells, so what one file says cannot depend on another.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <string_view>
#include <utility>

#include "event/batch.h"
#include "event/callsite_set.h"

namespace tracebraid {

class EventSink {
 public:
  explicit EventSink(EventBatch& batch) : batch_(batch) {}

  // Names. The same argument gives the same index.
  StringId string(std::string_view text) { return batch_.strings.intern(text); }
  uint32_t machine(uint64_t raw_id);
  uint32_t clock(const ClockName& name);  // at most kMaxClocks; more share the last
  uint32_t process(const ProcessName& name);
  uint32_t thread(const ThreadName& name);
  uint32_t track(const TrackName& name);
  uint32_t arg_key(ArgKey key);

  // Callstacks, root first: callsite(callsite(kNone, main), work). `parent` is kNone or
  // a callsite of this batch.
  uint32_t mapping(const StackMapping& mapping);
  uint32_t frame(const StackFrame& frame);
  uint32_t callsite(uint32_t parent, uint32_t frame) {
    return callsites_.index_of(batch_.stacks.callsites, {parent, frame});
  }
  // Before several calls of callsite(), which then wait for memory at the same time: first this for
  // each of them, then the other.
  void prefetch_callsite(uint32_t parent, uint32_t frame) const {
    callsites_.prefetch({parent, frame});
  }
  void prefetch_callsite_entry(uint32_t parent, uint32_t frame) const {
    callsites_.prefetch_entry(batch_.stacks.callsites, {parent, frame});
  }
  uint32_t session(const SampleSession& session);
  uint32_t async_context(const AsyncContext& context);

  // An arg set: open, any number of arg(), close. close() returns kNone when
  // nothing was added.
  void open_args() { args_first_ = batch_.args.rows.size(); }
  void arg(uint32_t key, ArgType type, int64_t value) {
    batch_.args.rows.push_back({value, key, type, false});
  }
  uint32_t close_args();

  // Events of the stream with this rank, in any order.
  void event(const Event& event, uint32_t rank = 0) {
    if (rank != stream_rank_ || stream_ == nullptr) find_stream(rank);
    stream_->push_back(event);
  }
  // Makes room for that many more of the stream: for readers that know their number.
  void expect_events(size_t count, uint32_t rank = 0) {
    if (rank != stream_rank_ || stream_ == nullptr) find_stream(rank);
    stream_->reserve(stream_->size() + count);
  }
  void untimed(const Event& event) { batch_.untimed.push_back(event); }

  // "These clocks were read together."
  void snapshot(Snapshot snapshot, std::initializer_list<SnapshotReading> readings);

  // "These bytes could not be used, or needed a repair."
  void count(StatId stat, uint64_t byte_offset = kNoOffset, std::string_view text = {},
             uint32_t machine = 0);
  // Counts without a row in the import log.
  void tally(StatId stat, int64_t amount = 1, uint32_t machine = 0, int32_t index = -1);

  EventBatch& batch() { return batch_; }

 private:
  void find_stream(uint32_t rank);

  struct StatKey {
    StatId stat;
    uint32_t machine;
    int32_t index;
    friend bool operator==(StatKey, StatKey) = default;
    template <class H>
    friend H AbslHashValue(H h, StatKey k) {
      return H::combine(std::move(h), k.stat, k.machine, k.index);
    }
  };

  EventBatch& batch_;
  absl::flat_hash_map<ClockName, uint32_t> clocks_;
  absl::flat_hash_map<ProcessName, uint32_t> processes_;
  absl::flat_hash_map<ThreadName, uint32_t> threads_;
  absl::flat_hash_map<TrackName, uint32_t> tracks_;
  absl::flat_hash_map<ArgKey, uint32_t> arg_keys_;
  absl::flat_hash_map<StackMapping, uint32_t> mappings_;
  absl::flat_hash_map<StackFrame, uint32_t> frames_;
  CallsiteSet callsites_;
  absl::flat_hash_map<SampleSession, uint32_t> sessions_;
  absl::flat_hash_map<AsyncContext, uint32_t> async_contexts_;
  absl::flat_hash_map<StatKey, size_t> stats_;  // places of EventBatch::stats
  absl::flat_hash_map<StatId, size_t> logged_;  // rows of the import log, by stat
  size_t args_first_ = 0;
  std::vector<Event>* stream_ = nullptr;
  uint32_t stream_rank_ = 0;
};

}  // namespace tracebraid
