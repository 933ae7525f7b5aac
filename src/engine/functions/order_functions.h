// Implements event_order(), the order of two events of any tables (spec viewer 8.3).
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/functions/sql_function.h"
#include "tables/store.h"

namespace tracebraid {

struct MergedClocks;
class EventOrders;

namespace timeline {
class Timeline;
}

// The lists of rows and the paths between clocks that event_order() needs: made on first use, and
// kept for all connections of a trace. Thread-safe.
class OrderSource {
 public:
  // `store` must outlive it. `verify` is called with the names of tables before they are read;
  // null: no table can be damaged.
  OrderSource(const Store& store, std::shared_ptr<const MergedClocks> clocks, unsigned threads,
              std::function<Result<>(std::string_view table)> verify);
  ~OrderSource();

  // Returns a JSON object. Errors: those of EventOrders::order() and of verify().
  Result<std::string> order(std::string_view kind_a, int64_t row_a, std::string_view kind_b,
                            int64_t row_b);

 private:
  struct State;
  Result<> prepare();
  const std::unique_ptr<State> state_;
};

// `source` may be null: then calls return NULL.
std::vector<SqlFunction> order_functions(std::shared_ptr<OrderSource> source);

}  // namespace tracebraid
