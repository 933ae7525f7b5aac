#include "query/statements/include.h"

#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "query/compile/position.h"
#include "query/compile/script.h"
#include "query/statements/session.h"

namespace tracebraid {
namespace {

constexpr size_t kDeepestInclude = 100;  // modules that include modules

// Runs a statement, which may give no rows.
Result<> run_silently(ConnectionState& connection, const Script& script, sqlite3_stmt* statement) {
  before_run(connection, statement);
  int rc = sqlite3_step(statement);
  while (rc == SQLITE_ROW && sqlite3_column_count(statement) == 0) rc = sqlite3_step(statement);
  if (rc == SQLITE_ROW || (rc == SQLITE_DONE && sqlite3_column_count(statement) != 0))
    return tl::unexpected(
        script.error(ErrorCode::Sql, 0, "INCLUDE: Included module returning values."));
  if (rc != SQLITE_DONE) return tl::unexpected(script.failure(connection));
  return {};
}

// Runs the statements of a module. If one of them is stopped, `ran` is the text of those before it,
// and another call with that text continues there.
Result<> run_module(ConnectionState& connection, const SqlText& sql, const std::string& key,
                    std::string title, std::string& ran) {
  Session& session = *connection.session;
  TB_TRY_ASSIGN(std::string text, session.packages.read(key));
  if (skip_space(text).empty()) return {};
  const auto source = std::make_shared<const SourceText>(
      SourceText{std::move(title), std::move(text), traceback(sql.map, sql.text, 0)});
  Script script(source);
  // The file of a user's module may have changed.
  size_t end = source->text.starts_with(ran) ? ran.size() : 0;
  script.skip(end);
  while (end == 0 || !script.is_at_end()) {
    Result<StatementPtr> statement = script.next(connection, Script::OwnStatements::RunOne);
    Result<> done;
    if (!statement)
      done = tl::unexpected(std::move(statement.error()));
    else if (*statement != nullptr)
      done = run_silently(connection, script, statement->get());
    if (!done) {
      ran = source->text.substr(0, end);
      return done;
    }
    end = script.offset();
  }
  return {};
}

Result<> include_one(ConnectionState& connection, const SqlText& sql, const std::string& key) {
  Session& session = *connection.session;
  const auto wrong = [&](const std::string& message) {
    return tl::unexpected(error_at(sql, ErrorCode::Sql, 0, message));
  };
  const auto known = session.modules.find(key);
  if (known != session.modules.end()) {
    switch (known->second.progress) {
      case ModuleProgress::Done:
        return {};
      case ModuleProgress::Stopped:
        break;
      case ModuleProgress::Running:
        return wrong(fmt::format(
            "INCLUDE: cycle detected — module '{}' is already mid-import in this execution.", key));
      case ModuleProgress::Failed:
        return wrong(fmt::format("INCLUDE: module '{}' poisoned by earlier failure: {}", key,
                                 known->second.failure));
    }
  }
  Session::Module& module = session.modules[key];  // stays where it is
  if (connection.include_depth >= kDeepestInclude) {
    session.modules.erase(key);
    return wrong(
        fmt::format("INCLUDE: modules include each other deeper than {}", kDeepestInclude));
  }
  module.progress = ModuleProgress::Running;
  ++connection.include_depth;
  Result<> ran =
      run_module(connection, sql, key, fmt::format("Module include \"{}\"", key), module.ran);
  --connection.include_depth;
  if (ran) {
    module = {.progress = ModuleProgress::Done};
    return {};
  }
  // A module that was only stopped may continue.
  if (ran.error().code != ErrorCode::Sql) {
    module.progress = ModuleProgress::Stopped;
    return ran;
  }
  const std::string& message = ran.error().message;
  module = {.progress = ModuleProgress::Failed, .failure = message.substr(message.rfind('\n') + 1)};
  return ran;
}

}  // namespace

Result<> include(ConnectionState& connection, const SqlText& sql, std::string_view key) {
  const Result<std::vector<std::string>> keys = connection.session->packages.find(key);
  if (!keys) return tl::unexpected(error_at(sql, ErrorCode::Sql, 0, keys.error().message));
  for (const std::string& found : *keys) TB_TRY(include_one(connection, sql, found));
  return {};
}

Result<> run_prelude(ConnectionState& connection) {
  Session& session = *connection.session;
  for (const SqlPackage& package : connection.tables->packages())
    TB_TRY(session.packages.add(package));
  TB_TRY_ASSIGN(const std::vector<std::string> keys, session.packages.find("prelude.*"));
  for (const std::string& key : keys) {
    std::string ran;
    TB_TRY(run_module(connection, SqlText(), key, "Trace Processor Internal", ran));
    session.modules[key].progress = ModuleProgress::Done;
  }
  return {};
}

}  // namespace tracebraid
