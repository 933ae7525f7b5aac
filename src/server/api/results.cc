// Kept results: GET and DELETE /results/{r}, GET /results/{r}/rows.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/words.h"
#include "server/api/json_out.h"
#include "server/api/problem.h"
#include "server/api/route.h"
#include "server/api/rows_json.h"
#include "server/api/view.h"

namespace tracebraid::api {
namespace {

constexpr int64_t kMostRows = 10'000;  // of a page

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

Result<int64_t> number_parameter(const Call& call, std::string_view name, int64_t otherwise,
                                 int64_t most) {
  const std::string* const text = call.find(name);
  if (text == nullptr) return otherwise;
  const std::optional<int64_t> number = parse_decimal(*text);
  if (!number || *number < 0 || *number > most)
    return fail(ErrorCode::Usage,
                std::string(name) + ": must be a number from 0 to " + std::to_string(most));
  return *number;
}

std::string text_parameter(const Call& call, std::string_view name) {
  const std::string* const text = call.find(name);
  return text == nullptr ? std::string() : *text;
}

Result<http::Response> page_of(StoredResult& result, const Call& call) {
  constexpr int64_t kMostOffset = std::numeric_limits<int64_t>::max();
  TB_TRY_ASSIGN(const int64_t offset, number_parameter(call, "offset", 0, kMostOffset));
  TB_TRY_ASSIGN(const int64_t limit, number_parameter(call, "limit", 1000, kMostRows));
  // The state comes first: rows that come meanwhile belong to an incomplete result.
  const bool is_complete = has_ended(result.query->state());
  const StoredRows rows = result.rows();
  TB_TRY_ASSIGN(const RowOrder order,
                result.order(rows, text_parameter(call, "sort"), text_parameter(call, "filter"),
                             *call.request->gone));
  const uint64_t total = order == nullptr ? rows.rows : order->size();
  const uint64_t begin = std::min(static_cast<uint64_t>(offset), total);
  const uint64_t end = std::min(begin + static_cast<uint64_t>(limit), total);
  JsonOut json;
  json.open_object().add("offset", begin).add("total", total).add("complete", is_complete);
  json.add_raw("columns", rows.schema == nullptr ? "[]" : columns_json(*rows.schema));
  json.open_array("rows");
  std::string row;
  for (uint64_t i = begin; i < end; ++i) {
    const StoredRows::Place place = rows.find(order == nullptr ? i : (*order)[i]);
    row.clear();
    append_json_row(row, *place.batch, place.row);
    json.add_raw({}, row);
  }
  json.close_array().close_object();
  http::Response response = json_response(std::move(json).finish());
  response.headers.push_back({"Tracebraid-Total", std::to_string(total)});
  response.headers.push_back({"Tracebraid-Complete", is_complete ? "1" : "0"});
  return response;
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
           .about = "a page of a kept result",
           .answer = get_rows,
           .on = TaskClass::Search,
           .parameters = {{"offset", "number of the first row"},
                          {"limit", "number of rows, at most 10,000"},
                          {"sort", "columns, separated by commas; '-' in front: descending"},
                          {"filter", "a JSON array of [column, operator, value]"}},
           .schema = kPageSchema}};
}

}  // namespace tracebraid::api
