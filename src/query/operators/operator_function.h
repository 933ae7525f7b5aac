// Registers functions and aggregates of operators, which take and return pointer values.
#pragma once

#include <fmt/core.h>

#include <memory>
#include <span>

#include "query/operators/operator_context.h"
#include "query/scan/sqlite_module.h"

namespace tracebraid {

using Arguments = std::span<sqlite3_value* const>;

constexpr int kOperatorFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;

// Pointer values share an object of a type T that has a name, T::kPointerName.
template <class T>
void set_pointer(sqlite3_context* context, std::shared_ptr<const T> object) {
  using Shared = std::shared_ptr<const T>;
  sqlite3_result_pointer(context, new Shared(std::move(object)), T::kPointerName,
                         [](void* owned) { delete static_cast<Shared*>(owned); });
}
// Returns null for any other value.
template <class T>
std::shared_ptr<const T> pointer_of(sqlite3_value* value) {
  const auto* const shared =
      static_cast<const std::shared_ptr<const T>*>(sqlite3_value_pointer(value, T::kPointerName));
  return shared == nullptr ? nullptr : *shared;
}

inline OperatorContext& operators_of(sqlite3_context* context) {
  return *static_cast<OperatorContext*>(sqlite3_user_data(context));
}

// `Body`: Result<> (sqlite3_context*, OperatorContext&, Arguments); sets the result.
template <auto kBody>
Result<> add_operator_function(OperatorContext& operators, const char* name, int arity) {
  const auto call = [](sqlite3_context* context, int count, sqlite3_value** values) {
    OperatorContext& of = operators_of(context);
    without_exceptions(context, *of.stop, [&] {
      const Result<> done = kBody(context, of, Arguments(values, static_cast<size_t>(count)));
      if (!done) fail_with(context, *of.stop, done.error());
    });
  };
  if (sqlite3_create_function_v2(operators.db, name, arity, kOperatorFlags, &operators, call,
                                 nullptr, nullptr, nullptr) == SQLITE_OK)
    return {};
  return fail(ErrorCode::Sql, fmt::format("{}(): {}", name, sqlite3_errmsg(operators.db)));
}

// `Aggregate` is made from an OperatorContext at the first row, and has add(Arguments) and
// finish(sqlite3_context*), which return Result<>; finish sets the result. Without rows the result
// is NULL, or, if `Aggregate` has a member kHasEmptyResult, that of finish() without add().
template <class Aggregate>
Result<> add_operator_aggregate(OperatorContext& operators, const char* name, int arity) {
  const auto slot = [](sqlite3_context* context, bool make) {
    return static_cast<Aggregate**>(
        sqlite3_aggregate_context(context, make ? sizeof(Aggregate*) : 0));
  };
  static constexpr auto kSlot = slot;
  const auto step = [](sqlite3_context* context, int count, sqlite3_value** values) {
    OperatorContext& of = operators_of(context);
    without_exceptions(context, *of.stop, [&] {
      Aggregate** const aggregate = kSlot(context, true);
      if (aggregate == nullptr) throw std::bad_alloc();
      if (*aggregate == nullptr) *aggregate = new Aggregate(of);
      const Result<> added = (*aggregate)->add(Arguments(values, static_cast<size_t>(count)));
      if (!added) fail_with(context, *of.stop, added.error());
    });
  };
  // Also called after an error, to free the aggregate.
  const auto finish = [](sqlite3_context* context) {
    OperatorContext& of = operators_of(context);
    Aggregate** const aggregate = kSlot(context, false);
    constexpr bool kHasEmptyResult = requires { Aggregate::kHasEmptyResult; };
    if (aggregate == nullptr ? !kHasEmptyResult : *aggregate == nullptr) return;
    std::unique_ptr<Aggregate> owned(aggregate == nullptr ? nullptr : *aggregate);
    without_exceptions(context, *of.stop, [&] {
      if (owned == nullptr) owned = std::make_unique<Aggregate>(of);
      const Result<> done = owned->finish(context);
      if (!done) fail_with(context, *of.stop, done.error());
    });
  };
  if (sqlite3_create_function_v2(operators.db, name, arity, kOperatorFlags, &operators, nullptr,
                                 step, finish, nullptr) == SQLITE_OK)
    return {};
  return fail(ErrorCode::Sql, fmt::format("{}(): {}", name, sqlite3_errmsg(operators.db)));
}

}  // namespace tracebraid
