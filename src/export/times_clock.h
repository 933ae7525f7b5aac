// TimesClock: the clock that the times of an export are on, if it is not trace time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "clock/error_bounds.h"
#include "engine/session.h"

namespace tracebraid {

class TimesClock {
 public:
  // A clock by name ("REALTIME") or number, of a row of machine. An Error if the trace has no such
  // clock, or nothing relates it to trace time.
  static Result<std::shared_ptr<TimesClock>> of(const Session& session, std::string_view clock,
                                                uint32_t machine);

  // What the clock showed at a trace time, ns; nothing where that is not known.
  std::optional<int64_t> at(int64_t ts);
  // How far off that may be, ns; nothing if it is unbounded.
  std::optional<int64_t> uncertainty(int64_t ts);

  // "REALTIME of server".
  const std::string& label() const { return label_; }
  // at() and uncertainty() of a column, in SQL.
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
