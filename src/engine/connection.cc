#include "engine/connection.h"

#include <utility>

#include "base/boundary.h"
#include "braid/braid.h"
#include "query/compile/connection.h"
#include "query/compile/query.h"

namespace tracebraid {
namespace {

// Returns the Error if rows of a braid were read from a damaged file.
Result<> check_damage(const Trace& trace) {
  if (trace.braid_tables() == nullptr) return {};
  if (std::optional<Error> damage = trace.damage()) return tl::unexpected(*std::move(damage));
  if (std::optional<Error> damage = trace.braid_tables()->damage())
    return tl::unexpected(*std::move(damage));
  return {};
}

}  // namespace

Result<std::unique_ptr<TraceConnection>> TraceConnection::open(std::shared_ptr<const Trace> trace) {
  return at_boundary(trace->broken(), [&]() -> Result<std::unique_ptr<TraceConnection>> {
    TB_TRY_ASSIGN(Connection connection, Connection::open(trace->table_set()));
    return std::unique_ptr<TraceConnection>(
        new TraceConnection(std::move(trace), std::make_unique<Connection>(std::move(connection))));
  });
}

TraceConnection::TraceConnection(std::shared_ptr<const Trace> trace,
                                 std::unique_ptr<Connection> connection)
    : trace_(std::move(trace)), connection_(std::move(connection)) {}

TraceConnection::~TraceConnection() = default;

Result<std::unique_ptr<TraceQuery>> TraceConnection::query(std::string_view sql,
                                                           QueryOptions options) {
  return query(tracebraid::query, sql, std::move(options));
}

Result<std::unique_ptr<TraceQuery>> TraceConnection::query_all(std::string_view sql,
                                                               QueryOptions options) {
  return query(tracebraid::query_all, sql, std::move(options));
}

Result<std::unique_ptr<TraceQuery>> TraceConnection::query(Begin begin, std::string_view sql,
                                                           QueryOptions options) {
  return at_boundary(trace_->broken(), [&]() -> Result<std::unique_ptr<TraceQuery>> {
    const bool is_interruptible = options.stop == nullptr;
    if (is_interruptible) options.stop = stop_;
    Result<Query> begun = begin(*connection_, sql, std::move(options));
    TB_TRY(check_damage(*trace_));
    if (!begun) {
      if (is_interruptible) stop_->clear();
      return tl::unexpected(std::move(begun).error());
    }
    return std::unique_ptr<TraceQuery>(
        new TraceQuery(trace_, is_interruptible ? stop_ : nullptr, *std::move(begun)));
  });
}

Result<Schema> TraceConnection::describe(std::string_view sql, const QueryOptions& options) {
  return at_boundary(trace_->broken(), [&]() -> Result<Schema> {
    Result<Schema> schema = tracebraid::describe(*connection_, sql, options);
    TB_TRY(check_damage(*trace_));
    return schema;
  });
}

Result<> TraceConnection::run(std::string_view sql, BatchSink& sink, QueryOptions options) {
  return run_all(sql, sink, std::move(options));
}

Result<> TraceConnection::run(std::string_view sql, RowSink& rows) {
  return run_all(sql, rows, {});
}

template <class Sink>
Result<> TraceConnection::run_all(std::string_view sql, Sink& sink, QueryOptions options) {
  return at_boundary(trace_->broken(), [&]() -> Result<> {
    options.stop = stop_;
    Result<> ran = tracebraid::run(*connection_, sql, sink, std::move(options));
    stop_->clear();  // a later request applies to the next run
    TB_TRY(check_damage(*trace_));
    return ran;
  });
}

void TraceConnection::set_stats(QueryStats* stats) { connection_->set_stats(stats); }

void TraceConnection::interrupt() { stop_->request(); }

Result<std::vector<RelationInfo>> TraceConnection::relations() {
  return at_boundary(trace_->broken(), [&]() -> Result<std::vector<RelationInfo>> {
    return connection_->relations();
  });
}

TraceQuery::TraceQuery(std::shared_ptr<const Trace> trace, std::shared_ptr<Stop> stop, Query query)
    : trace_(std::move(trace)),
      stop_(std::move(stop)),
      query_(std::make_unique<Query>(std::move(query))) {}

TraceQuery::~TraceQuery() {
  if (stop_ != nullptr) stop_->clear();  // a later request applies to the next query
}

Result<bool> TraceQuery::next_result() {
  return at_boundary(trace_->broken(), [&]() -> Result<bool> {
    Result<bool> has_result = query_->next_result();
    TB_TRY(check_damage(*trace_));
    return has_result;
  });
}

Result<bool> TraceQuery::next_statement() {
  return at_boundary(trace_->broken(), [&]() -> Result<bool> {
    Result<bool> has_statement = query_->next_statement();
    TB_TRY(check_damage(*trace_));
    return has_statement;
  });
}

StatementInfo TraceQuery::statement() const { return query_->statement(); }
void TraceQuery::skip(size_t bytes) { query_->skip(bytes); }

Result<std::shared_ptr<const Schema>> TraceQuery::schema() {
  return at_boundary(trace_->broken(), [&]() -> Result<std::shared_ptr<const Schema>> {
    Result<std::shared_ptr<const Schema>> schema = query_->schema();
    TB_TRY(check_damage(*trace_));
    return schema;
  });
}

Result<std::optional<RecordBatch>> TraceQuery::next() {
  return at_boundary(trace_->broken(), [&]() -> Result<std::optional<RecordBatch>> {
    Result<std::optional<RecordBatch>> batch = query_->next();
    TB_TRY(check_damage(*trace_));
    return batch;
  });
}

const std::vector<std::string>& TraceQuery::warnings() const { return query_->warnings(); }

std::vector<std::string> TraceConnection::function_names() const {
  return connection_->function_names();
}

bool TraceConnection::is_as_new() const { return connection_->is_as_new(); }

std::vector<std::string> TraceConnection::module_keys() const { return connection_->module_keys(); }

Result<> TraceConnection::register_package(SqlPackage package) {
  return at_boundary(trace_->broken(), [&]() -> Result<> {
    return connection_->register_package(std::move(package));
  });
}

}  // namespace tracebraid
