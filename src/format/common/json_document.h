// JSON documents of formats that are one object: profiles, small or large, that
// are read whole. Trace Event Format has its own reader (format/json/).
#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "container/input.h"

namespace tracebraid {

using JsonValue = std::optional<simdjson::dom::element>;  // nothing: missing

// A document and the memory that its values point into.
struct JsonDocument {
  simdjson::dom::parser parser;
  JsonValue root;
};
// All of `input`. An Error says where it is not JSON.
Result<> parse_document(Input& input, JsonDocument& document);

// The start of a document without the blanks between its parts (and those in its strings), for
// sniffers that look for members in a certain order.
std::string without_blanks(std::string_view head);

// Members and values; nothing if there is none, or it is of another type.
JsonValue json_member(const JsonValue& of, std::string_view key);
std::vector<JsonValue> json_items(const JsonValue& of);
std::optional<std::string_view> json_text(const JsonValue& value);
std::optional<double> json_number(const JsonValue& value);
std::optional<int64_t> json_integer(const JsonValue& value);  // also 3.0
bool json_is_null(const JsonValue& value);                    // or missing

}  // namespace tracebraid
