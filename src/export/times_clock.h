// TimesClock: the clock of the times of an export, if it is not trace time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "clock/error_bounds.h"
#include "export/source.h"

namespace tracebraid {

class TimesClock {
 public:
  // Finds a clock by name ("REALTIME") or number on a machine (row of machine). Returns an Error if
  // the trace has no such clock, or it has no path to trace time.
  static Result<std::shared_ptr<TimesClock>> of(const ExportSource& source, std::string_view clock,
                                                uint32_t machine);

  // Returns the reading of the clock at a trace time, ns; nothing if it is not known.
  std::optional<int64_t> at(int64_t ts);
  // Returns the bound of at(), ns; nothing if it is unbounded.
  std::optional<int64_t> uncertainty(int64_t ts);

  // Returns its name: "REALTIME of server".
  const std::string& label() const { return label_; }
  // Return SQL expressions for at() and uncertainty() of a column.
  std::string at_sql(std::string_view column) const;
  std::string uncertainty_sql(std::string_view column) const;

 private:
  TimesClock(std::shared_ptr<const MergedClocks> clocks, ClockId clock);
  std::string call_sql(std::string_view function, std::string_view column) const;

  std::shared_ptr<const MergedClocks> clocks_;
  ClockId trace_time_;
  Placement placement_;
  ErrorBounds bounds_;
  PlaceCursor cursor_;
  uint32_t domain_ = 0, machine_ = 0;
  std::string label_;
};

}  // namespace tracebraid
