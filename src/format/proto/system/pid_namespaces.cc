#include "format/proto/system/pid_namespaces.h"

#include <utility>

namespace tracebraid::proto {

void PidNamespaces::add_process(int64_t pid, std::vector<int64_t> ids) {
  Process& process = processes_[pid];
  if (process.ids == ids) return;
  process.ids = std::move(ids);
  has_late_ |= asked_.contains(pid);
}

bool PidNamespaces::add_thread(int64_t pid, int64_t tid, const std::vector<int64_t>& ids) {
  const auto process = processes_.find(pid);
  if (process == processes_.end()) return false;
  const size_t levels = process->second.ids.size();
  if (ids.size() < levels) return true;
  const auto [known, is_new] = process->second.tids.try_emplace(ids[levels - 1], tid);
  if (!is_new && known->second == tid) return true;
  known->second = tid;
  has_late_ |= asked_.contains(pid);
  return true;
}

int64_t PidNamespaces::resolve(int64_t pid, int64_t id) const {
  const auto process = processes_.find(pid);
  if (process == processes_.end()) return id;
  if (process->second.ids.back() == id) return pid;
  const auto thread = process->second.tids.find(id);
  return thread == process->second.tids.end() ? id : thread->second;
}

}  // namespace tracebraid::proto
