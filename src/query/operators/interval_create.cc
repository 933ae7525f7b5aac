#include "query/operators/interval_create.h"

#include <algorithm>

#include "query/operators/operator_function.h"
#include "query/operators/result_table.h"
#include "query/scan/stoppable_sort.h"

namespace tracebraid {
namespace {

struct TimestampSet {
  static constexpr const char* kPointerName = "SORTED_TIMESTAMPS";
  explicit TimestampSet(QueryMemory* of) : memory(of) {}
  std::vector<int64_t> timestamps;  // sorted
  OperatorMemory memory;
};

// __intrinsic_timestamp_set_agg(ts)
class TimestampAggregate {
 public:
  explicit TimestampAggregate(const OperatorContext& context)
      : context_(context), set_(std::make_unique<TimestampSet>(context.memory)) {}

  Result<> add(Arguments arguments) {
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL) return {};
    constexpr size_t kRowsPerCheck = 4096;
    if (set_->timestamps.size() % kRowsPerCheck == 0)
      TB_TRY(set_->memory.take(kRowsPerCheck * 2 * sizeof(int64_t)));
    set_->timestamps.push_back(sqlite3_value_int64(arguments[0]));
    return {};
  }
  Result<> finish(sqlite3_context* context) {
    if (!std::ranges::is_sorted(set_->timestamps) &&
        !stable_sort(set_->timestamps, std::less<>(), *context_.stop))
      return tl::unexpected(context_.stop->error());
    set_pointer(context, std::shared_ptr<const TimestampSet>(std::move(set_)));
    return {};
  }

 private:
  const OperatorContext& context_;
  std::unique_ptr<TimestampSet> set_;
};

// __intrinsic_interval_create(starts, ends): each start up to the first end behind it.
Result<> interval_create(sqlite3_context* context, OperatorContext& operators,
                         Arguments arguments) {
  auto table = std::make_shared<StoredResult>(std::vector<std::string>{"ts", "dur"});
  const auto starts = pointer_of<TimestampSet>(arguments[0]);
  const auto ends = pointer_of<TimestampSet>(arguments[1]);
  if (starts != nullptr && ends != nullptr) {
    OperatorMemory memory(operators.memory);
    TB_TRY(memory.take(starts->timestamps.size() * 2 * sizeof(int64_t)));
    PacedStopCheck check(*operators.stop);
    auto end = ends->timestamps.begin();
    for (const int64_t ts : starts->timestamps) {
      for (; end != ends->timestamps.end() && *end <= ts; ++end)
        if (check.stopped()) return tl::unexpected(check.error());
      if (check.stopped()) return tl::unexpected(check.error());
      if (end == ends->timestamps.end()) break;
      int64_t dur = 0;
      if (__builtin_sub_overflow(*end, ts, &dur)) continue;
      table->column(0).add_integer(ts);
      table->column(1).add_integer(dur);
    }
  }
  set_pointer<ResultTable>(context, std::move(table));
  return {};
}

}  // namespace

Result<> add_interval_create(OperatorContext& context) {
  TB_TRY(add_operator_aggregate<TimestampAggregate>(context, "__intrinsic_timestamp_set_agg", 1));
  return add_operator_function<interval_create>(context, "__intrinsic_interval_create", 2);
}

}  // namespace tracebraid
