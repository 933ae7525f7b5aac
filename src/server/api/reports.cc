// Reports on a trace: GET /traces/{t}/report, /explain and /problems.
#include "engine/report.h"

#include <algorithm>
#include <optional>

#include "base/words.h"
#include "engine/rows.h"
#include "server/api/problem.h"
#include "server/api/report_text.h"
#include "server/api/route.h"

namespace tracebraid::api {
namespace {

constexpr std::string_view kReportSchema =
    R"({"type":"object","required":["timeline","placements","losses","problems","trouble"],"properties":{"command":{"type":"string"},"timeline":{"type":"object"},"placements":{"type":"array","items":{"type":"object"}},"losses":{"type":"array"},"broken_flows":{"type":"array"},"not_imported":{"type":"array"},"problems":{"type":"array"},"trouble":{"type":"array","items":{"type":"string"}}}})";
constexpr std::string_view kExplainSchema =
    R"({"type":"object","required":["file","text"],"properties":{"file":{"type":"string"},"text":{"type":"string"}}})";
constexpr std::string_view kProblemsSchema =
    R"({"type":"object","required":["problems","missing"],"properties":{"problems":{"type":"array","items":{"type":"object"}},"missing":{"type":"array","items":{"type":"object"}}}})";

http::Response get_report(Api& api, const Call& call) {
  const auto found = find_trace(api, call);
  if (!found) return found.error();
  const Result<CheckReport> report = check_report(*found->trace);
  if (!report) return problem(report.error());
  JsonText command(JsonText::kCompact);
  command.open_object().add("command", found->open->command);
  return json_response(std::move(command).finish() + "," +
                       with_texts_for_times(report_json(*report)).substr(1));
}

http::Response get_explain(Api& api, const Call& call) {
  const std::string* const file = call.find("file");
  if (file == nullptr) return problem(kBadRequest, "file: missing; name an input");
  const auto found = find_trace(api, call);
  if (!found) return found.error();
  const Result<std::optional<std::string>> text = explain_file(*found->trace, *file);
  if (!text) return problem(text.error());
  if (!*text) return not_found("input", *file);
  JsonText json(JsonText::kCompact);
  json.open_object().add("file", *file).add("text", **text).close_object();
  return json_response(std::move(json).finish());
}

http::Response get_problems(Api& api, const Call& call) {
  const auto found = find_trace(api, call);
  if (!found) return found.error();
  JsonText json(JsonText::kCompact);
  json.open_object().open_array("problems");
  for (const Problem& each : found->trace->problems())
    json.open_object()
        .add("file", each.path)
        .add("level", name_of(each.level))
        .add("message", each.error.message)
        .close_object();
  json.close_array().open_array("missing");
  for (const MissingInput& each : found->open->missing)
    json.open_object().add("file", each.file).add("message", each.message).close_object();
  json.close_array().close_object();
  return json_response(std::move(json).finish());
}

}  // namespace

// Every line of the document holds one member at most, and texts have no line ends.
std::string with_texts_for_times(std::string_view json) {
  std::string changed;
  changed.reserve(json.size() + json.size() / 8);
  while (!json.empty()) {
    const size_t end = std::min(json.find('\n'), json.size() - 1);
    const std::string_view line = json.substr(0, end + 1);
    json.remove_prefix(end + 1);
    const size_t colon = line.find("\": ");
    const std::string_view key = line.substr(0, colon == line.npos ? 0 : colon);
    if (!key.ends_with("_ns") && !key.ends_with("_ts")) {
      changed += line;
      continue;
    }
    const size_t begin = colon + 3;
    size_t digits = begin + (line.substr(begin).starts_with('-') ? 1 : 0);
    while (digits < line.size() && is_digit(line[digits])) ++digits;
    const bool is_number = digits > begin && is_digit(line[digits - 1]);
    changed += line.substr(0, begin);
    if (is_number) changed += '"';
    changed += line.substr(begin, digits - begin);
    if (is_number) changed += '"';
    changed += line.substr(digits);
  }
  return changed;
}

std::vector<Route> report_routes() {
  return {{.method = "GET",
           .path = "/traces/{t}/report",
           .about = "the placement report, as 'check --json' with times as texts",
           .answer = get_report,
           .on = TaskClass::Answers,
           .schema = kReportSchema},
          {.method = "GET",
           .path = "/traces/{t}/explain",
           .about = "how one input was placed, in words",
           .answer = get_explain,
           .on = TaskClass::Answers,
           .parameters = {{"file", "path of the input, or its end after a '/'"}},
           .schema = kExplainSchema},
          {.method = "GET",
           .path = "/traces/{t}/problems",
           .about = "parts of the inputs that could not be read, and inputs that are missing",
           .answer = get_problems,
           .on = TaskClass::Answers,
           .schema = kProblemsSchema}};
}

}  // namespace tracebraid::api
