// QueryLog: the last queries of a connection with their times, which the table `sqlstats` shows
// (spec sql-dialect 5.5).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "query/functions/table_function.h"

namespace tracebraid {

// A connection runs one query at a time: calls concern the query that began last.
class QueryLog {
 public:
  // Times of a steady clock, ns; 0: has not happened.
  struct Entry {
    std::string query;
    int64_t started = 0, first_next = 0, ended = 0;
  };
  static constexpr size_t kMostEntries = 100;
  static constexpr size_t kMostTextBytes = size_t{1} << 16;  // of a query; the rest is left out

  void begin(std::string_view query);
  // Notes the first request of rows.
  void note_next();
  void end();
  const std::deque<Entry>& entries() const { return entries_; }

 private:
  std::deque<Entry> entries_;
};

// The table. `log` must outlive it.
TableFunction sqlstats(const QueryLog& log);

}  // namespace tracebraid
