#include "server/rpc/run_query.h"

#include <chrono>
#include <optional>

#include "server/rpc/result_writer.h"

namespace tracebraid::rpc {
namespace {

// Returns the text with each U+00A0 as a blank.
std::string with_blanks(std::string_view sql) {
  constexpr std::string_view kNoBreakSpace = "\xc2\xa0";
  std::string text;
  text.reserve(sql.size());
  for (size_t at = 0; at < sql.size();) {
    const bool is_space = sql.substr(at).starts_with(kNoBreakSpace);
    text.push_back(is_space ? ' ' : sql[at]);
    at += is_space ? kNoBreakSpace.size() : 1;
  }
  return text;
}

QueryOptions options_of(const RpcService& service, const StopPointer& gone) {
  QueryOptions options{.stop = gone, .verbatim = true, .stored_as_dictionary = true};
  options.most_bytes = service.host().query_memory;
  if (const unsigned seconds = service.host().query_timeout_s; seconds != 0)
    options.deadline = StopCheck::Clock::now() + std::chrono::seconds(seconds);
  return options;
}

std::vector<std::string> names_of(const Schema& schema) {
  std::vector<std::string> names;
  for (const Field& field : schema.fields) names.push_back(field.name);
  return names;
}

// A query that runs one statement after the other.
struct Running {
  RpcService& service;
  std::unique_ptr<TraceQuery> query;
  ResultHead head = {};

  // Runs the next statement to its first row. Returns false behind the last one.
  Result<bool> begin_statement();
  // Drops the rest of its rows.
  Result<> finish_rows();
  Result<> run_all(ResultWriter& to);
  Result<> write_rows(ResultWriter& to);

  StatementInfo statement = {};
  std::optional<RecordBatch> rows = {};  // the first ones
  int64_t began = 0;
};

Result<bool> Running::begin_statement() {
  began = boot_time_ns();
  TB_TRY_ASSIGN(const bool has_statement, query->next_statement());
  if (!has_statement) return false;
  statement = query->statement();
  rows.reset();
  if (statement.has_columns) {
    TB_TRY_ASSIGN(rows, query->next());
  }
  ++head.statements;
  if (rows && !statement.is_silent) ++head.statements_with_output;
  return true;
}

Result<> Running::finish_rows() {
  while (rows) {
    TB_TRY_ASSIGN(rows, query->next());
  }
  service.metatrace().add(statement.text, began);
  return {};
}

// Writes the rows of the statement that has begun.
Result<> Running::write_rows(ResultWriter& to) {
  if (statement.has_columns) {
    TB_TRY_ASSIGN(const std::shared_ptr<const Schema> schema, query->schema());
    head.columns = names_of(*schema);
  }
  head.last_statement = statement.text;
  to.set_head(head);
  for (; rows;) {
    if (!to.add(*rows)) return {};
    TB_TRY_ASSIGN(rows, query->next());
  }
  service.metatrace().add(statement.text, began);
  return {};
}

Result<> Running::run_all(ResultWriter& to) {
  for (;;) {
    TB_TRY_ASSIGN(const bool has_statement, begin_statement());
    if (!has_statement) return {};
    if (statement.is_last) return write_rows(to);
    TB_TRY(finish_rows());
  }
}

std::string error_of(const Result<>& result) {
  return result ? std::string() : result.error().message;
}

}  // namespace

void run_query(RpcService& service, std::string_view sql, MessageWriter& to,
               const StopPointer& gone) {
  ResultWriter result(to);
  const auto run = [&]() -> Result<> {
    TB_TRY_ASSIGN(const RpcService::Lock lock, service.lock(gone));
    TB_TRY_ASSIGN(TraceConnection* const connection, service.connection(gone));
    TB_TRY_ASSIGN(std::unique_ptr<TraceQuery> query,
                  connection->query_all(with_blanks(sql), options_of(service, gone)));
    return Running{service, std::move(query)}.run_all(result);
  };
  result.finish(error_of(run()));
}

void run_statement(RpcService& service, std::string_view sql, uint32_t start_offset,
                   MessageWriter& to, const StopPointer& gone) {
  ResultWriter result(to);
  const std::string text = with_blanks(sql);
  to.set_tail({.offset = start_offset});
  const auto run = [&]() -> Result<> {
    if (start_offset > text.size())
      return fail(ErrorCode::Usage, "StatementArgs.start_offset out of range");
    TB_TRY_ASSIGN(const RpcService::Lock lock, service.lock(gone));
    TB_TRY_ASSIGN(TraceConnection* const connection, service.connection(gone));
    TB_TRY_ASSIGN(std::unique_ptr<TraceQuery> query,
                  connection->query_all(text, options_of(service, gone)));
    query->skip(start_offset);
    if (query->statement().is_last) {  // before the first statement: none follows
      to.set_tail({.offset = static_cast<uint32_t>(text.size())});
      return {};
    }
    Running running{service, std::move(query)};
    TB_TRY_ASSIGN(const bool has_statement, running.begin_statement());
    to.set_tail({.offset = static_cast<uint32_t>(running.statement.end_offset),
                 .was_executed = has_statement});
    return running.write_rows(result);
  };
  result.finish(error_of(run()));
}

void write_error(std::string_view error, MessageWriter& to) {
  ResultWriter(to).finish(std::string(error));
}

}  // namespace tracebraid::rpc
