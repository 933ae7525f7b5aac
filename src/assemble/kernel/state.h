// What the handlers of kernel events remember from one event to the next. Numbers are those
// of a machine, so it is part of each key.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <deque>
#include <tuple>
#include <utility>
#include <vector>

#include "assemble/kernel/binder_state.h"
#include "assemble/kernel/task_runs.h"
#include "assemble/placed_batch.h"
#include "assemble/task_state.h"

namespace tracebraid {

using OfMachine = std::pair<uint32_t, uint64_t>;  // machine, number
template <class Value>
using Remembered = absl::flat_hash_map<OfMachine, Value>;

// A counter of a process, while it is only known whose thread said it.
struct ThreadCounter {
  uint32_t utid;
  uint32_t kind;  // of the list in process_counters.cc
  FileId file;
  friend bool operator==(const ThreadCounter&, const ThreadCounter&) = default;
  template <class H>
  friend H AbslHashValue(H h, const ThreadCounter& c) {
    return H::combine(std::move(h), c.utid, c.kind, c.file);
  }
};
struct PendingCounters {
  struct Wanted {
    ThreadCounter counter;
    uint32_t machine;
  };
  absl::flat_hash_map<ThreadCounter, uint32_t> indexes;
  std::vector<Wanted> wanted;  // in order of first use
};

struct ContiguousMigration {  // of memory, that an allocation made necessary
  uint64_t migrated = 0, reclaimed = 0, mapped = 0;
};

struct MemoryState {
  Remembered<uint32_t> thread_of_mm;                              // utid
  absl::flat_hash_map<uint32_t, ContiguousMigration> migrations;  // by utid
};

struct SuspendState {
  StringId enter;  // cookie of suspend_enter while it is open
  bool is_freezing = false;
};

struct PowerState {
  std::vector<SuspendState> suspends;               // by machine
  Remembered<uint32_t> wakelocks;                   // begun and not ended, by name
  absl::flat_hash_map<uint32_t, StringId> devices;  // shown names, by name
};

struct FenceTimeline {
  bool emits = false;
  std::deque<uint64_t> pending;
};
// A job of a GPU, or its fence.
struct DrmJob {
  uint64_t id = 0, context = 0;
  bool is_keyed_by_fence = false;
  friend bool operator==(const DrmJob&, const DrmJob&) = default;
  template <class H>
  friend H AbslHashValue(H h, const DrmJob& j) {
    return H::combine(std::move(h), j.id, j.context, j.is_keyed_by_fence);
  }
};
struct SchedRing {
  uint32_t track = kNone;
  std::deque<DrmJob> jobs;  // that run, one at a time
};
// A buffer of a video device: minor, sequence, type, index.
using VideoBuffer = std::tuple<uint32_t, int32_t, uint32_t, uint32_t, uint32_t>;

struct GpuState {
  absl::flat_hash_map<uint32_t, FenceTimeline> fences;                       // by track
  absl::flat_hash_map<uint32_t, SchedRing> rings;                            // by track
  absl::flat_hash_map<std::pair<uint32_t, DrmJob>, uint32_t> ring_of_fence;  // track
  absl::flat_hash_map<std::pair<uint32_t, DrmJob>, uint32_t> queued_jobs;    // slice
  absl::flat_hash_map<VideoBuffer, uint32_t> queued_buffers;                 // slice
  Remembered<uint32_t> thread_of_context;
};

struct NetworkState {
  Remembered<uint64_t> received, sent;  // bytes, by name of the interface
  std::vector<uint64_t> dropped;        // by machine
  Remembered<uint32_t> streams;         // numbers from 1, by socket
  std::vector<uint32_t> stream_counts;  // by machine
};

struct I2cOperation {
  uint32_t adapter = 0, messages = 0;
};

struct CallState {
  absl::flat_hash_map<uint32_t, I2cOperation> i2c;  // open ones, by utid
  // Calls of write that a mark cut short: their end is not to close anything (by utid).
  absl::flat_hash_map<uint32_t, uint32_t> open_writes, cut_writes;
};

struct KernelState {
  std::vector<KernelVersion> kernels;  // by machine
  PendingCounters process_counters;
  MemoryState memory;
  PowerState power;
  GpuState gpu;
  NetworkState network;
  CallState calls;
  BinderState binder;
  TaskStates tasks;
  // Reads of files that have not ended: by inode and offset, who reads.
  absl::flat_hash_map<std::pair<OfMachine, int64_t>, uint64_t> file_reads;
};

// The element of a vector by machine.
template <class Value>
Value& of_machine(std::vector<Value>& all, uint32_t machine) {
  if (machine >= all.size()) all.resize(machine + 1);
  return all[machine];
}

}  // namespace tracebraid
