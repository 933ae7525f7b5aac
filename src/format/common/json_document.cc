#include "format/common/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/words.h"

namespace tracebraid {
namespace {

// Turns integers that do not fit into 64 bits, which the parser refuses, into reals, by appending
// "e0".
std::string with_real_numbers(std::string_view text) {
  constexpr size_t kSafeDigits = 18;
  std::string out;
  out.reserve(text.size() + text.size() / 64);
  bool in_string = false;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    const bool is_digit = c >= '0' && c <= '9';
    if (in_string || !is_digit) {
      out += c;
      if (in_string && c == '\\' && i + 1 < text.size()) out += text[++i];
      if (c == '"') in_string = !in_string;
      ++i;
      continue;
    }
    const size_t end = std::min(text.find_first_not_of("0123456789+-.eE", i), text.size());
    const std::string_view number = text.substr(i, end - i);
    out += number;
    const bool is_whole = number.find_first_of(".eE") == std::string_view::npos;
    if (is_whole && number.size() > kSafeDigits) out += "e0";
    i = end;
  }
  return out;
}

}  // namespace

Result<> parse_document(Input& input, JsonDocument& document) {
  const Block block = input.all();
  const std::string_view text = without_byte_order_mark(block.bytes);
  if (text.empty()) return fail(ErrorCode::BadInput, "not a JSON document: the text is empty");
  simdjson::dom::element root;
  auto error = document.parser.parse(text.data(), text.size()).get(root);
  if (error == simdjson::NUMBER_ERROR) {
    const std::string readable = with_real_numbers(text);
    error = document.parser.parse(readable).get(root);
  }
  if (error != simdjson::SUCCESS)
    return fail(ErrorCode::BadInput,
                fmt::format("not a JSON document: {}", simdjson::error_message(error)));
  document.root = root;
  return {};
}

JsonValue json_member(const JsonValue& of, std::string_view key) {
  simdjson::dom::object object;
  simdjson::dom::element value;
  if (!of || of->get(object) != simdjson::SUCCESS) return std::nullopt;
  if (object.at_key(key).get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

std::vector<JsonValue> json_items(const JsonValue& of) {
  std::vector<JsonValue> items;
  simdjson::dom::array array;
  if (!of || of->get(array) != simdjson::SUCCESS) return items;
  items.reserve(array.size());
  for (const simdjson::dom::element item : array) items.emplace_back(item);
  return items;
}

std::optional<std::string_view> json_text(const JsonValue& value) {
  std::string_view text;
  if (!value || value->get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

std::optional<double> json_number(const JsonValue& value) {
  double number = 0;
  if (!value || !value->is_number() || value->get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

std::optional<int64_t> json_integer(const JsonValue& value) {
  int64_t whole = 0;
  if (!value) return std::nullopt;
  if (value->get(whole) == simdjson::SUCCESS) return whole;
  const std::optional<double> number = json_number(value);
  constexpr double kLimit = 9.2e18;
  if (!number || !(std::abs(*number) < kLimit) || std::trunc(*number) != *number)
    return std::nullopt;
  return static_cast<int64_t>(*number);
}

std::string without_blanks(std::string_view head) {
  std::string text;
  for (const char c : head)
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') text += c;
  return text;
}

bool json_is_null(const JsonValue& value) { return !value || value->is_null(); }

}  // namespace tracebraid
