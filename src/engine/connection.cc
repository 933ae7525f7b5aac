#include "engine/connection.h"

#include <utility>

#include "base/damaged_file.h"
#include "braid/braid.h"
#include "query/compile/connection.h"

namespace tracebraid {
Result<std::unique_ptr<TraceConnection>> TraceConnection::open(std::shared_ptr<const Trace> trace) {
  TB_TRY_ASSIGN(Connection connection, Connection::open(trace->table_set()));
  return std::unique_ptr<TraceConnection>(
      new TraceConnection(std::move(trace), std::make_unique<Connection>(std::move(connection))));
}

TraceConnection::TraceConnection(std::shared_ptr<const Trace> trace,
                                 std::unique_ptr<Connection> connection)
    : trace_(std::move(trace)), connection_(std::move(connection)) {}

TraceConnection::~TraceConnection() = default;

Result<> TraceConnection::run(std::string_view sql, RowSink& rows) {
  Result<> ran = tracebraid::run(*connection_, sql, rows, {.stop = stop_});
  stop_->clear();  // a request that comes from now on is for the next run
  if (trace_->braid_tables() == nullptr) return ran;
  if (std::optional<Error> damage = damaged_file()) return tl::unexpected(*std::move(damage));
  if (std::optional<Error> damage = trace_->braid_tables()->damage())
    return tl::unexpected(*std::move(damage));
  return ran;
}

void TraceConnection::interrupt() { stop_->request(); }

std::vector<RelationInfo> TraceConnection::relations() { return connection_->relations(); }

}  // namespace tracebraid
