#pragma once

#include <string>

#include "generate/workload.h"

namespace tracebraid::generate {

// Writes the elements of a traceEvents array, each followed by ",\n". Subtracts `zero_ns` from all
// times.
class ChromeJsonWriter {
 public:
  ChromeJsonWriter(const Workload& workload, int64_t zero_ns)
      : workload_(workload), zero_ns_(zero_ns) {}

  // Writes the names of processes and threads.
  void names(std::string& out) const;
  void write(const WorkloadEvent& event, std::string& out) const;

 private:
  // Writes {"ph":"X","pid":1,"tid":2,"ts":3 without the closing brace.
  void head(char phase, int64_t ts, uint32_t thread, std::string& out) const;
  void slice(const WorkloadEvent& h, std::string& out) const;
  void arrows(const WorkloadEvent& h, std::string& out) const;

  const Workload& workload_;
  int64_t zero_ns_;
};

}  // namespace tracebraid::generate
