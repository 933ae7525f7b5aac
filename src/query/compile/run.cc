// Runs all statements of a text (query/compile/connection.h).
#include "query/compile/connection.h"
#include "query/compile/connection_state.h"
#include "query/compile/pushed_statement.h"
#include "query/compile/script.h"
#include "query/compile/sorting_statement.h"

namespace tracebraid {

Result<> run(Connection& connection, std::string_view sql, RowSink& sink,
             const QueryOptions& options) {
  ConnectionState& state = connection.state();
  if (state.is_busy)
    return fail(ErrorCode::Usage, "the connection runs another query; open one for each");
  state.stop = StopCheck(options.stop, options.deadline);
  TB_TRY_ASSIGN(Script script, Script::of(sql));
  TB_TRY(check_names(sql, options.parameters));
  for (;;) {
    TB_TRY_ASSIGN(const StatementPtr statement, script.next(state));
    if (statement == nullptr) return {};
    TB_TRY_ASSIGN(const std::vector<Cell> values,
                  values_of_variables(statement.get(), options.parameters));
    TB_TRY_ASSIGN(const std::unique_ptr<PushedStatement> pushed,
                  pushed_statement(state, statement.get(), script.statement(), values));
    state.guard.reason.clear();
    before_run(state, statement.get());
    const std::vector<std::string> names = column_names(statement.get());
    SortingStatement sorting;
    if (pushed == nullptr) {
      bind_all(statement.get(), values);
      sorting = sorting_statement(state, statement.get(), script.statement(), values);
    }
    const bool sorts = sorting.statement != nullptr;
    sqlite3_stmt* const running = pushed  ? pushed->statement.get()
                                  : sorts ? sorting.statement.get()
                                          : statement.get();
    switch (run_statement(running, names, sink, state.stop)) {
      case Outcome::Done:
        break;
      case Outcome::StoppedBySink:
        return {};
      case Outcome::Stopped:
        return tl::unexpected(state.stop.error());
      case Outcome::Failed:
        return tl::unexpected(script.failure(sorts ? *sorting.connection : state));
    }
  }
}

}  // namespace tracebraid
