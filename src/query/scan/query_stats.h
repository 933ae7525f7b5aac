// QueryStats: what statements read and how long their operators took, for `query --stats`.
//
// Input: scans and operators of a connection. Output: one entry per operator. Recorded only if the
// caller asks for it (Connection::set_stats), because reading the clock takes time.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace tracebraid {

struct QueryStats {
  // A scan with its filters, or another operator that works on columns.
  struct Operator {
    std::string name;    // "scan slice", "group slice"
    std::string detail;  // filters and order, as EXPLAIN QUERY PLAN shows them
    std::string access;  // how a scan finds its rows: "all rows", "index of utid"
    uint64_t starts = 0;
    uint64_t rows_scanned = 0;  // rows whose values were tested or read
    uint64_t rows_found = 0;    // rows that passed the filters
    std::chrono::nanoseconds time{0};
  };
  struct Statement {
    std::string sql;
    uint64_t rows = 0;
    std::chrono::nanoseconds time{0};  // with all operators, except those that start before it
    std::deque<Operator> operators;
  };

  // Returns the entry of the last statement, which is added if it is missing. References stay
  // valid.
  Operator& at(std::string_view name, std::string_view detail, std::string_view access) {
    if (statements.empty()) statements.emplace_back();
    for (Operator& known : statements.back().operators)
      if (known.name == name && known.detail == detail && known.access == access) return known;
    Operator& added = statements.back().operators.emplace_back();
    added.name = name;
    added.detail = detail;
    added.access = access;
    return added;
  }

  std::deque<Statement> statements;
};

// Adds the time of its life to a total. A null total: nothing.
class TimeOf {
 public:
  explicit TimeOf(std::chrono::nanoseconds* total)
      : total_(total), begin_(total == nullptr ? Clock::time_point() : Clock::now()) {}
  ~TimeOf() {
    if (total_ != nullptr) *total_ += Clock::now() - begin_;
  }
  TimeOf(const TimeOf&) = delete;
  TimeOf& operator=(const TimeOf&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::nanoseconds* total_;
  Clock::time_point begin_;
};

}  // namespace tracebraid
