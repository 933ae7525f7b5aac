// Places: the pid and tid under which each track of the tables appears in a
// Trace Event JSON, where a pid is all there is to tell processes apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export/selection.h"
#include "tables/store.h"

namespace tracebraid {

// How the events of a track are written.
enum class TrackForm : uint8_t {
  Skipped,  // not selected, or not of slices
  Thread,   // complete events on a thread
  Async,    // begin and end with the track's id, in a process
  Row,      // complete events on a made-up thread of a made-up process
  Counter,
};

struct TrackPlace {
  TrackForm form = TrackForm::Skipped;
  int64_t pid = 0, tid = 0;
};

struct MadeUpThread {
  int64_t pid, tid;
  std::string name;
};
struct MadeUpProcess {
  int64_t pid;
  std::string name;
  uint32_t machine;
};

struct Places {
  std::vector<int64_t> pids;    // by upid; a pid that another process has as well is replaced
  std::vector<bool> renamed;    // by upid
  std::vector<bool> is_hidden;  // by upid: the idle process of a machine, where nothing names it
  std::vector<bool> thread_is_shown;  // by utid
  std::vector<TrackPlace> tracks;     // by track
  std::vector<int64_t> thread_pid;    // by utid: pid of the process it is shown in
  std::vector<int64_t> cpu_pid;       // by machine: the process whose threads are CPUs
  std::vector<MadeUpProcess> processes;
  std::vector<MadeUpThread> threads;
};

Places assign_places(const Store& store, const Selection& selection);

}  // namespace tracebraid
