#include "engine/session.h"

#include <fmt/format.h>

#include <optional>
#include <thread>

#include "base/damaged_file.h"
#include "engine/functions/slice_functions.h"
#include "engine/functions/sql_functions.h"
#include "tables/registry.h"

namespace tracebraid {

Result<Session> Session::open(std::span<const std::string> inputs, const OpenOptions& options,
                              Progress& progress) {
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  for (const std::string& input : inputs) {
    if (!is_braid_file(input)) continue;
    if (inputs.size() != 1)
      return fail(
          ErrorCode::Usage,
          fmt::format("{}: a braid cannot be merged with other inputs; open it alone", input));
    return open_braid_session(input, options, threads);
  }
  Workers workers(threads);
  TB_TRY_ASSIGN(Merged merged, merge(inputs, options.merge, workers, progress));
  return open_merged(std::move(merged));
}

Result<Session> Session::open_braid_session(const std::string& path, const OpenOptions& options,
                                            unsigned threads) {
  Result<Braid> opened = open_braid(path, threads);
  if (opened && !options.for_queries) {
    if (Result<> fine = opened->tables->look_at_all(); !fine)
      opened = tl::unexpected(std::move(fine).error());
  }
  if (std::optional<Error> damage = damaged_file()) return tl::unexpected(*std::move(damage));
  TB_TRY_ASSIGN(Braid braid, std::move(opened));
  TB_TRY_ASSIGN(Session session, open_merged(std::move(braid.merged), braid.tables));
  session.braid_ = std::move(braid.file);
  session.tables_ = std::move(braid.tables);
  return session;
}

namespace {

// Functions look at rows as tables do: they are to be fine.
void look_before_calls(std::vector<SqlFunction>& functions,
                       const std::shared_ptr<BraidTables>& tables) {
  for (SqlFunction& function : functions) {
    if (function.reads.empty()) continue;
    function.call = [tables, reads = function.reads, call = std::move(function.call),
                     were_fine = false](std::span<const Cell> arguments) mutable -> Result<Cell> {
      for (size_t i = 0; !were_fine && i < reads.size(); ++i) TB_TRY(tables->look_at(reads[i]));
      were_fine = true;
      return call(arguments);
    };
  }
}

}  // namespace

Result<Session> Session::open_merged(Merged merged, std::shared_ptr<BraidTables> tables) {
  const Store& store = *merged.store;
  TableSetParts parts{
      .tables = store.views(), .strings = &store.strings, .prelude = public_schema_sql()};
  parts.functions = [&store, clocks = merged.clocks, tables] {
    std::vector<SqlFunction> functions = session_functions(store, clocks);
    if (tables != nullptr) look_before_calls(functions, tables);
    return functions;
  };
  parts.table_functions = slice_functions(store);
  if (tables != nullptr)
    parts.before_use = [tables](std::string_view table) {
      return tables->look_at(table).has_value();
    };
  TB_TRY_ASSIGN(Connection connection,
                Connection::open(std::make_shared<const TableSet>(std::move(parts))));
  return Session(std::move(merged), std::move(connection));
}

Session::Session(Merged merged, Connection connection)
    : merged_(std::move(merged)),
      connection_(std::make_unique<Connection>(std::move(connection))) {}

Result<> Session::query(std::string_view sql, RowSink& sink) {
  Result<> ran = run(*connection_, sql, sink, {.stop = stop_});
  stop_->clear();  // a request that comes from now on is for the next query
  if (braid_ == nullptr) return ran;
  if (std::optional<Error> damage = damaged_file()) return tl::unexpected(*std::move(damage));
  if (std::optional<Error> damage = tables_->damage()) return tl::unexpected(*std::move(damage));
  return ran;
}

Result<> Session::look_at_all() { return tables_ == nullptr ? Result<>() : tables_->look_at_all(); }

void Session::interrupt() { stop_->request(); }

}  // namespace tracebraid
