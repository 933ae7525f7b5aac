// SQL functions that convert trace time to REALTIME and MONOTONIC (spec clocks 13).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "query/functions/sql_function.h"
#include "tables/store.h"

namespace tracebraid {

// Converts trace time to readings of a clock by the rows of clock_snapshot: those of the machine of
// the timeline, or, if it has none, all (spec clocks 15.2 Q17).
class ClockReadings {
 public:
  // `clock_id` as in clock_snapshot. Of several rows with one time the first applies.
  ClockReadings(const Store& store, int64_t clock_id);
  // Returns the value of the first row before it; between two rows the extrapolated earlier value,
  // at most the later one. Returns nothing without rows, or if the result does not fit.
  std::optional<int64_t> at(int64_t ts) const;

 private:
  struct Reading {
    int64_t ts, value;
  };
  void take(const ClockSnapshotTable& snapshots, int64_t clock_id, std::optional<uint32_t> machine);
  std::vector<Reading> readings_;  // by ts
};

// Returns "2023-11-14T22:13:20.000000123", UTC.
std::string date_and_time(int64_t unix_ns);

// Returns functions named __intrinsic_...; public names have no prefix.
std::vector<SqlFunction> clock_functions(const Store& store);

}  // namespace tracebraid
