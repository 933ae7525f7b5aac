// Kept results: GET and DELETE /results/{r}, GET /results/{r}/rows.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/arrow.h"
#include "engine/rows.h"
#include "server/api/parameters.h"
#include "server/api/problem.h"
#include "server/api/route.h"
#include "server/api/row_sink.h"
#include "server/api/rows_json.h"
#include "server/api/send_file.h"
#include "server/api/stored_view.h"

namespace tracebraid::api {
namespace {

constexpr std::string_view kResultSchema =
    R"({"type":"object","required":["result","query","state","rows","columns","bytes"],"properties":{"result":{"type":"string"},"query":{"type":"string"},"trace":{"type":"string"},"state":{"enum":["queued","running","done","failed","cancelled"]},"rows":{"type":"integer"},"bytes":{"type":"integer"},"elapsed_ms":{"type":"integer"},"columns":{"type":"array","items":{"type":"object","required":["name","type"]}},"sql":{"type":"string"},"error":{"type":"object"}}})";
constexpr std::string_view kPageSchema =
    R"({"type":"object","required":["offset","total","complete","columns","rows"],"properties":{"offset":{"type":"integer"},"total":{"type":"integer"},"complete":{"type":"boolean"},"columns":{"type":"array"},"rows":{"type":"array","items":{"type":"array"}}}})";

// Returns the answer for a result that does not exist: 410 if it was dropped.
http::Response no_result(const Api& api, const Call& call) {
  const uint64_t id = call.id(0);
  if (id != 0 && id <= api.removed_results)
    return problem(kGone, "the rows are no longer kept; run the query again");
  return not_found("result", call.ids[0]);
}

http::Response get_result(Api& api, const Call& call) {
  const auto result = api.results.find(call.id(0));
  if (result == nullptr) return no_result(api, call);
  result->touch();
  return json_response(result->json());
}

http::Response delete_result(Api& api, const Call& call) {
  const auto result = api.results.remove(call.id(0));
  if (result == nullptr) return no_result(api, call);
  result->query->stop->request();
  return {.status = 204};
}

// Returns the rows of a result in the order that the parameters of the call ask for.
Result<StoredView> view_of(StoredResult& result, const Call& call) {
  StoredView view{result.rows(), nullptr};
  TB_TRY_ASSIGN(view.order, result.order(view.rows, text_parameter(call, "sort"),
                                         text_parameter(call, "filter"), *call.request->gone));
  return view;
}

http::Response json_page(const StoredView& view, uint64_t begin, uint64_t end, bool is_complete) {
  JsonText json(JsonText::kCompact);
  json.open_object().add("offset", begin).add("total", view.size()).add("complete", is_complete);
  json.add_raw("columns", columns_json(*view.rows.schema));
  json.open_array("rows");
  std::string row;
  for (uint64_t i = begin; i < end; ++i) {
    const StoredRows::Place place = view.find(i);
    row.clear();
    append_json_row(row, *place.batch, place.row);
    json.add_raw({}, row);
  }
  json.close_array().close_object();
  return json_response(std::move(json).finish());
}

Result<http::Response> arrow_page(const StoredView& view, uint64_t begin, uint64_t end) {
  http::Response response{.type = std::string(kArrowType)};
  ArrowStreamWriter writer(view.rows.schema, [&](std::string_view bytes) {
    response.body += bytes;
    return true;
  });
  if (begin < end) {
    TB_TRY_ASSIGN(const RecordBatch batch, view.batch(begin, end));
    writer.add(batch);
  }
  writer.finish();
  return response;
}

Result<http::Response> page_of(StoredResult& result, const Call& call) {
  constexpr int64_t kMostOffset = std::numeric_limits<int64_t>::max();
  TB_TRY_ASSIGN(const int64_t offset, number_parameter(call, "offset", 0, 0, kMostOffset));
  TB_TRY_ASSIGN(const int64_t limit, number_parameter(call, "limit", 1000, 0, kMostPageRows));
  // The state comes first: rows that come meanwhile belong to an incomplete result.
  const bool is_complete = has_ended(result.query->state());
  TB_TRY_ASSIGN(const StoredView view, view_of(result, call));
  const uint64_t begin = std::min(static_cast<uint64_t>(offset), view.size());
  const uint64_t end = std::min(begin + static_cast<uint64_t>(limit), view.size());
  http::Response response;
  if (call.request->header("accept").find("application/json") != std::string_view::npos) {
    response = json_page(view, begin, end, is_complete);
  } else {
    TB_TRY_ASSIGN(response, arrow_page(view, begin, end));
  }
  response.headers.push_back({"Tracebraid-Total", std::to_string(view.size())});
  response.headers.push_back({"Tracebraid-Complete", is_complete ? "1" : "0"});
  return response;
}

// Writes all rows of a view. Returns whether the client took them.
bool write_view(const StoredView& view, std::string_view format, http::BodyWriter& to) {
  Output out([&](std::string_view bytes) { return to.write(bytes); });
  const std::unique_ptr<BatchSink> sink = make_row_sink(format, view.rows.schema, out);
  sink->begin(*view.rows.schema);
  const Result<bool> is_whole =
      view.for_each_batch([&](const RecordBatch& batch) { return sink->add(batch) && out.ok(); });
  sink->end();
  out.flush();
  return is_whole && *is_whole && out.ok();
}

struct Download {
  std::string_view format, ending, type;
};
constexpr Download kDownloads[] = {{"csv", "csv", "text/csv; charset=utf-8"},
                                   {"tsv", "tsv", "text/tab-separated-values; charset=utf-8"},
                                   {"json", "json", "application/json"},
                                   {"ndjson", "ndjson", "application/x-ndjson"},
                                   {"arrow", "arrows", kArrowType}};

Result<http::Response> file_of(StoredResult& result, const Call& call) {
  const std::string format = call.find("format") == nullptr ? "csv" : *call.find("format");
  const auto* const found = std::ranges::find(kDownloads, format, &Download::format);
  if (found == std::end(kDownloads))
    return fail(ErrorCode::Usage, "format: not one of csv, tsv, json, ndjson, arrow");
  const RunState state = result.query->state();
  if (!has_ended(state)) return problem(kConflict, "the query still runs; wait for its end");
  TB_TRY_ASSIGN(StoredView view, view_of(result, call));
  http::Response response{.type = std::string(found->type)};
  const std::string_view lack = state == RunState::Done ? "" : "-incomplete";
  response.headers.push_back(
      {"Content-Disposition",
       disposition(fmt::format("result-{}{}.{}", result.id, lack, found->ending))});
  response.stream = [view = std::move(view), found](http::BodyWriter& to) {
    return write_view(view, found->format, to);
  };
  return response;
}

http::Response get_file(Api& api, const Call& call) {
  const auto result = api.results.find(call.id(0));
  if (result == nullptr) return no_result(api, call);
  result->touch();
  Result<http::Response> file = file_of(*result, call);
  return file ? *std::move(file) : problem(file.error());
}

http::Response get_rows(Api& api, const Call& call) {
  const auto result = api.results.find(call.id(0));
  if (result == nullptr) return no_result(api, call);
  result->touch();
  Result<http::Response> page = page_of(*result, call);
  return page ? *std::move(page) : problem(page.error());
}

}  // namespace

std::vector<Route> result_routes() {
  return {{.method = "GET",
           .path = "/results/{r}",
           .about = "the rows so far and the columns of a kept result; dropped 30 minutes after "
                    "its last use",
           .answer = get_result,
           .schema = kResultSchema},
          {.method = "DELETE",
           .path = "/results/{r}",
           .about = "drop a kept result and end its query",
           .answer = delete_result,
           .on = TaskClass::Answers,
           .status = "204"},
          {.method = "GET",
           .path = "/results/{r}/rows",
           .about = "a page of a kept result: an Arrow stream, or JSON if Accept names it",
           .answer = get_rows,
           .on = TaskClass::Search,
           .parameters = {{"offset", "number of the first row"},
                          {"limit", "number of rows, at most 10,000"},
                          {"sort", "columns, separated by commas; '-' in front: descending"},
                          {"filter", "a JSON array of [column, operator, value]"}},
           .schema = kPageSchema},
          {.method = "GET",
           .path = "/results/{r}/file",
           .about = "all rows of a kept result as a file to download",
           .answer = get_file,
           .on = TaskClass::Search,
           .parameters = {{"format", "csv, tsv, json, ndjson or arrow"},
                          {"sort", "as for a page"},
                          {"filter", "as for a page"}},
           .type = "application/octet-stream"}};
}

}  // namespace tracebraid::api
