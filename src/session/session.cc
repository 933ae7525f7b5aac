#include "session/session.h"

#include <fmt/format.h>

#include <optional>
#include <thread>

#include "base/damaged_file.h"
#include "session/sql_functions.h"

namespace tracebraid {

Result<Session> Session::open(std::span<const std::string> inputs, const OpenOptions& options,
                              Progress& progress) {
  const unsigned threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  Workers workers(threads);
  for (const std::string& input : inputs) {
    if (!is_braid_file(input)) continue;
    if (inputs.size() != 1)
      return fail(ErrorCode::Usage, fmt::format("{}: a braid holds a merged trace, which nothing "
                                                "can be merged with; give it alone",
                                                input));
    return open_braid_session(input, workers);
  }
  TB_TRY_ASSIGN(Merged merged, merge(inputs, options.merge, workers, progress));
  return open_merged(std::move(merged));
}

Result<Session> Session::open_braid_session(const std::string& path, Workers& workers) {
  Result<Braid> opened = open_braid(path, workers);
  if (std::optional<Error> damage = damaged_file()) return tl::unexpected(*std::move(damage));
  TB_TRY_ASSIGN(Braid braid, std::move(opened));
  TB_TRY_ASSIGN(Session session, open_merged(std::move(braid.merged)));
  session.braid_ = std::move(braid.file);
  return session;
}

Result<Session> Session::open_merged(Merged merged) {
  const Store& store = *merged.store;
  TB_TRY_ASSIGN(Database database,
                Database::open(store.views(), store.strings,
                               session_functions(store, merged.clocks), prelude_sql()));
  return Session(std::move(merged), std::move(database));
}

Session::Session(Merged merged, Database database)
    : merged_(std::move(merged)), database_(std::make_unique<Database>(std::move(database))) {}

Result<> Session::query(std::string_view sql, RowSink& sink) {
  Result<> ran = database_->run(sql, sink);
  if (braid_ == nullptr) return ran;
  if (std::optional<Error> damage = damaged_file()) return tl::unexpected(*std::move(damage));
  return ran;
}

void Session::interrupt() { database_->interrupt(); }

}  // namespace tracebraid
