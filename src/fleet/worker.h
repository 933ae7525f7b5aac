// Worker: runs the tasks of a fleet in a process of its own, so that a trace that crashes or needs
// too much memory ends only its worker. Tasks come as lines of JSON (fleet/task.h), rows go out as
// frames (fleet/frames.h).
//
// Input: a descriptor of tasks. Output: frames on a descriptor. Called by the program, in processes
// that fleet/pool.h starts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "engine/engine.h"

namespace tracebraid::fleet {

// What only a program does to its process.
struct WorkerHost {
  EngineOptions engine;  // without threads and memory_limit, which tasks state
  // Limits the memory of the process to that of now and `bytes`, and begins a new peak.
  std::function<void(uint64_t bytes)> limit_memory;
  std::function<int64_t()> peak_bytes;      // since limit_memory()
  std::function<int64_t()> resident_bytes;  // now
  // Marks files of the folder that the process has mapped as used now.
  std::function<void(const std::string& folder)> mark_used;
  // The work of a group goes on to another stage. The text is a literal.
  std::function<void(const char* stage)> at_stage;
};

// Runs until the input ends. Errors: the output cannot be written, the input has no tasks.
Result<> run_worker(int tasks, int output, const WorkerHost& host);

}  // namespace tracebraid::fleet
