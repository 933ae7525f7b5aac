// Clocks of a trace: GET /traces/{t}/clocks/edges/{e}/observations.
#include "engine/clocks.h"

#include <fmt/format.h>

#include "base/words.h"
#include "engine/rows.h"
#include "server/api/problem.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

constexpr int64_t kMostPoints = 4096, kUsualPoints = 512;

constexpr std::string_view kObservationsSchema =
    R"({"type":"object","required":["edge","model","total","observations","curve"],"properties":{"edge":{"type":"string"},"model":{"enum":["step","linear","stated"]},"total":{"type":"string"},"observations":{"type":"array","items":{"type":"object","required":["from","to","bound_ns","mapped","ts"],"properties":{"from":{"type":"string"},"to":{"type":"string"},"bound_ns":{"type":["string","null"]},"mapped":{"type":["string","null"]},"ts":{"type":["string","null"]}}}},"curve":{"type":"array","items":{"type":"object","required":["from","bound_ns","mapped","ts"],"properties":{"from":{"type":"string"},"bound_ns":{"type":["string","null"]},"mapped":{"type":["string","null"]},"ts":{"type":["string","null"]}}}}}})";

// Adds a decimal text, or null.
void add_optional(JsonText& json, std::string_view name, const std::optional<int64_t>& time) {
  if (time)
    json.add(name, std::to_string(*time));
  else
    json.add_raw(name, "null");
}

void add_reading(JsonText& json, const EdgeReading& reading, bool is_observation) {
  json.open_object().add("from", std::to_string(reading.from));
  if (is_observation) json.add("to", std::to_string(reading.to));
  add_optional(json, "bound_ns", reading.bound_ns);
  add_optional(json, "mapped", reading.mapped);
  add_optional(json, "ts", reading.ts);
  json.close_object();
}

http::Response get_observations(Api& api, const Call& call) {
  const auto found = find_trace(api, call);
  if (!found) return found.error();
  const std::optional<int64_t> edge = parse_decimal(call.ids[1]);
  if (!edge || *edge < 0 || *edge > UINT32_MAX) return not_found("edge", call.ids[1]);
  int64_t most = kUsualPoints;
  if (const std::string* const points = call.find("points")) {
    const std::optional<int64_t> number = parse_decimal(*points);
    if (!number || *number < 2 || *number > kMostPoints)
      return problem(kBadRequest, fmt::format("points: must be from 2 to {}", kMostPoints));
    most = *number;
  }
  const Result<EdgeReadings> readings =
      edge_readings(*found->trace, static_cast<uint32_t>(*edge), static_cast<size_t>(most));
  if (!readings) return problem(readings.error());
  JsonText json(JsonText::kCompact);
  json.open_object().add("edge", call.ids[1]).add("model", readings->model);
  json.add("total", std::to_string(readings->total)).open_array("observations");
  for (const EdgeReading& each : readings->observations) add_reading(json, each, true);
  json.close_array().open_array("curve");
  for (const EdgeReading& each : readings->curve) add_reading(json, each, false);
  json.close_array().close_object();
  return json_response(std::move(json).finish());
}

}  // namespace

std::vector<Route> clock_routes() {
  return {{.method = "GET",
           .path = "/traces/{t}/clocks/edges/{e}/observations",
           .about = "readings of the two clocks of a row of clock_edge, the map between them and "
                    "its bound; all in ns",
           .answer = get_observations,
           .on = TaskClass::Answers,
           .parameters = {{"points",
                           "how many observations at most, from 2 to 4096; usually 512. "
                           "Of more, those furthest from the line are kept"}},
           .schema = kObservationsSchema}};
}

}  // namespace tracebraid::api
