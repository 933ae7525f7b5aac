// Pool: runs the groups of a fleet in worker processes. A group gives all its rows or none: they
// wait in a spool until it has ended.
//
// Input: groups, and what is done with each. Output: an Outcome for each group. Called by
// fleet/run.h.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "fleet/frames.h"
#include "fleet/group.h"
#include "fleet/process.h"
#include "fleet/spool.h"
#include "fleet/task.h"

namespace tracebraid::fleet {

// What became of a group: its rows, or its failure.
struct Outcome {
  size_t group = 0;  // index
  unsigned attempt = 1;
  std::optional<Failure> failure = {};
  std::string facts = {};  // JSON, without a failure
  std::unique_ptr<Spool> rows = {};
};

struct PoolOptions {
  std::vector<std::string> command;  // starts a worker
  unsigned jobs = 1;
  std::string temporary_folder;
  // Runs no group that stands behind one that failed.
  bool stops_at_failure = false;
  // Outcomes wait without limit, because the caller takes them in another order.
  bool keeps_all = false;
};

// The largest groups run first; then those whose worker died, once more and alone.
class Schedule {
 public:
  struct Turn {
    size_t group;
    unsigned attempt;
  };
  // `skipped`: groups that do not run.
  Schedule(const std::vector<Group>& groups, const std::vector<bool>& skipped);
  // Returns the next group. Nothing: wait until a running group has finished, or the end.
  std::optional<Turn> take();
  void finish() { --running_; }
  void repeat(size_t group);
  // Gives out no group behind this one any more.
  void stop_behind(size_t group);
  bool is_done() const { return todo_.empty() && again_.empty() && running_ == 0; }
  size_t running() const { return running_; }

 private:
  std::vector<size_t> todo_;  // the last is next
  std::deque<size_t> again_;
  size_t running_ = 0;
  size_t last_;
};

class Pool {
 public:
  // Starts to run on a thread of its own. `groups` and `ask` must outlive the pool.
  Pool(const std::vector<Group>& groups, const Ask& ask, const std::vector<bool>& skipped,
       PoolOptions options);
  ~Pool();  // ends the workers
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Waits for the next outcome. Nothing: there is none any more. Errors: Cancelled, by `stop`; Io,
  // if no worker can be started.
  Result<std::optional<Outcome>> next(const Stop& stop);

 private:
  using Clock = std::chrono::steady_clock;
  // A worker and the group that it runs.
  struct Slot {
    std::optional<WorkerProcess> process;
    unsigned groups = 0;  // that the process was given
    bool is_busy = false;
    Schedule::Turn turn{};
    Clock::time_point begun, late;  // late: the worker should have answered by then
    std::unique_ptr<Spool> rows;
    std::optional<FrameSplitter> frames;
    std::optional<Error> no_room;  // rows could not be kept
  };

  void loop();
  void assign(Slot& slot, Schedule::Turn turn);
  void read(Slot& slot);
  void take_message(Slot& slot);
  void end_late(Slot& slot);
  void end_dead(Slot& slot);
  void fail_group(Slot& slot, Failure failure);
  void retire(Slot& slot);
  void put(Outcome outcome);
  bool has_room();  // for more outcomes
  double seconds(const Slot& slot) const;

  const std::vector<Group>& groups_;
  const Ask& ask_;
  const PoolOptions options_;
  Schedule schedule_;
  std::vector<Slot> slots_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Outcome> outcomes_;
  std::optional<Error> error_;
  bool is_done_ = false, is_stopped_ = false;
  std::thread thread_;
};

}  // namespace tracebraid::fleet
