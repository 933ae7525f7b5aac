#include "query/statements/scalar_function.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "base/words.h"
#include "query/compile/script.h"
#include "query/compile/select_text.h"
#include "query/scan/sqlite_module.h"
#include "query/scan/value.h"
#include "query/statements/session.h"

namespace tracebraid {
namespace {

constexpr size_t kMostOpenArguments = 1'000'000;  // of a memoized call
constexpr size_t kBytesPerResult = 128;           // of a memoized call, without its text

// Why a call failed.
struct Failure {
  std::string message;
  int code = SQLITE_ERROR;

  void set(sqlite3_context* context) const {
    sqlite3_result_error(context, message.data(), static_cast<int>(message.size()));
    if (code != SQLITE_ERROR) sqlite3_result_error_code(context, code);
  }
};
using MaybeFailure = std::optional<Failure>;

std::string_view actual_name(int type) {
  switch (type) {
    case SQLITE_INTEGER:
      return "BOOL/INT/UINT/LONG";
    case SQLITE_FLOAT:
      return "FLOAT/DOUBLE";
    case SQLITE_TEXT:
      return "STRING";
    default:
      return "BYTES/PROTO";
  }
}

// Returns the error of the first argument that does not fit; empty if all do.
std::string misfit(const ScalarFunction& function, std::span<sqlite3_value*> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Cell cell = cell_of(arguments[i]);
    if (accepts(function.types[i], cell.kind)) continue;
    const int type = sqlite3_value_type(arguments[i]);
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(arguments[i]));
    return fmt::format(
        "{}[arg={}]: argument {} does not have expected type: expected {}, actual {}",
        function.name, bytes == nullptr ? "" : bytes, i, name_of(function.types[i]),
        actual_name(type));
  }
  return {};
}

// The number of running calls.
class OpenCall {
 public:
  explicit OpenCall(ConnectionState& connection) : depth_(connection.call_depth) { ++depth_; }
  ~OpenCall() { --depth_; }
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;

 private:
  size_t& depth_;
};

void bind_arguments(const ScalarFunction& function, sqlite3_stmt* statement,
                    std::span<sqlite3_value*> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = "$" + function.parameters[i];
    const int index = sqlite3_bind_parameter_index(statement, name.c_str());
    if (index != 0) sqlite3_bind_value(statement, index, arguments[i]);
  }
}

Failure failed_body(const ConnectionState& connection, const ScalarFunction& function, int rc) {
  const int code = rc & 0xff;
  const std::string prefix =
      fmt::format("{}: SQLite error while executing function body: ", function.name);
  const std::string_view message = sqlite3_errmsg(connection.db.get());
  // A recursive call has named the function already.
  return {message.starts_with(prefix) ? std::string(message) : prefix + std::string(message),
          code == SQLITE_INTERRUPT || code == SQLITE_NOMEM ? code : SQLITE_ERROR};
}

// Returns a compiled body that does not run.
Result<StatementPtr> idle_statement(ConnectionState& connection, ScalarFunction& function) {
  if (function.idle.empty()) return compile(connection, function.body, SQLITE_PREPARE_PERSISTENT);
  StatementPtr statement = std::move(function.idle.back());
  function.idle.pop_back();
  return statement;
}

// Steps through the body, of which one row is allowed.
template <class Keep>
MaybeFailure step_body(const ConnectionState& connection, const ScalarFunction& function,
                       sqlite3_stmt* statement, Keep keep) {
  int rc = sqlite3_step(statement);
  if (rc == SQLITE_DONE) {
    keep(nullptr);
    return std::nullopt;
  }
  if (rc != SQLITE_ROW) return failed_body(connection, function, rc);
  keep(sqlite3_column_value(statement, 0));
  rc = sqlite3_step(statement);
  if (rc == SQLITE_DONE) return std::nullopt;
  if (rc != SQLITE_ROW) return failed_body(connection, function, rc);
  char* const executed = sqlite3_expanded_sql(statement);
  Failure failure{fmt::format(
      "{}: multiple values were returned when executing function body. Executed SQL was {}",
      function.name, executed == nullptr ? "" : executed)};
  sqlite3_free(executed);
  return failure;
}

// Runs the body. `keep` receives the result before the statement is reset; null without a row.
template <class Keep>
MaybeFailure run_body(ConnectionState& connection, ScalarFunction& function,
                      std::span<sqlite3_value*> arguments, Keep keep) {
  if (connection.call_depth > kDeepestCall)
    return Failure{
        fmt::format("{}: recursion is deeper than {} calls", function.name, kDeepestCall)};
  // SQLite looks at the time only after many instructions, of which a body may have few.
  if (connection.stop.stopped()) return Failure{"interrupted", SQLITE_INTERRUPT};
  Result<StatementPtr> statement = idle_statement(connection, function);
  if (!statement) return failed_body(connection, function, SQLITE_ERROR);
  bind_arguments(function, statement->get(), arguments);
  MaybeFailure failure = step_body(connection, function, statement->get(), keep);
  sqlite3_reset(statement->get());
  sqlite3_clear_bindings(statement->get());
  function.idle.push_back(*std::move(statement));
  return failure;
}

void set_value(sqlite3_context* context, sqlite3_value* value) {
  if (value == nullptr)
    sqlite3_result_null(context);
  else
    sqlite3_result_value(context, value);
}

// Computes the results of the arguments that a body needs, one after another, so that recursion
// does not nest.
class Unrolling {
 public:
  Unrolling(ConnectionState& connection, ScalarFunction& function)
      : connection_(connection), function_(function), memo_(*function.memo) {
    memo_.is_unrolling = true;
  }
  ~Unrolling() { memo_.is_unrolling = false; }
  Unrolling(const Unrolling&) = delete;
  Unrolling& operator=(const Unrolling&) = delete;

  MaybeFailure compute(int64_t argument);

 private:
  MaybeFailure compute_one(int64_t argument);

  ConnectionState& connection_;
  ScalarFunction& function_;
  Memo& memo_;
  std::vector<int64_t> open_;
  std::unordered_set<int64_t> is_open_;
};

// Runs the body once. A failure with Memo::missing set means that another result is needed first.
MaybeFailure Unrolling::compute_one(int64_t argument) {
  memo_.missing.reset();
  sqlite3_stmt* compiled = nullptr;
  sqlite3_prepare_v3(connection_.db.get(), "SELECT ?1", -1, 0, &compiled, nullptr);
  const StatementPtr literal(compiled);
  if (compiled == nullptr) return failed_body(connection_, function_, SQLITE_NOMEM);
  sqlite3_bind_int64(compiled, 1, argument);
  sqlite3_step(compiled);
  sqlite3_value* value = sqlite3_column_value(compiled, 0);
  ValuePtr result;
  MaybeFailure failure = run_body(connection_, function_, {&value, 1}, [&](sqlite3_value* of) {
    result.reset(of == nullptr ? nullptr : sqlite3_value_dup(of));
  });
  if (failure) return failure;
  const bool has_text = result != nullptr && (sqlite3_value_type(result.get()) == SQLITE_TEXT ||
                                              sqlite3_value_type(result.get()) == SQLITE_BLOB);
  const auto text = static_cast<size_t>(has_text ? sqlite3_value_bytes(result.get()) : 0);
  if (const Result<> taken = memo_.memory.take(kBytesPerResult + text); !taken) {
    connection_.stop.stop_with(taken.error());
    return Failure{taken.error().message, SQLITE_INTERRUPT};
  }
  memo_.results[argument] = std::move(result);
  return std::nullopt;
}

MaybeFailure Unrolling::compute(int64_t argument) {
  open_.push_back(argument);
  is_open_.insert(argument);
  while (!open_.empty()) {
    MaybeFailure failure = compute_one(open_.back());
    if (!failure) {
      is_open_.erase(open_.back());
      open_.pop_back();
      continue;
    }
    if (!memo_.missing) return failure;
    if (open_.size() > kMostOpenArguments || !is_open_.insert(*memo_.missing).second)
      return Failure{"Infinite recursion detected"};
    open_.push_back(*memo_.missing);
  }
  return std::nullopt;
}

MaybeFailure call_memoized(ConnectionState& connection, ScalarFunction& function, int64_t argument,
                           sqlite3_context* context) {
  Memo& memo = *function.memo;
  if (!memo.results.contains(argument)) {
    if (memo.is_unrolling) {
      memo.missing = argument;
      return Failure{"the result is computed first"};
    }
    if (MaybeFailure failure = Unrolling(connection, function).compute(argument)) return failure;
  }
  set_value(context, memo.results[argument].get());
  return std::nullopt;
}

MaybeFailure call_target(const ScalarFunction& function, std::span<sqlite3_value*> arguments,
                         sqlite3_context* context) {
  std::vector<Cell> cells;
  for (sqlite3_value* value : arguments) cells.push_back(cell_of(value));
  const Result<Cell> result = function.target->call(cells);
  if (!result) return Failure{result.error().message};
  set_result(context, *result, true);
  return std::nullopt;
}

MaybeFailure call_function(ConnectionState& connection, ScalarFunction& function,
                           std::span<sqlite3_value*> arguments, sqlite3_context* context) {
  if (function.target != nullptr) return call_target(function, arguments, context);
  if (std::string message = misfit(function, arguments); !message.empty())
    return Failure{std::move(message)};
  if (function.memo != nullptr && sqlite3_value_type(arguments[0]) == SQLITE_INTEGER)
    return call_memoized(connection, function, sqlite3_value_int64(arguments[0]), context);
  return run_body(connection, function, arguments,
                  [&](sqlite3_value* value) { set_value(context, value); });
}

void call(sqlite3_context* context, int count, sqlite3_value** values) {
  const auto& slot = *static_cast<const ScalarSlot*>(sqlite3_user_data(context));
  ConnectionState& connection = *slot.connection;
  without_exceptions(context, connection.stop, [&] {
    const std::span<sqlite3_value*> arguments(values, static_cast<size_t>(count));
    const std::shared_ptr<ScalarFunction> function = slot.function;
    const OpenCall open(connection);
    const MaybeFailure failure = function == nullptr
                                     ? Failure{"no such function"}
                                     : call_function(connection, *function, arguments, context);
    if (failure) failure->set(context);
  });
}

// Returns whether a function of SQLite that queries compute themselves, or one of the tool, has the
// name.
bool is_known_name(const ConnectionState& connection, std::string_view name) {
  constexpr std::string_view kAggregates[] = {"count", "sum", "total", "avg", "min", "max"};
  return std::ranges::any_of(kAggregates, [&](auto known) { return same_name(known, name); }) ||
         std::ranges::any_of(connection.functions, [&](const SqlFunction& function) {
           return same_name(function.signature.name, name);
         });
}

}  // namespace

ScalarSlot* find_scalar_function(ConnectionState& connection, std::string_view name, int arity) {
  ScalarFunctions& functions = connection.session->functions;
  const auto found = functions.find({in_lower_case(name), arity});
  const bool is_known = found != functions.end() && found->second->function != nullptr;
  return is_known ? found->second.get() : nullptr;
}

Result<> add_scalar_function(ConnectionState& connection, ScalarFunction function) {
  std::unique_ptr<ScalarSlot>& slot =
      connection.session->functions[{in_lower_case(function.name), function.arity()}];
  auto made = std::make_shared<ScalarFunction>(std::move(function));
  sqlite3* const db = connection.db.get();
  if (slot == nullptr) {
    slot = std::make_unique<ScalarSlot>(ScalarSlot{&connection, nullptr});
    constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    if (sqlite3_create_function_v2(db, made->name.c_str(), made->arity(), kFlags, slot.get(), call,
                                   nullptr, nullptr, nullptr) != SQLITE_OK) {
      connection.session->functions.erase({in_lower_case(made->name), made->arity()});
      return tl::unexpected(sqlite_error(db));
    }
    connection.has_redefined |= is_known_name(connection, made->name);
  }
  std::shared_ptr<ScalarFunction> before = std::exchange(slot->function, made);
  if (made->target != nullptr) return {};
  Result<StatementPtr> compiled = compile(connection, made->body, SQLITE_PREPARE_PERSISTENT);
  if (!compiled) {
    slot->function = std::move(before);
    return tl::unexpected(std::move(compiled).error());
  }
  const int columns = sqlite3_column_count(compiled->get());
  if (columns != 1) {
    slot->function = std::move(before);
    return tl::unexpected(error_at(
        made->body, ErrorCode::Sql, 0,
        fmt::format("{}: SQL definition should only return one column: returned {} columns",
                    made->name, columns)));
  }
  made->idle.push_back(*std::move(compiled));
  return {};
}

}  // namespace tracebraid
