#include "server/api/answer_rows.h"

#include <string>
#include <utility>

#include "engine/rows.h"
#include "server/api/problem.h"
#include "server/api/row_sink.h"
#include "server/api/rows_json.h"
#include "server/api/stored_result.h"
#include "server/api/viewer_files.h"

namespace tracebraid::api {
namespace {

constexpr size_t kPieceBytes = size_t{64} << 10;

// All result sets as one JSON document.
class JsonSets final : public BatchSink {
 public:
  explicit JsonSets(Output& out) : out_(out) { out_.buffer() += R"({"sets":[)"; }

  void begin(const Schema& schema) override {
    out_.buffer() += std::exchange(is_first_set_, false) ? "" : ",";
    out_.buffer() += R"({"columns":)" + columns_json(schema) + R"(,"rows":[)";
    is_first_ = is_open_ = true;
  }
  bool add(const RecordBatch& batch) override {
    for (size_t row = 0; row < batch.rows && out_.ok(); ++row) {
      if (!std::exchange(is_first_, false)) out_.buffer() += ',';
      append_json_row(out_.buffer(), batch, row);
      if (out_.buffer().size() >= kPieceBytes) out_.flush();
    }
    out_.flush();
    return out_.ok();
  }
  void end() override {
    if (std::exchange(is_open_, false)) out_.buffer() += "]}";
  }

 private:
  Output& out_;
  bool is_first_set_ = true, is_first_ = true, is_open_ = false;
};

// Counts the rows of a sink for GET /queries/{q}.
class CountingSink final : public BatchSink {
 public:
  CountingSink(BatchSink& to, QueryRun& run) : to_(to), run_(run) {}
  void begin(const Schema& schema) override { to_.begin(schema); }
  bool add(const RecordBatch& batch) override {
    run_.add_rows(batch.rows);
    return to_.add(batch);
  }
  void end() override { to_.end(); }

 private:
  BatchSink& to_;
  QueryRun& run_;
};

// Passes `first` and the following batches of the current statement to a sink.
Result<> pass_rows(TraceQuery& query, std::optional<RecordBatch> first, BatchSink& sink) {
  for (std::optional<RecordBatch> batch = std::move(first); batch;) {
    if (!sink.add(*batch)) return fail(ErrorCode::Cancelled, "the client has gone");
    TB_TRY_ASSIGN(batch, query.next());
  }
  return {};
}

// Writes the result that has begun with `first`, and those behind it.
Result<> write_results(TraceQuery& query, std::optional<RecordBatch> first, BatchSink& sink) {
  TB_TRY_ASSIGN(const std::shared_ptr<const Schema> schema, query.schema());
  sink.begin(*schema);
  TB_TRY(pass_rows(query, std::move(first), sink));
  sink.end();
  return hand_out(query, sink);
}

// Ends a JSON document or the lines with how the query ended.
void add_end(RowFormatKind format, const Result<>& ended, const QueryRun& run, std::string& to) {
  if (format == RowFormatKind::Ndjson && ended) return;
  JsonText json(JsonText::kCompact);
  json.open_object();
  if (format == RowFormatKind::Json) json.add("elapsed_ms", run.elapsed_ms());
  if (!ended) json.add_raw("error", problem_json(ended.error()));
  json.close_object();
  const std::string members = std::move(json).finish();
  to += format == RowFormatKind::Json ? "]," + members.substr(1) : members + "\n";
}

// Sends an answer whose head has been decided.
class Answer {
 public:
  Answer(QueryRun& run, RowFormatKind format, const http::Responder& responder)
      : run_(run), format_(format), responder_(responder) {}

  Result<> refuse(const Error& error) const {
    http::Response response = problem(error);
    response.headers.push_back(name());
    responder_.respond(with_common_headers(std::move(response)));
    return tl::unexpected(error);
  }
  // `write` writes the rows and returns how the query ended. Returns that.
  template <class Write>
  Result<> send(Write write) const {
    Result<> ended;
    http::Response response{.type = std::string(content_type(format_)), .headers = {name()}};
    response.stream = [&](http::BodyWriter& writer) {
      Output out([&](std::string_view bytes) { return writer.write(bytes); });
      ended = write(out);
      const bool is_document = format_ == RowFormatKind::Json || format_ == RowFormatKind::Ndjson;
      if (!ended && !is_document) return false;
      if (is_document) add_end(format_, ended, run_, out.buffer());
      out.flush();
      return out.ok();
    };
    responder_.respond(with_common_headers(std::move(response)));
    return ended;
  }

 private:
  http::Header name() const { return {"Tracebraid-Query", std::to_string(run_.id)}; }

  QueryRun& run_;
  const RowFormatKind format_;
  const http::Responder& responder_;
};

Result<> answer_all(TraceQuery& query, QueryRun& run, RowFormatKind format, const Answer& answer) {
  const Result<bool> has_result = query.next_result();
  if (!has_result) return answer.refuse(has_result.error());
  std::optional<RecordBatch> first;
  if (*has_result) {
    Result<std::optional<RecordBatch>> batch = query.next();
    if (!batch) return answer.refuse(batch.error());
    first = *std::move(batch);
  }
  return answer.send([&](Output& out) -> Result<> {
    const std::unique_ptr<BatchSink> sink = format == RowFormatKind::Json
                                                ? std::make_unique<JsonSets>(out)
                                                : find_row_format("ndjson")->make(out, {});
    CountingSink counting(*sink, run);
    Result<> ended;
    if (*has_result) ended = write_results(query, std::move(first), counting);
    sink->end();
    return ended;
  });
}

// The rows of the last statement stream. Those of an earlier one are kept while later ones run.
struct LastSet {
  TraceQuery& query;
  QueryRun& run;
  Spool& spool;
  std::shared_ptr<const Schema> schema = {};
  std::unique_ptr<StoredResult> kept = {};
  std::optional<RecordBatch> first = {};
  bool is_running = false;  // `first` and what follows are the rows

  Result<> keep() {
    // Stored rows need a query whose state they show; nobody asks for it.
    kept = std::make_unique<StoredResult>(
        0, std::make_shared<QueryRun>(0, run.trace, 0, std::string(), run.stop), spool);
    kept->begin(*schema);
    while (first) {
      TB_TRY(kept->add(*first));
      TB_TRY_ASSIGN(first, query.next());
    }
    return {};
  }
  Result<> find() {
    for (;;) {
      TB_TRY_ASSIGN(const bool has_statement, query.next_statement());
      if (!has_statement) return {};
      const StatementInfo statement = query.statement();
      if (!statement.has_columns) continue;
      TB_TRY_ASSIGN(first, query.next());
      TB_TRY_ASSIGN(schema, query.schema());
      is_running = statement.is_last;
      if (is_running) return {};
      TB_TRY(keep());
    }
  }
  Result<> write(BatchSink& sink) {
    if (is_running) return pass_rows(query, std::move(first), sink);
    for (const auto& stored : kept->rows().batches)
      if (!sink.add(stored->batch)) return fail(ErrorCode::Cancelled, "the client has gone");
    return {};
  }
};

Result<> answer_last(TraceQuery& query, QueryRun& run, Spool& spool, const Answer& answer) {
  LastSet last{query, run, spool};
  if (const Result<> found = last.find(); !found) return answer.refuse(found.error());
  return answer.send([&](Output& out) -> Result<> {
    if (last.schema == nullptr) return {};
    const std::unique_ptr<BatchSink> sink = make_row_sink("csv", last.schema, out);
    CountingSink counting(*sink, run);
    counting.begin(*last.schema);
    Result<> ended = last.write(counting);
    counting.end();
    return ended;
  });
}

Result<> answer_arrow(TraceConnection& connection, QueryOptions options, QueryRun& run,
                      const Answer& answer) {
  constexpr size_t kBatchRows = 8192;  // the first batch comes early
  options.verbatim = false;
  options.batch_rows = kBatchRows;
  const Result<std::unique_ptr<TraceQuery>> query = connection.query(run.sql, std::move(options));
  if (!query) return answer.refuse(query.error());
  const Result<std::shared_ptr<const Schema>> schema = (*query)->schema();
  if (!schema) return answer.refuse(schema.error());
  Result<std::optional<RecordBatch>> first = (*query)->next();
  if (!first) return answer.refuse(first.error());
  return answer.send([&](Output& out) -> Result<> {
    const std::unique_ptr<BatchSink> sink = make_row_sink("arrow", *schema, out);
    CountingSink counting(*sink, run);
    TB_TRY(pass_rows(**query, *std::move(first), counting));
    sink->end();
    return {};
  });
}

}  // namespace

std::optional<RowFormatKind> accepted_format(std::string_view accept) {
  const auto has = [&](std::string_view type) { return accept.find(type) != accept.npos; };
  if (has("application/x-ndjson")) return RowFormatKind::Ndjson;
  if (has("text/csv")) return RowFormatKind::Csv;
  if (has(kArrowType)) return RowFormatKind::Arrow;
  if (accept.empty() || has("application/json") || has("*/*") || has("application/*"))
    return RowFormatKind::Json;
  return std::nullopt;
}

std::string_view content_type(RowFormatKind format) {
  switch (format) {
    case RowFormatKind::Json:
      return "application/json";
    case RowFormatKind::Ndjson:
      return "application/x-ndjson";
    case RowFormatKind::Arrow:
      return kArrowType;
    case RowFormatKind::Csv:
      break;
  }
  return "text/csv; charset=utf-8";
}

Result<> answer_rows(TraceConnection& connection, const QueryOptions& options, QueryRun& run,
                     RowFormatKind format, Spool& spool, const http::Responder& responder) {
  const Answer answer(run, format, responder);
  if (format == RowFormatKind::Arrow) return answer_arrow(connection, options, run, answer);
  const Result<std::unique_ptr<TraceQuery>> query = connection.query_all(run.sql, options);
  if (!query) return answer.refuse(query.error());
  return format == RowFormatKind::Csv ? answer_last(**query, run, spool, answer)
                                      : answer_all(**query, run, format, answer);
}

}  // namespace tracebraid::api
