// ChromeProcesses: processes of Chrome whose events are missing in a part of the trace (spec
// proto-2 6). Called by LifeStage.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tables/store.h"

namespace tracebraid {

class ChromeProcesses {
 public:
  // Chrome lists the process among the active ones. Times do not decrease.
  void note_listed(uint32_t upid, int64_t ts) { processes_[upid].listed.push_back(ts); }
  // The process describes itself.
  void note_described(uint32_t upid, int64_t ts) { processes_[upid].described.push_back(ts); }
  // Call after the last event: adds the rows of processes that were listed without a description.
  void fill(Store& store) const;

 private:
  struct Process {
    std::vector<int64_t> listed, described;
  };
  std::map<uint32_t, Process> processes_;  // by upid
};

}  // namespace tracebraid
