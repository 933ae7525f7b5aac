// Places: the pid and tid of each track in a Trace Event JSON, where processes are distinguished by
// pid only.
//
// Input: a Store and a Selection. Output: the pids and tids of the file. Called by the exporter
// json (trace_json.cc).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export/selection.h"
#include "tables/store.h"

namespace tracebraid {

// The form of the events of a track.
enum class TrackForm : uint8_t {
  Skipped,  // not selected, or no track of slices
  Thread,   // complete events on a thread
  Async,    // begin and end with the track's id, in a process
  Row,      // complete events on a synthetic thread of a synthetic process
  Counter,
};

struct TrackPlace {
  TrackForm form = TrackForm::Skipped;
  int64_t pid = 0, tid = 0;
};

struct SyntheticThread {
  int64_t pid, tid;
  std::string name;
};
struct SyntheticProcess {
  int64_t pid;
  std::string name;
  uint32_t machine;
};

struct Places {
  std::vector<int64_t> pids;          // by upid; duplicate pids are replaced
  std::vector<bool> renamed;          // by upid
  std::vector<bool> is_hidden;        // by upid: the idle process of a machine, if it has no name
  std::vector<bool> thread_is_shown;  // by utid
  std::vector<TrackPlace> tracks;     // by track
  std::vector<int64_t> thread_pid;    // by utid: pid of its process in the file
  std::vector<int64_t> cpu_pid;       // by machine: the process whose threads are CPUs
  std::vector<SyntheticProcess> processes;
  std::vector<SyntheticThread> threads;
};

Places assign_places(const Store& store, const Selection& selection);

}  // namespace tracebraid
