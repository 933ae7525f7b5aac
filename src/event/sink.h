// EventSink: the interface by which a reader fills an EventBatch. It gives readers no data of other
// files, so the result of a file cannot depend on another. One thread per sink.
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

  // Return the index of a name; equal names have one index.
  StringId string(std::string_view text) { return batch_.strings.intern(text); }
  uint32_t machine(uint64_t raw_id);
  uint32_t clock(const ClockName& name);  // at most kMaxClocks; further clocks share the last index
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
  // Prefetch for several calls of callsite(): call the first function for each of them, then the
  // second.
  void prefetch_callsite(uint32_t parent, uint32_t frame) const {
    callsites_.prefetch({parent, frame});
  }
  void prefetch_callsite_entry(uint32_t parent, uint32_t frame) const {
    callsites_.prefetch_entry(batch_.stacks.callsites, {parent, frame});
  }
  uint32_t session(const SampleSession& session);
  uint32_t async_context(const AsyncContext& context);

  // Build an arg set: open, any number of arg(), close. close() returns kNone if nothing was added.
  void open_args() { args_first_ = batch_.args.rows.size(); }
  void arg(uint32_t key, ArgType type, int64_t value) {
    batch_.args.rows.push_back({value, key, type, false});
  }
  // Adds a leaf that has no row in `args`.
  void unlisted_arg(uint32_t key, ArgType type, int64_t value = 0) {
    batch_.args.rows.push_back({value, key, type, false, true});
  }
  uint32_t close_args();

  // Emits an event of the stream with this rank. Events of a stream may come in any order of time.
  void event(const Event& event, uint32_t rank = 0) {
    if (rank != stream_rank_ || stream_ == nullptr) find_stream(rank);
    stream_->push_back(event);
  }
  // Reserves memory for `count` more events of the stream.
  void expect_events(size_t count, uint32_t rank = 0) {
    if (rank != stream_rank_ || stream_ == nullptr) find_stream(rank);
    stream_->reserve(stream_->size() + count);
  }
  void untimed(const Event& event) { batch_.untimed.push_back(event); }

  // Reports clocks that were read together.
  void snapshot(Snapshot snapshot, std::initializer_list<SnapshotReading> readings);

  // Counts data that was skipped or repaired, and adds a row to the import log.
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
  absl::flat_hash_map<StatKey, size_t> stats_;  // indexes of EventBatch::stats
  absl::flat_hash_map<StatId, size_t> logged_;  // number of rows of the import log, by stat
  size_t args_first_ = 0;
  std::vector<Event>* stream_ = nullptr;
  uint32_t stream_rank_ = 0;
};

}  // namespace tracebraid
