#include "server/api/problem.h"

#include <optional>
#include <string>

#include "base/words.h"
#include "engine/rows.h"

namespace tracebraid::api {
namespace {

// The place "line 3 col 5" or "line 3, column 5" in the message of an error of SQL.
struct Place {
  int64_t line, column;
};

std::optional<int64_t> number_behind(std::string_view text, std::string_view word) {
  const size_t at = text.find(word);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + word.size());
  size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  return parse_decimal(text.substr(0, digits));
}

std::optional<Place> place_of(std::string_view message) {
  const auto line = number_behind(message, "line ");
  auto column = number_behind(message, "col ");
  if (!column) column = number_behind(message, "column ");
  if (!line || !column) return std::nullopt;
  return Place{*line, *column};
}

std::string document(ProblemCode code, std::string_view detail, bool has_place,
                     std::string_view hint = {}) {
  JsonText json(JsonText::kCompact);
  json.open_object();
  json.add("type", "about:blank");
  json.add("title", code.code);
  json.add("status", code.status);
  json.add("detail", detail);
  json.add("code", code.code);
  if (!hint.empty()) json.add("hint", hint);
  if (const auto place = has_place ? place_of(detail) : std::nullopt) {
    json.open_object("where").add("line", place->line).add("column", place->column).close_object();
  }
  json.close_object();
  return std::move(json).finish();
}

http::Response response(ProblemCode code, std::string body) {
  return {.status = code.status, .type = "application/problem+json", .body = std::move(body)};
}

}  // namespace

ProblemCode problem_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::NotFound:
      return kNotFound;
    case ErrorCode::BadInput:
      return {"bad_input", 422};
    case ErrorCode::BadManifest:
      return {"bad_manifest", 422};
    case ErrorCode::Unsupported:
      return {"unsupported", 422};
    case ErrorCode::Io:
      return {"damaged", 500};
    case ErrorCode::Limit:
    case ErrorCode::Timeout:
    case ErrorCode::NoMemory:
      return kLimit;
    case ErrorCode::Sql:
      return {"sql_error", 422};
    case ErrorCode::TypeChanged:
      return {"type_changed", 422};
    case ErrorCode::Usage:
      return kBadRequest;
    case ErrorCode::Cancelled:
      return {"cancelled", 499};
    case ErrorCode::Internal:
      break;
  }
  return {"internal", 500};
}

std::string problem_json(ProblemCode code, std::string_view detail) {
  return document(code, detail, false);
}
std::string problem_json(const Error& error) {
  return document(problem_code(error.code), error.message, error.code == ErrorCode::Sql,
                  error.hint);
}

http::Response problem(ProblemCode code, std::string_view detail) {
  return response(code, problem_json(code, detail));
}
http::Response problem(const Error& error) {
  return response(problem_code(error.code), problem_json(error));
}

}  // namespace tracebraid::api
