// InternalLayout: the window function internal_layout(ts, dur) (spec sql-dialect 3.9).
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace tracebraid {

// Assigns each interval the first row that is free. A row is free again from the end of its
// interval on; an interval of dur -1 never ends, and one of dur 0 takes no row.
class InternalLayout {
 public:
  // Returns null, or the message of an error.
  const char* add(int64_t ts, int64_t dur);
  int64_t row() const { return row_; }

 private:
  template <class T>
  using LeastFirst = std::priority_queue<T, std::vector<T>, std::greater<T>>;
  LeastFirst<std::pair<int64_t, int64_t>> ends_;  // end and row of open intervals
  LeastFirst<int64_t> free_;                      // rows below rows_
  int64_t rows_ = 0, row_ = 0;
  int64_t last_ts_ = 0;
};

}  // namespace tracebraid
