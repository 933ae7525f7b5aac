#include "query/operators/critical_path.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "query/operators/operator_function.h"
#include "query/operators/result_table.h"
#include "query/operators/row_tables.h"
#include "query/scan/stoppable_sort.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

constexpr size_t kRowsPerCheck = 4096;
constexpr size_t kColumns = 7;
constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

// The time from a wakeup of a thread to its next sleep.
struct Span {
  int64_t id, ts, dur, utid;
  int64_t asleep_since;  // at most ts
  int64_t waker_id;      // of the span that woke the thread; -1: not known
  uint32_t waker;        // its index
};

struct WakeupSpans {
  static constexpr const char* kPointerName = "WAKEUP_SPANS";
  explicit WakeupSpans(QueryMemory* of) : memory(of) {}

  // Returns kNone for an unknown id.
  uint32_t index_of(int64_t id) const {
    const auto found = std::ranges::lower_bound(spans, id, {}, &Span::id);
    if (found == spans.end() || found->id != id) return kNone;
    return static_cast<uint32_t>(found - spans.begin());
  }

  std::vector<Span> spans;  // by id
  OperatorMemory memory;
};

int64_t integer_of(sqlite3_value* value, int64_t if_null) {
  return sqlite3_value_type(value) == SQLITE_NULL ? if_null : sqlite3_value_int64(value);
}

class SpansAggregate {
 public:
  static constexpr bool kHasEmptyResult = true;
  explicit SpansAggregate(const OperatorContext& context)
      : context_(context), value_(std::make_shared<WakeupSpans>(context.memory)) {}

  Result<> add(Arguments arguments) {
    std::vector<Span>& spans = value_->spans;
    if (spans.size() % kRowsPerCheck == 0)
      TB_TRY(value_->memory.take(kRowsPerCheck * sizeof(Span)));
    Span span{.id = integer_of(arguments[0], 0),
              .ts = integer_of(arguments[1], 0),
              .dur = integer_of(arguments[2], 0),
              .utid = integer_of(arguments[3], 0),
              .asleep_since = 0,
              .waker_id = integer_of(arguments[5], -1),
              .waker = kNone};
    const int64_t idle = std::max<int64_t>(0, integer_of(arguments[4], 0));
    if (__builtin_sub_overflow(span.ts, idle, &span.asleep_since))
      span.asleep_since = std::numeric_limits<int64_t>::min();
    spans.push_back(span);
    return {};
  }

  Result<> finish(sqlite3_context* context) {
    std::vector<Span>& spans = value_->spans;
    const auto is_before = [](const Span& a, const Span& b) { return a.id < b.id; };
    if (!std::ranges::is_sorted(spans, is_before) && !stable_sort(spans, is_before, *context_.stop))
      return tl::unexpected(context_.stop->error());
    PacedStopCheck check(*context_.stop);
    for (Span& span : spans) {
      if (check.stopped()) return tl::unexpected(check.error());
      if (span.waker_id >= 0) span.waker = value_->index_of(span.waker_id);
    }
    set_pointer<WakeupSpans>(context, std::move(value_));
    return {};
  }

 private:
  const OperatorContext& context_;
  std::shared_ptr<WakeupSpans> value_;
};

// The pieces of paths, in chunks: seven long lists that grow together are copied together, which
// takes longer than a stop may.
class PathTable final : public ResultTable {
 public:
  PathTable() : ResultTable({"root_id", "root_utid", "id", "ts", "dur", "utid", "depth"}) {}

  size_t rows() const override { return rows_; }
  Cell cell(size_t row, size_t column) const override {
    return Cell::of(chunks_[row / kRowsOfChunk][row % kRowsOfChunk * kColumns + column]);
  }
  void add(const int64_t (&cells)[kColumns]) {
    const size_t at = rows_++ % kRowsOfChunk * kColumns;
    if (at == 0)
      chunks_.push_back(std::make_unique_for_overwrite<int64_t[]>(kRowsOfChunk * kColumns));
    std::ranges::copy(cells, chunks_.back().get() + at);
  }

 private:
  static constexpr size_t kRowsOfChunk = 4096;
  std::vector<std::unique_ptr<int64_t[]>> chunks_;
  size_t rows_ = 0;
};

// Adds paths to a table.
class PathRows {
 public:
  PathRows(const std::vector<Span>& spans, const OperatorContext& context)
      : spans_(spans), stop_(*context.stop), memory_(context.memory) {}

  // The span itself, then backwards from its wakeup to the moment at which the thread fell asleep:
  // the spans of the wakers, and where no waker is known the sleep of the thread itself.
  Result<> add_path(uint32_t root) {
    const Span& from = spans_[root];
    TB_TRY(add(from, from, from.ts, from.dur, 0));
    int64_t end = from.ts;
    int64_t depth = 0;
    // `end` falls with each step, so this ends.
    for (uint32_t waker = from.waker; waker != kNone && end > from.asleep_since;
         waker = spans_[waker].waker) {
      const Span& span = spans_[waker];
      if (span.ts >= end) break;
      const int64_t begin = std::max(span.ts, from.asleep_since);
      TB_TRY(add(from, span, begin, end - begin, ++depth));
      end = begin;
    }
    if (end > from.asleep_since)
      TB_TRY(add(from, from, from.asleep_since, end - from.asleep_since, 0));
    return {};
  }

  // Call once; takes the rows.
  std::shared_ptr<PathTable> take_table() { return std::move(table_); }

 private:
  Result<> add(const Span& root, const Span& span, int64_t ts, int64_t dur, int64_t depth) {
    if (table_->rows() % kRowsPerCheck == 0) {
      if (stop_.stopped()) return tl::unexpected(stop_.error());
      TB_TRY(memory_.take(kRowsPerCheck * kColumns * sizeof(int64_t)));
    }
    table_->add({root.id, root.utid, span.id, ts, dur, span.utid, depth});
    return {};
  }

  const std::vector<Span>& spans_;
  const StopCheck& stop_;
  OperatorMemory memory_;
  std::shared_ptr<PathTable> table_ = std::make_shared<PathTable>();
};

Result<> critical_path(sqlite3_context* context, OperatorContext& operators, Arguments arguments) {
  const auto spans = pointer_of<WakeupSpans>(arguments[0]);
  const auto roots = pointer_of<ValueArray>(arguments[1]);
  static const std::vector<Span> kNoSpans;
  PathRows rows(spans == nullptr ? kNoSpans : spans->spans, operators);
  if (spans != nullptr && roots != nullptr) {
    absl::flat_hash_set<uint32_t> known;
    PacedStopCheck check(*operators.stop);
    for (size_t i = 0; i < roots->values.size(); ++i) {
      if (check.stopped()) return tl::unexpected(check.error());
      const Cell id = roots->values.cell(i);
      if (id.kind != Cell::Kind::Int) continue;
      const uint32_t root = spans->index_of(id.integer);
      if (root != kNone && known.insert(root).second) TB_TRY(rows.add_path(root));
    }
  }
  set_pointer<ResultTable>(context, rows.take_table());
  return {};
}

}  // namespace

Result<> add_critical_path(OperatorContext& context) {
  TB_TRY(add_operator_aggregate<SpansAggregate>(context, "__intrinsic_wakeup_spans_agg", 6));
  return add_operator_function<critical_path>(context, "__intrinsic_critical_path", 2);
}

}  // namespace tracebraid
