// Queries: POST /traces/{t}/queries, GET and DELETE /queries/{q}.
#include <algorithm>
#include <utility>

#include "engine/rows.h"
#include "server/api/answer_rows.h"
#include "server/api/json_body.h"
#include "server/api/problem.h"
#include "server/api/route.h"
#include "server/api/viewer_files.h"

namespace tracebraid::api {
namespace {

constexpr size_t kMostWaiting = 256;
constexpr size_t kRowsOfKeptBatch = 8192;

constexpr std::string_view kQueryBody =
    R"({"type":"object","required":["sql"],"properties":{"sql":{"type":"string"},"params":{"oneOf":[{"type":"array"},{"type":"object"}]},"workspace":{"type":"string"},"max_rows":{"type":"integer"},"timeout_s":{"type":"integer"},"keep":{"type":"boolean"},"async":{"type":"boolean"},"text":{"enum":["utf8","dictionary"]}}})";
constexpr std::string_view kRowsSchema =
    R"({"type":"object","properties":{"sets":{"type":"array","items":{"type":"object","required":["columns","rows"],"properties":{"columns":{"type":"array"},"rows":{"type":"array","items":{"type":"array"}}}}},"elapsed_ms":{"type":"integer"},"error":{"type":"object"},"query":{"type":"string"},"result":{"type":"string"},"rows":{"type":"integer"},"columns":{"type":"array"}}})";
constexpr std::string_view kStateSchema =
    R"({"type":"object","required":["query","trace","state","sql","rows","elapsed_ms"],"properties":{"query":{"type":"string"},"trace":{"type":"string"},"workspace":{"type":"string"},"state":{"enum":["queued","running","done","failed","cancelled"]},"sql":{"type":"string"},"rows":{"type":"integer"},"elapsed_ms":{"type":"integer"},"result":{"type":"string"},"error":{"type":"object"}}})";

struct QueryRequest {
  std::string sql;
  std::vector<Parameter> parameters;
  int64_t workspace = 0, max_rows = 0, timeout_s = 0;
  bool keep = false, is_async = false;
  bool plain_text = false;  // texts of Arrow as utf8 instead of dictionaries
};

Result<Parameter> parameter_of(const JsonValue& value, std::string_view name) {
  Parameter parameter;
  parameter.name = name;
  switch (value.kind()) {
    case JsonValue::Kind::Absent:
    case JsonValue::Kind::Null:
      return parameter;
    case JsonValue::Kind::Int: {
      parameter.kind = Cell::Kind::Int;
      TB_TRY_ASSIGN(parameter.integer, value.integer());
      return parameter;
    }
    case JsonValue::Kind::Real: {
      parameter.kind = Cell::Kind::Real;
      TB_TRY_ASSIGN(parameter.real, value.real());
      return parameter;
    }
    case JsonValue::Kind::Text: {
      parameter.kind = Cell::Kind::Text;
      TB_TRY_ASSIGN(parameter.text, value.text());
      return parameter;
    }
    case JsonValue::Kind::Bool: {
      parameter.kind = Cell::Kind::Int;
      TB_TRY_ASSIGN(const bool truth, value.truth());
      parameter.integer = truth ? 1 : 0;
      return parameter;
    }
    case JsonValue::Kind::Array:
    case JsonValue::Kind::Object:
      break;
  }
  return fail(ErrorCode::Usage, "params: values must be numbers, texts or null");
}

Result<QueryRequest> read_request(const http::Request& request) {
  TB_TRY_ASSIGN(const JsonValue json, parse_json(request.body));
  QueryRequest query;
  TB_TRY_ASSIGN(query.sql, json.member("sql").text());
  TB_TRY_ASSIGN(query.workspace, json.member("workspace").integer(0));
  TB_TRY_ASSIGN(query.max_rows, json.member("max_rows").integer(0));
  TB_TRY_ASSIGN(query.timeout_s, json.member("timeout_s").integer(0));
  TB_TRY_ASSIGN(query.keep, json.member("keep").truth(false));
  TB_TRY_ASSIGN(query.is_async, json.member("async").truth(false));
  TB_TRY_ASSIGN(const std::string text, json.member("text").text("dictionary"));
  if (text != "utf8" && text != "dictionary")
    return fail(ErrorCode::Usage, "text: not one of utf8, dictionary");
  query.plain_text = text == "utf8";
  if (request.header("prefer").find("respond-async") != std::string_view::npos)
    query.is_async = true;
  if (query.max_rows < 0) return fail(ErrorCode::Usage, "max_rows: must not be negative");
  if (query.timeout_s < 0) return fail(ErrorCode::Usage, "timeout_s: must not be negative");
  const JsonValue params = json.member("params");
  for (const JsonValue& value : params.elements()) {
    TB_TRY_ASSIGN(Parameter parameter, parameter_of(value, ""));
    query.parameters.push_back(std::move(parameter));
  }
  for (const auto& [name, value] : params.members()) {
    TB_TRY_ASSIGN(Parameter parameter, parameter_of(value, name));
    query.parameters.push_back(std::move(parameter));
  }
  return query;
}

QueryOptions query_options(const Api& api, const QueryRequest& request, const QueryRun& run) {
  QueryOptions options = text_query_options();
  options.parameters = request.parameters;
  options.plain_text = request.plain_text;
  options.stop = run.stop;
  options.most_rows = static_cast<uint64_t>(request.max_rows);
  options.most_bytes = api.options.query_memory;
  const auto most = static_cast<int64_t>(api.options.query_timeout_s);
  int64_t seconds = request.timeout_s == 0 ? most : request.timeout_s;
  if (most != 0) seconds = std::min(seconds, most);
  if (seconds != 0)
    options.deadline = Clock::now() + std::chrono::seconds(std::min<int64_t>(seconds, 1 << 30));
  return options;
}

// Stores the rows of the last result set.
class KeepingSink final : public BatchSink {
 public:
  KeepingSink(StoredResult& result, QueryRun& run) : result_(result), run_(run) {}
  void begin(const Schema& schema) override { result_.begin(schema); }
  bool add(const RecordBatch& batch) override {
    stored_ = result_.add(batch);
    if (stored_) run_.add_rows(batch.rows);
    return stored_.has_value();
  }
  const Result<>& stored() const { return stored_; }

 private:
  StoredResult& result_;
  QueryRun& run_;
  Result<> stored_;
};

Result<> keep_rows(TraceConnection& connection, QueryOptions options, QueryRun& run,
                   StoredResult& result) {
  options.batch_rows = kRowsOfKeptBatch;
  KeepingSink sink(result, run);
  TB_TRY_ASSIGN(const std::unique_ptr<TraceQuery> query,
                connection.query_all(run.sql, std::move(options)));
  TB_TRY(hand_out(*query, sink));
  return sink.stored();
}

// One query under way, shared by the tasks that run it.
struct Pending {
  Api& api;
  QueryRequest request;
  std::shared_ptr<OpenTrace> trace;
  std::shared_ptr<Workspace> workspace;  // null: an idle connection
  std::shared_ptr<QueryRun> run;
  std::shared_ptr<StoredResult> result;  // null: the rows are the answer
  RowFormatKind format;
  http::Responder responder;

  void respond(http::Response response) const {
    response.headers.push_back({"Tracebraid-Query", std::to_string(run->id)});
    responder.respond(with_common_headers(std::move(response)));
  }
};

http::Response kept_response(const Pending& pending, unsigned status) {
  const StoredRows rows = pending.result->rows();
  JsonText json(JsonText::kCompact);
  json.open_object();
  json.add("query", std::to_string(pending.run->id));
  json.add("result", std::to_string(pending.result->id)).add("rows", rows.rows);
  json.add_raw("columns", columns_json(*rows.schema));
  json.add("elapsed_ms", pending.run->elapsed_ms()).close_object();
  return json_response(std::move(json).finish(), status);
}

Result<> run_on(TraceConnection& connection, const Pending& pending) {
  QueryOptions options = query_options(pending.api, pending.request, *pending.run);
  if (pending.result == nullptr)
    return answer_rows(connection, options, *pending.run, pending.format, *pending.api.spool,
                       pending.responder);
  return keep_rows(connection, std::move(options), *pending.run, *pending.result);
}

// Answers a query that failed before answer_rows() could.
Result<> refuse(const Pending& pending, const Error& error) {
  if (pending.result == nullptr) pending.respond(problem(error));
  return tl::unexpected(error);
}

Result<> run_query(const Pending& pending) {
  if (pending.run->stop->requested())
    return refuse(pending, {ErrorCode::Cancelled, "the query was cancelled"});
  if (pending.workspace != nullptr) {
    std::unique_ptr<TraceConnection>& connection = pending.workspace->connection;
    if (connection == nullptr) {
      Result<std::unique_ptr<TraceConnection>> made = pending.trace->take_connection();
      if (!made) return refuse(pending, made.error());
      connection = *std::move(made);
    }
    return run_on(*connection, pending);
  }
  Result<std::unique_ptr<TraceConnection>> connection = pending.trace->take_connection();
  if (!connection) return refuse(pending, connection.error());
  const Result<> ended = run_on(**connection, pending);
  if ((*connection)->is_as_new()) pending.trace->give_back(*std::move(connection));
  return ended;
}

void work(const Pending& pending) {
  --pending.api.waiting_queries;
  pending.run->start();
  const Result<> ended = run_query(pending);
  pending.run->end(ended);
  if (pending.workspace != nullptr) pending.trace->end_turn(*pending.workspace);
  // The answer said everything.
  if (ended && pending.result == nullptr) pending.api.queries.remove(pending.run->id);
  if (pending.result == nullptr || pending.request.is_async) return;
  if (!ended) pending.api.results.remove(pending.result->id);  // the client learns no id
  pending.respond(ended ? kept_response(pending, 200) : problem(ended.error()));
}

Result<std::shared_ptr<Pending>> plan_query(Api& api, const Call& call,
                                            const http::Responder& responder) {
  TB_TRY_ASSIGN(QueryRequest request, read_request(*call.request));
  const std::optional<RowFormatKind> format = accepted_format(call.request->header("accept"));
  if (!format && !request.keep)
    return fail(ErrorCode::Usage,
                "Accept: not one of application/json, application/x-ndjson, text/csv, "
                "application/vnd.apache.arrow.stream");
  const auto trace = api.traces.find(call.id(0));
  if (trace == nullptr) return fail(ErrorCode::NotFound, "there is no trace '" + call.ids[0] + "'");
  TB_TRY(trace->find());
  std::shared_ptr<Workspace> workspace;
  if (request.workspace != 0) {
    workspace = trace->find_workspace(static_cast<uint64_t>(request.workspace));
    if (workspace == nullptr)
      return fail(ErrorCode::NotFound,
                  "there is no workspace '" + std::to_string(request.workspace) + "'");
  }
  if (!request.keep) request.is_async = false;
  const auto stop = request.is_async ? std::make_shared<Stop>() : call.request->gone;
  const auto run =
      std::make_shared<QueryRun>(api.new_id(), trace->id, static_cast<uint64_t>(request.workspace),
                                 std::move(request.sql), stop);
  std::shared_ptr<StoredResult> result;
  if (request.keep) {
    result = std::make_shared<StoredResult>(api.new_id(), run, *api.spool);
    run->result = result->id;
    api.results.add(result->id, result);
  }
  api.queries.add(run->id, run);
  return std::make_shared<Pending>(Pending{api, std::move(request), trace, std::move(workspace),
                                           run, std::move(result),
                                           format.value_or(RowFormatKind::Json), responder});
}

void post_query(Api& api, const Call& call, const http::Responder& responder) {
  const auto refuse_now = [&](http::Response response) {
    responder.respond(with_common_headers(std::move(response)));
  };
  if (api.waiting_queries >= kMostWaiting)
    return refuse_now(problem(kRateLimited, "256 queries are waiting; try again later"));
  const Result<std::shared_ptr<Pending>> planned = plan_query(api, call, responder);
  if (!planned) return refuse_now(problem(planned.error()));
  const std::shared_ptr<Pending> pending = *planned;
  ++api.waiting_queries;
  if (pending->request.is_async) pending->respond(kept_response(*pending, 202));
  const auto start = [&api, pending] {
    api.pool.submit(TaskClass::Sql, [pending] { work(*pending); });
  };
  pending->workspace == nullptr ? start() : pending->trace->begin_turn(*pending->workspace, start);
}

http::Response get_query(Api& api, const Call& call) {
  const auto run = api.queries.find(call.id(0));
  return run == nullptr ? not_found("query", call.ids[0]) : json_response(run->json());
}

http::Response delete_query(Api& api, const Call& call) {
  const auto run = api.queries.find(call.id(0));
  if (run == nullptr) return not_found("query", call.ids[0]);
  run->stop->request();
  return {.status = 204};
}

}  // namespace

std::vector<Route> query_routes() {
  return {{.method = "POST",
           .path = "/traces/{t}/queries",
           .about = "run SQL; Accept decides the format, keep stores the rows on the server",
           .begin = post_query,
           .most_body = kMostJson,
           .body = kQueryBody,
           .schema = kRowsSchema},
          {.method = "GET",
           .path = "/queries/{q}",
           .about = "state of a query; kept 10 minutes after its end",
           .answer = get_query,
           .schema = kStateSchema},
          {.method = "DELETE",
           .path = "/queries/{q}",
           .about = "end a query",
           .answer = delete_query,
           .status = "204"}};
}

}  // namespace tracebraid::api
