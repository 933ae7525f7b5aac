// PidNamespaces: the ids of processes and threads of one machine inside their pid namespaces (spec
// proto 4.3).
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <vector>

namespace tracebraid::proto {

class PidNamespaces {
 public:
  // Add the ids of a process or thread in its namespaces, at least one, outermost first.
  // add_thread() returns false if the namespaces of its process are not known.
  void add_process(int64_t pid, std::vector<int64_t> ids);
  bool add_thread(int64_t pid, int64_t tid, const std::vector<int64_t>& ids);

  // Returns the id on the machine for the process's own `id`.
  int64_t resolve(int64_t pid, int64_t id) const;
  bool contains(int64_t pid) const { return !processes_.empty() && processes_.contains(pid); }

  // Notes a look-up of ids of a process. Ids that are added to the process afterwards are late.
  void note_asked(int64_t pid) { asked_.insert(pid); }
  bool has_late() const { return has_late_; }

 private:
  struct Process {
    std::vector<int64_t> ids;
    absl::flat_hash_map<int64_t, int64_t> tids;  // ids on the machine, by those in the process
  };
  absl::flat_hash_map<int64_t, Process> processes_;  // by pid
  absl::flat_hash_set<int64_t> asked_;
  bool has_late_ = false;
};

}  // namespace tracebraid::proto
