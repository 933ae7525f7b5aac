#pragma once

#include <string>

#include "generate/workload.h"

namespace tracebraid::generate {

// Writes the elements of a traceEvents array, each followed by ",\n". Times are
// those of the happenings less `zero_ns`.
class ChromeJsonWriter {
 public:
  ChromeJsonWriter(const Workload& workload, int64_t zero_ns)
      : workload_(workload), zero_ns_(zero_ns) {}

  // Names of processes and threads.
  void names(std::string& out) const;
  void write(const Happening& happening, std::string& out) const;

 private:
  // {"ph":"X","pid":1,"tid":2,"ts":3 and no closing brace.
  void head(char phase, int64_t ts, uint32_t thread, std::string& out) const;
  void slice(const Happening& h, std::string& out) const;
  void arrows(const Happening& h, std::string& out) const;

  const Workload& workload_;
  int64_t zero_ns_;
};

}  // namespace tracebraid::generate
