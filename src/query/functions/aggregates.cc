// Aggregate and window functions of the dialect (spec sql-dialect 4.6), and those of SQLite's
// percentile extension.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/functions/function.h"
#include "query/functions/internal_layout.h"
#include "query/functions/joined_texts.h"
#include "query/scan/sqlite_module.h"
#include "query/scan/stoppable_sort.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

struct FreeValue {
  void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
};
using OwnedValue = std::unique_ptr<sqlite3_value, FreeValue>;

OwnedValue copy_of(sqlite3_value* value) {
  OwnedValue copy(sqlite3_value_dup(value));
  if (copy == nullptr) throw std::bad_alloc();
  return copy;
}

struct Values {
  sqlite3_context* context;
  sqlite3_value** values;
  size_t count;
  sqlite3_value* operator[](size_t i) const { return values[i]; }
  void error(const std::string& message) const {
    sqlite3_result_error(context, message.c_str(), -1);
  }
};

// SQLite stores a pointer for each group; the Aggregate that it points to is created at the first
// row. An Aggregate has add(Values), result(context), and for window functions
// remove_first(Values).
template <class Aggregate>
Aggregate** slot(sqlite3_context* context, bool make) {
  constexpr int kBytes = sizeof(Aggregate*);
  return static_cast<Aggregate**>(sqlite3_aggregate_context(context, make ? kBytes : 0));
}

StopCheck& stop_of(sqlite3_context* context) {
  return *static_cast<StopCheck*>(sqlite3_user_data(context));
}

template <class Aggregate>
void add(sqlite3_context* context, int count, sqlite3_value** values) {
  without_exceptions(context, stop_of(context), [&] {
    Aggregate** const aggregate = slot<Aggregate>(context, true);
    if (aggregate == nullptr) throw std::bad_alloc();
    if (*aggregate == nullptr) *aggregate = new Aggregate;
    (*aggregate)->add(Values{context, values, static_cast<size_t>(count)});
  });
}

template <class Aggregate>
void remove_first(sqlite3_context* context, int count, sqlite3_value** values) {
  without_exceptions(context, stop_of(context), [&] {
    Aggregate** const aggregate = slot<Aggregate>(context, false);
    if (aggregate != nullptr && *aggregate != nullptr)
      (*aggregate)->remove_first(Values{context, values, static_cast<size_t>(count)});
  });
}

template <class Aggregate>
void current(sqlite3_context* context) {
  without_exceptions(context, stop_of(context), [&] {
    Aggregate** const aggregate = slot<Aggregate>(context, false);
    if (aggregate != nullptr && *aggregate != nullptr) (*aggregate)->result(context);
  });
}

template <class Aggregate>
void finish(sqlite3_context* context) {
  current<Aggregate>(context);
  if (Aggregate** const aggregate = slot<Aggregate>(context, false)) delete *aggregate;
}

class LastNonNull {
 public:
  void add(Values values) {
    if (sqlite3_value_type(values[0]) != SQLITE_NULL) seen_.push_back({end_, copy_of(values[0])});
    ++end_;
  }
  void remove_first(Values) {
    ++begin_;
    while (!seen_.empty() && seen_.front().row < begin_) seen_.pop_front();
  }
  void result(sqlite3_context* context) {
    if (!seen_.empty()) sqlite3_result_value(context, seen_.back().value.get());
  }

 private:
  struct Seen {
    uint64_t row;
    OwnedValue value;
  };
  std::deque<Seen> seen_;  // values other than NULL of the rows of the frame, begin_ ... end_ - 1
  uint64_t begin_ = 0, end_ = 0;
};

class ValueAtMaxTs {
 public:
  void add(Values values) {
    const Cell ts = cell_of(values[0]), value = cell_of(values[1]);
    if (!is_real_) {
      if (ts.kind != Cell::Kind::Int)
        return values.error("VALUE_AT_MAX_TS: ts passed was not an integer");
      if (value.kind != Cell::Kind::Int && value.kind != Cell::Kind::Real)
        return values.error("VALUE_AT_MAX_TS: value passed was not an integer or float");
      is_real_ = value.kind == Cell::Kind::Real;
      max_ts_ = ts.integer;
    }
    const int64_t at = sqlite3_value_int64(values[0]);
    if (at < max_ts_) return;
    max_ts_ = at;
    real_ = sqlite3_value_double(values[1]);
    integer_ = sqlite3_value_int64(values[1]);
  }
  void result(sqlite3_context* context) {
    if (!is_real_) return;
    if (*is_real_)
      sqlite3_result_double(context, real_);
    else
      sqlite3_result_int64(context, integer_);
  }

 private:
  std::optional<bool> is_real_;  // determined by the first row
  int64_t max_ts_ = 0;
  int64_t integer_ = 0;
  double real_ = 0;
};

enum class PercentileKind : uint8_t { Percent, Continuous, Discrete, Median };

constexpr std::string_view name_of(PercentileKind kind) {
  switch (kind) {
    case PercentileKind::Percent:
      return "percentile";
    case PercentileKind::Continuous:
      return "percentile_cont";
    case PercentileKind::Discrete:
      return "percentile_disc";
    case PercentileKind::Median:
      return "median";
  }
  return {};
}

template <PercentileKind kKind>
class Percentile {
 public:
  void add(Values values) {
    if (kKind != PercentileKind::Median && !take_fraction(values)) return;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
    const int type = sqlite3_value_numeric_type(values[0]);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
      return values.error(fmt::format("input to {}() is not numeric", name_of(kKind)));
    const double value = sqlite3_value_double(values[0]);
    if (std::isinf(value)) return values.error(fmt::format("Inf input to {}()", name_of(kKind)));
    numbers_.push_back(value);
  }
  // Interpolates between the two numbers next to the position, or takes the lower one.
  void result(sqlite3_context* context) {
    if (numbers_.empty()) return;
    const double place = fraction_ * static_cast<double>(numbers_.size() - 1);
    const auto below = static_cast<size_t>(place);
    StopCheck& stop = stop_of(context);
    if (!select_nth(numbers_, below, stop)) return fail_with(context, stop, stop.error());
    const double low = numbers_[below], part = place - std::floor(place);
    const bool interpolates = kKind != PercentileKind::Discrete && part > 0;
    if (!interpolates || below + 1 == numbers_.size()) return sqlite3_result_double(context, low);
    double high = numbers_[below + 1];
    const bool is_done = for_each_block(numbers_.size(), stop, [&](size_t begin, size_t end) {
      for (size_t i = std::max(begin, below + 1); i < end; ++i) high = std::min(high, numbers_[i]);
    });
    if (!is_done) return fail_with(context, stop, stop.error());
    sqlite3_result_double(context, low + part * (high - low));
  }

 private:
  bool take_fraction(Values values) {
    constexpr double kWhole = kKind == PercentileKind::Percent ? 100.0 : 1.0;
    const int type = sqlite3_value_numeric_type(values[1]);
    const double given = sqlite3_value_double(values[1]);
    const bool is_number = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    if (!is_number || given < 0 || given > kWhole) {
      values.error(fmt::format("the fraction argument to {}() is not between 0.0 and {:.1f}",
                               name_of(kKind), kWhole));
      return false;
    }
    if (has_fraction_ && std::abs(given / kWhole - fraction_) > 0.001) {
      values.error(fmt::format("the fraction argument to {}() is not the same for all input rows",
                               name_of(kKind)));
      return false;
    }
    has_fraction_ = true;
    fraction_ = given / kWhole;
    return true;
  }

  std::vector<double> numbers_;
  double fraction_ = 0.5;
  bool has_fraction_ = false;
};

// group_concat(text [, separator]), and string_agg(text, separator), its standard name.
class GroupConcat {
 public:
  void add(Values values) {
    if (!is_null(values[0])) texts_.add(text_of(values[0]), separator_of(values));
  }
  void remove_first(Values values) {
    if (!is_null(values[0])) texts_.remove_first(text_of(values[0]).size());
  }
  void result(sqlite3_context* context) const { texts_.result(context, stop_of(context)); }

 private:
  static bool is_null(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }
  static std::string_view text_of(sqlite3_value* value) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    if (text == nullptr) return {};
    return {text, static_cast<size_t>(sqlite3_value_bytes(value))};
  }
  static std::string_view separator_of(Values values) {
    return values.count == 1 ? "," : text_of(values[1]);
  }
  JoinedTexts texts_;
};

// internal_layout(ts, dur), over a window that grows from the first row.
class Layout {
 public:
  void add(Values values) {
    if (const char* const failure =
            layout_.add(sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1])))
      values.error(failure);
  }
  void remove_first(Values) {}
  void result(sqlite3_context* context) { sqlite3_result_int64(context, layout_.row()); }

 private:
  InternalLayout layout_;
};

constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;

template <class Aggregate>
AggregateFunction aggregate(FunctionSignature signature, std::string_view about) {
  return {std::move(signature), about, add<Aggregate>, finish<Aggregate>};
}

}  // namespace

std::span<const AggregateFunction> aggregate_functions() {
  static const std::vector<AggregateFunction> kFunctions = {
      {"last_non_null(value ANY) ANY", "Last value of the frame that is not NULL; also a window.",
       add<LastNonNull>, finish<LastNonNull>, current<LastNonNull>, remove_first<LastNonNull>},
      {"internal_layout(ts TIMESTAMP, dur DURATION) LONG",
       "First free row of a display, of intervals by ts; a window function.", add<Layout>,
       finish<Layout>, current<Layout>, remove_first<Layout>},
      aggregate<ValueAtMaxTs>("value_at_max_ts(ts TIMESTAMP, value ANY) ANY",
                              "The value of the row with the greatest ts."),
      aggregate<Percentile<PercentileKind::Percent>>(
          "percentile(value DOUBLE, percent DOUBLE) DOUBLE",
          "Percentile, from 0 to 100, interpolated."),
      aggregate<Percentile<PercentileKind::Continuous>>(
          "percentile_cont(value DOUBLE, fraction DOUBLE) DOUBLE",
          "Percentile, from 0 to 1, interpolated."),
      aggregate<Percentile<PercentileKind::Discrete>>(
          "percentile_disc(value DOUBLE, fraction DOUBLE) DOUBLE",
          "Percentile, from 0 to 1, the lower of two values."),
      aggregate<Percentile<PercentileKind::Median>>("median(value DOUBLE) DOUBLE",
                                                    "percentile_cont(value, 0.5)."),
      {"string_agg(text STRING, separator STRING) STRING",
       "Texts joined with a separator; NULL is left out; also a window.", add<GroupConcat>,
       finish<GroupConcat>, current<GroupConcat>, remove_first<GroupConcat>},
  };
  return kFunctions;
}

namespace {

// Functions that replace SQLite's, because these check for a stop. The results are the same.
std::span<const AggregateFunction> replaced_functions() {
  static const AggregateFunction kFunctions[] = {
      {"group_concat(text STRING) STRING", "", add<GroupConcat>, finish<GroupConcat>,
       current<GroupConcat>, remove_first<GroupConcat>},
      {"group_concat(text STRING, separator STRING) STRING", "", add<GroupConcat>,
       finish<GroupConcat>, current<GroupConcat>, remove_first<GroupConcat>}};
  return kFunctions;
}

Result<> register_all(sqlite3* db, std::span<const AggregateFunction> functions, StopCheck& stop) {
  for (const AggregateFunction& function : functions) {
    const std::string name(function.signature.name);
    const int arity = function.signature.arity();
    const int code =
        function.remove_first == nullptr
            ? sqlite3_create_function_v2(db, name.c_str(), arity, kFlags, &stop, nullptr,
                                         function.add, function.finish, nullptr)
            : sqlite3_create_window_function(db, name.c_str(), arity, kFlags, &stop, function.add,
                                             function.finish, function.current,
                                             function.remove_first, nullptr);
    if (code != SQLITE_OK)
      return fail(code == SQLITE_NOMEM ? ErrorCode::NoMemory : ErrorCode::Sql,
                  sqlite3_errstr(code));
  }
  return {};
}

}  // namespace

Result<> add_aggregates(sqlite3* db, StopCheck& stop) {
  TB_TRY(register_all(db, aggregate_functions(), stop));
  return register_all(db, replaced_functions(), stop);
}

}  // namespace tracebraid
