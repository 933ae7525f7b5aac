#include "server/api/answer_rows.h"

#include <string>
#include <utility>

#include "server/api/json_out.h"
#include "server/api/problem.h"
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
    columns_ = columns_json(schema);
    out_.buffer() += sets_++ == 0 ? "" : ",";
    out_.buffer() += R"({"columns":)" + columns_ + R"(,"rows":[)";
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
  std::string columns_;
  size_t sets_ = 0;
  bool is_first_ = true, is_open_ = false;
};

std::unique_ptr<BatchSink> make_sink(RowFormatKind format, Output& out) {
  if (format == RowFormatKind::Json) return std::make_unique<JsonSets>(out);
  return find_row_format(format == RowFormatKind::Csv ? "csv" : "ndjson")->make(out, {});
}

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

// Writes the result that has begun with `first`, and those behind it.
Result<> write_results(TraceQuery& query, std::optional<RecordBatch> first, BatchSink& sink) {
  TB_TRY_ASSIGN(const std::shared_ptr<const Schema> schema, query.schema());
  sink.begin(*schema);
  for (std::optional<RecordBatch> batch = std::move(first); batch;) {
    if (!sink.add(*batch)) return fail(ErrorCode::Cancelled, "the client has gone");
    TB_TRY_ASSIGN(batch, query.next());
  }
  sink.end();
  return hand_out(query, sink);
}

// Ends a JSON document or the lines with how the query ended.
void add_end(RowFormatKind format, const Result<>& ended, const QueryRun& run, std::string& to) {
  if (format == RowFormatKind::Ndjson && ended) return;
  JsonOut json;
  json.open_object();
  if (format == RowFormatKind::Json) json.add("elapsed_ms", run.elapsed_ms());
  if (!ended) json.add_raw("error", problem_json(ended.error()));
  json.close_object();
  const std::string members = std::move(json).finish();
  to += format == RowFormatKind::Json ? "]," + members.substr(1) : members + "\n";
}

}  // namespace

std::optional<RowFormatKind> accepted_format(std::string_view accept) {
  const auto has = [&](std::string_view type) { return accept.find(type) != accept.npos; };
  if (has("application/x-ndjson")) return RowFormatKind::Ndjson;
  if (has("text/csv")) return RowFormatKind::Csv;
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
    case RowFormatKind::Csv:
      break;
  }
  return "text/csv; charset=utf-8";
}

Result<> answer_rows(TraceConnection& connection, const QueryOptions& options, QueryRun& run,
                     RowFormatKind format, const http::Responder& responder) {
  const http::Header name{"Tracebraid-Query", std::to_string(run.id)};
  const auto refuse = [&](const Error& error) -> Result<> {
    http::Response response = problem(error);
    response.headers.push_back(name);
    add_common_headers(response);
    responder.respond(std::move(response));
    return tl::unexpected(error);
  };
  Result<std::unique_ptr<TraceQuery>> query = connection.query_all(run.sql, options);
  if (!query) return refuse(query.error());
  const Result<bool> has_result = (*query)->next_result();
  if (!has_result) return refuse(has_result.error());
  std::optional<RecordBatch> first;
  if (*has_result) {
    Result<std::optional<RecordBatch>> batch = (*query)->next();
    if (!batch) return refuse(batch.error());
    first = *std::move(batch);
  }

  Result<> ended;
  http::Response response{.type = std::string(content_type(format)), .headers = {name}};
  response.stream = [&](http::BodyWriter& writer) {
    Output out([&](std::string_view bytes) { return writer.write(bytes); });
    const std::unique_ptr<BatchSink> sink = make_sink(format, out);
    CountingSink counting(*sink, run);
    if (*has_result) ended = write_results(**query, std::move(first), counting);
    sink->end();
    if (!ended && format == RowFormatKind::Csv) return false;
    if (format != RowFormatKind::Csv) add_end(format, ended, run, out.buffer());
    out.flush();
    return out.ok();
  };
  add_common_headers(response);
  responder.respond(std::move(response));
  return ended;
}

}  // namespace tracebraid::api
