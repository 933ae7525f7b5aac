// JSON documents that are read whole: profiles in one object. Trace Event Format has its own reader
// (format/json/).
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
// Parses all of `input`. An Error has the position of malformed JSON.
Result<> parse_document(Input& input, JsonDocument& document);

// Returns the start of a document without blanks (also without those in strings), for sniffers that
// search for members in a certain order.
std::string without_blanks(std::string_view head);

// Return members and values; nothing if they are missing or of another type.
JsonValue json_member(const JsonValue& of, std::string_view key);
std::vector<JsonValue> json_items(const JsonValue& of);
std::optional<std::string_view> json_text(const JsonValue& value);
std::optional<double> json_number(const JsonValue& value);
std::optional<int64_t> json_integer(const JsonValue& value);  // also for 3.0
bool json_is_null(const JsonValue& value);                    // also for a missing value

}  // namespace tracebraid
