// Identity: which row of process and thread a pid or tid means at this moment
// (spec proto 4.1).
//
// A tid says nothing about its process until something names both; a number
// that the kernel gives away again is a new row. Events must come in time
// order.
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

// Priorities of names that building gives itself; readers give theirs with the
// event.
inline constexpr int64_t kThreadNameFromSched = 1;
inline constexpr int64_t kThreadNameFromTree = 2;
inline constexpr int64_t kThreadNameConstant = 5;
inline constexpr int64_t kProcessNameFromSystem = 4;

class Identity {
 public:
  // Makes the rows of the idle task of every machine. Where `zero_is_idle`, pid
  // and tid 0 mean these; elsewhere they are ordinary numbers.
  Identity(const Names& names, std::span<const bool> zero_is_idle, Store& store,
           Problems& problems);

  // Rows for names of the list, made when needed; kNone for kNone.
  uint32_t process(uint32_t name);
  uint32_t thread(uint32_t name);
  // The row that the tid means now.
  uint32_t thread_of(uint32_t machine, int64_t tid);
  // Likewise in two steps: what number_of() gave stays.
  uint32_t number_of(uint32_t machine, int64_t tid) { return slot_of(machine, tid); }
  uint32_t thread_with_number(uint32_t number) { return find_thread(number); }
  // Likewise; kNone if nothing has said that there is such a thread.
  uint32_t known_thread(uint32_t machine, int64_t tid) const;
  uint32_t process_of(uint32_t machine, int64_t pid);
  // The thread that has both numbers now.
  uint32_t thread_of(uint32_t machine, int64_t tid, int64_t pid);
  // The process of the thread; kNone if it is not known.
  uint32_t process_of_thread(uint32_t utid) const { return threads_.upid[utid].row; }

  void name_process(uint32_t upid, StringId name, int64_t priority);
  void name_thread(uint32_t utid, StringId name, int64_t priority);
  // And its process, if it is the main thread.
  void rename_task(uint32_t utid, StringId name, int64_t priority);
  void set_parent(uint32_t process_name, uint32_t parent_name, FileId file);

  // Lives that begin and end at `ts`.
  void start_process(uint32_t process_name, StringId name, int64_t ts);
  void start_thread(uint32_t thread_name, int64_t ts);
  void end_thread(uint32_t thread_name, int64_t ts);
  // Sets end_ts of the thread that has the number, and of its process if it is the main one.
  void note_end(uint32_t thread_name, int64_t ts);
  uint32_t start_thread(uint32_t machine, int64_t tid, int64_t ts);
  void end_thread(uint32_t machine, int64_t tid, int64_t ts);
  // Likewise, made without a main thread if it is new (spec proto 6.1).
  uint32_t bare_process_of(uint32_t machine, int64_t pid);
  // The thread of the process that has the tid now.
  uint32_t thread_in(uint32_t machine, int64_t tid, uint32_t upid);
  // task_newtask; `event` is of kind NewTask. The row of the new thread, or kNone.
  uint32_t new_task(const Event& event);

  // Changes whenever a number got another meaning: rows found before may be
  // out of date.
  uint32_t lives() const { return lives_; }
  // Whether the name means the same row while lives() stays.
  bool is_stable(uint32_t thread_name) const {
    return names_.threads[thread_name].pid != kNoId || names_.threads[thread_name].life != 0;
  }

 private:
  using Slot = uint32_t;
  // A number of one machine: as a pid and as a tid.
  struct Number {
    uint32_t machine;
    int64_t id;
    uint32_t process = kNone;      // that the pid means
    uint32_t live_thread = kNone;  // that the tid means
    uint32_t unowned = kNone;      // newest thread of this tid whose process is not known
    uint32_t first_alive = 0;      // threads of this tid with smaller rows are dead
  };
  struct ThreadLife {
    Slot slot;
    uint32_t older_unowned;        // thread of the same tid that had no process at first either
    uint32_t older_owned = kNone;  // thread of the same tid and process
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
  // Sets end_ts of the thread, and of its process if it is the main one: then the upid, or kNone.
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
  // Which identity of which file a row stands for.
  absl::flat_hash_map<std::pair<FileId, uint32_t>, uint64_t> claimed_processes_, claimed_threads_;

  // Threads that wait for the process of another: to be in it, and as parent.
  absl::flat_hash_map<uint32_t, std::vector<uint32_t>> waiting_threads_;
  absl::flat_hash_map<uint32_t, std::vector<uint32_t>> waiting_children_;
  uint32_t lives_ = 0;
};

}  // namespace tracebraid
