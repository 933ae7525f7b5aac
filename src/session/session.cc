#include "session/session.h"

#include <thread>

#include "session/sql_functions.h"

namespace tracebraid {

Result<Session> Session::open(std::span<const std::string> inputs, const OpenOptions& options,
                              Progress& progress) {
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  Workers workers(threads);
  TB_TRY_ASSIGN(Merged merged, merge(inputs, options.merge, workers, progress));
  const Store& store = *merged.store;
  TB_TRY_ASSIGN(Database database,
                Database::open(store.views(), store.strings,
                               session_functions(store, merged.clocks), prelude_sql()));
  return Session(std::move(merged), std::move(database));
}

Session::Session(Merged merged, Database database)
    : merged_(std::move(merged)), database_(std::make_unique<Database>(std::move(database))) {}

Result<> Session::query(std::string_view sql, RowSink& sink) { return database_->run(sql, sink); }

void Session::interrupt() { database_->interrupt(); }

}  // namespace tracebraid
