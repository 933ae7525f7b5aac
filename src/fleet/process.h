// WorkerProcess: a process that runs tasks one after the other (fleet/worker.h), and the pipes to
// it.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace tracebraid::fleet {

// Ends the process when it goes out of scope.
class WorkerProcess {
 public:
  // Starts `command` with pipes as standard input and output, in a session of its own, so that
  // Ctrl-C reaches the parent only. Error Io.
  static Result<WorkerProcess> start(const std::vector<std::string>& command);
  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&& other) noexcept;
  ~WorkerProcess();

  pid_t id() const { return id_; }
  int output() const { return output_.fd(); }
  // Writes a line. Returns false if the process does not read it.
  bool give(const std::string& line);
  void kill();
  // Waits for the end of the process, which must be near. Returns how it ended: "by signal 9".
  std::string end();

 private:
  WorkerProcess() = default;
  pid_t id_ = -1;
  Descriptor input_, output_;
};

}  // namespace tracebraid::fleet
