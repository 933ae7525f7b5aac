// PidNamespaces: what processes and threads of one machine are called inside their pid
// namespaces (spec proto 4.3).
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <vector>

namespace tracebraid::proto {

class PidNamespaces {
 public:
  // Ids of a process or thread in its namespaces, at least one, outermost first. False if the
  // thread's process is in none that is known.
  void add_process(int64_t pid, std::vector<int64_t> ids);
  bool add_thread(int64_t pid, int64_t tid, const std::vector<int64_t>& ids);

  // The id that the machine has for what the process calls `id`.
  int64_t resolve(int64_t pid, int64_t id) const;
  bool contains(int64_t pid) const { return !processes_.empty() && processes_.contains(pid); }

  // Somebody asked for what the process calls its threads. What is added to such a process
  // later came too late.
  void note_asked(int64_t pid) { asked_.insert(pid); }
  bool has_late() const { return has_late_; }

 private:
  struct Process {
    std::vector<int64_t> ids;
    absl::flat_hash_map<int64_t, int64_t> tids;  // of the machine, by those of the process
  };
  absl::flat_hash_map<int64_t, Process> processes_;  // by pid
  absl::flat_hash_set<int64_t> asked_;
  bool has_late_ = false;
};

}  // namespace tracebraid::proto
