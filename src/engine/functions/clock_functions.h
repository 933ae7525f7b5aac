// Functions from trace time to the clocks that people know (spec clocks 13).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "query/functions/sql_function.h"
#include "tables/store.h"

namespace tracebraid {

// Trace time -> what a clock showed, from the rows of clock_snapshot: those of
// the machine whose clock trace time is, or, if it has none, all (spec clocks
// 15.2 Q17).
class ClockReadings {
 public:
  // `clock_id` as in clock_snapshot. Of several rows for one moment the first counts.
  ClockReadings(const Store& store, int64_t clock_id);
  // Before the first row its value; between two the earlier one carried on, but
  // never past the later one. Nothing without rows, or if it does not fit.
  std::optional<int64_t> at(int64_t ts) const;

 private:
  struct Reading {
    int64_t ts, value;
  };
  void take(const ClockSnapshotTable& snapshots, int64_t clock_id, std::optional<uint32_t> machine);
  std::vector<Reading> readings_;  // by ts
};

// "2023-11-14T22:13:20.000000123", UTC.
std::string date_and_time(int64_t unix_ns);

// Named __intrinsic_...; their public names are without.
std::vector<SqlFunction> clock_functions(const Store& store);

}  // namespace tracebraid
