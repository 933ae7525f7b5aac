// Identity: maps pids and tids to rows of process and thread at the time of an event (spec proto
// 4.1).
//
// The process of a tid is unknown until an event has both; a reused number gets a new row.
// Requires: events in order of time.
//
// Input: names of processes and threads, at the time of an event. Output: rows of process and
// thread. Called by all stages of assembling.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <span>
#include <vector>

#include "assemble/placed_batch.h"
#include "assemble/problems.h"
#include "tables/store.h"

namespace tracebraid {

// Priorities of names that assembling sets; events have the priorities of readers.
inline constexpr int64_t kThreadNameFromSched = 1;
inline constexpr int64_t kThreadNameFromTree = 2;
inline constexpr int64_t kThreadNameConstant = 5;
inline constexpr int64_t kProcessNameFromSystem = 4;

class Identity {
 public:
  // Creates the rows of the idle task of every machine. If `zero_is_idle`, pid and tid 0 are the
  // idle task; else they are ordinary numbers.
  Identity(const Names& names, std::span<const bool> zero_is_idle, Store& store,
           Problems& problems);

  // Return the rows of names, and create them if needed; kNone for kNone.
  uint32_t process(uint32_t name);
  uint32_t thread(uint32_t name);
  // Returns the current row of the tid.
  uint32_t thread_of(uint32_t machine, int64_t tid);
  // Finds a thread in two steps; the result of number_of() stays valid.
  uint32_t number_of(uint32_t machine, int64_t tid) { return slot_of(machine, tid); }
  uint32_t thread_with_number(uint32_t number) { return find_thread(number); }
  // Returns kNone if no event has referred to the thread.
  uint32_t known_thread(uint32_t machine, int64_t tid) const;
  // The same for the main thread of a process.
  uint32_t known_main_thread(uint32_t process_name) const {
    const ProcessName& name = names_.processes[process_name];
    return known_thread(name.machine, name.pid);
  }
  uint32_t process_of(uint32_t machine, int64_t pid);
  // Returns the current thread with this tid and pid.
  uint32_t thread_of(uint32_t machine, int64_t tid, int64_t pid);
  // Returns the process of the thread; kNone if it is not known.
  uint32_t process_of_thread(uint32_t utid) const { return threads_.upid[utid].row; }

  void name_process(uint32_t upid, StringId name, int64_t priority);
  void name_thread(uint32_t utid, StringId name, int64_t priority);
  // Also names its process, if it is the main thread.
  void rename_task(uint32_t utid, StringId name, int64_t priority);
  void set_parent(uint32_t process_name, uint32_t parent_name, FileId file);

  // Begin and end the life of a process or thread at `ts`.
  void start_process(uint32_t process_name, StringId name, int64_t ts);
  void start_thread(uint32_t thread_name, int64_t ts);
  void end_thread(uint32_t thread_name, int64_t ts);
  // Sets end_ts of the current thread of the tid, and of its process for a main thread.
  void note_end(uint32_t thread_name, int64_t ts);
  uint32_t start_thread(uint32_t machine, int64_t tid, int64_t ts);
  void end_thread(uint32_t machine, int64_t tid, int64_t ts);
  // Creates a new process without a main thread (spec proto 6.1).
  uint32_t bare_process_of(uint32_t machine, int64_t pid);
  // Returns the current thread of the process with this tid.
  uint32_t thread_in(uint32_t machine, int64_t tid, uint32_t upid);
  // Handles task_newtask. Requires: `event` is of kind NewTask. Returns the row of the new thread,
  // or kNone.
  uint32_t new_task(const Event& event);

  // Returns a counter that changes when the row of any number changes, which invalidates rows found
  // before.
  uint32_t lives() const { return lives_; }
  // Whether the name has the same row while lives() does not change.
  bool is_stable(uint32_t thread_name) const {
    return names_.threads[thread_name].pid != kNoId || names_.threads[thread_name].life != 0;
  }

 private:
  using Slot = uint32_t;
  // A number of one machine, as a pid and as a tid.
  struct Number {
    uint32_t machine;
    int64_t id;
    uint32_t process = kNone;      // current process of the pid
    uint32_t live_thread = kNone;  // current thread of the tid
    uint32_t unowned = kNone;      // newest thread of this tid without a process
    uint32_t first_alive = 0;      // threads of this tid with smaller rows are dead
  };
  struct ThreadLife {
    Slot slot;
    uint32_t older_unowned;        // older thread of the same tid without a process at first
    uint32_t older_owned = kNone;  // older thread of the same tid and process
    uint8_t priority = 0;          // of the name
    bool ended = false;
  };
  struct ProcessLife {
    Slot slot;
    uint8_t priority = 0;
    bool ended = false;
  };
  struct Known {  // a row found for a name
    uint32_t row = kNone;
    uint32_t lives = 0;
  };

  void add_idle(uint32_t machine, bool is_zero);
  Slot slot_of(uint32_t machine, int64_t id);
  uint32_t find_process(Slot slot);
  // Sets end_ts of the thread, and of its process for a main thread. Returns that process, or
  // kNone.
  uint32_t set_end(uint32_t utid, int64_t ts);
  void end_live_thread(Slot slot, int64_t ts);
  uint32_t find_thread(Slot slot);
  uint32_t associate(Slot tid, uint32_t upid);
  bool is_alive(uint32_t utid) const;
  bool has_process(uint32_t utid) const { return threads_.upid[utid].row != OptRow::kNull; }
  uint32_t add_process(Slot slot, std::optional<int64_t> ts);
  uint32_t add_thread(Slot slot, std::optional<int64_t> ts);
  void adopt(uint32_t utid, uint32_t upid);
  void set_process(uint32_t utid, uint32_t upid);
  uint32_t begin_process(Slot slot, StringId name, std::optional<int64_t> ts);
  uint32_t thread_with_life(const ThreadName& name, Slot slot);
  uint32_t process_with_life(const ProcessName& name, Slot slot);

  const Names& names_;
  ProcessTable& processes_;
  ThreadTable& threads_;
  Problems& problems_;

  absl::flat_hash_map<std::pair<uint32_t, int64_t>, Slot> slots_;
  std::vector<std::vector<Slot>> small_slots_;  // by machine and id: as slots_, kNone if not yet
  std::vector<Number> numbers_;
  std::vector<ProcessLife> process_lives_;
  std::vector<ThreadLife> thread_lives_;
  absl::flat_hash_map<std::pair<Slot, uint32_t>, uint32_t> owned_;  // newest of (tid, upid)

  std::vector<Slot> process_slots_, thread_slots_;  // of the names
  std::vector<Known> known_processes_, known_threads_;
  // The file and identity of a row.
  absl::flat_hash_map<std::pair<FileId, uint32_t>, uint64_t> claimed_processes_, claimed_threads_;

  // Threads that wait for the process of another thread, as their process or as the parent.
  absl::flat_hash_map<uint32_t, std::vector<uint32_t>> waiting_threads_;
  absl::flat_hash_map<uint32_t, std::vector<uint32_t>> waiting_children_;
  uint32_t lives_ = 0;
};

}  // namespace tracebraid
