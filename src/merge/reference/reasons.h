// The names and reasons of the report of the strict check, in words.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "clock/reference/tracker.h"
#include "format/proto/reference/tally.h"
#include "merge/files.h"

namespace tracebraid::reference {

// Returns "BOOTTIME", "private", or the number of the clock.
std::string clock_name(uint32_t clock);

class Reasons {
 public:
  Reasons(Shared& shared, const std::vector<TraceFile>& files) : shared_(shared), files_(files) {}

  std::string machine_name(uint32_t row) const;
  // Returns "clock BOOTTIME of phone".
  std::string name_of(const Node& node) const;
  // Returns why no strict reader relates the clock to the timeline.
  std::string why_no_path(const Node& source) const;
  std::string why(LossCause cause, const LostEvents& lost) const;

 private:
  std::string why_refused(const Node& node) const;

  Shared& shared_;
  const std::vector<TraceFile>& files_;
};

}  // namespace tracebraid::reference
