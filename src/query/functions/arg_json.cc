#include "query/functions/arg_json.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "query/functions/text_result.h"

namespace tracebraid {
namespace {

// A value of JSON while it is built: text of a scalar, or children.
struct Node {
  enum class Kind : uint8_t { Unset, Scalar, Object, Array } kind = Kind::Unset;
  std::string scalar;
  std::vector<Node> children;                 // elements, or members in order of first appearance
  std::vector<std::string_view> names;        // names of members
  std::map<std::string_view, size_t> places;  // index of each name
};

// Limits the array or the stack that a malformed key can request.
constexpr size_t kLongestGap = 1000;
constexpr size_t kDeepest = 64;

std::string scalar_text(const ArgRow& row, const StringPool& strings, Reals reals) {
  const auto text = [&] {
    const StringId id{static_cast<uint32_t>(row.value)};
    return id ? strings.get(id) : std::string_view();
  };
  std::string json;
  switch (row.type) {
    case ArgType::Bool:
      return row.value != 0 ? "true" : "false";
    case ArgType::Uint:
      return fmt::to_string(static_cast<uint64_t>(row.value));
    case ArgType::Real: {
      const auto real = std::bit_cast<double>(row.value);
      if (!std::isfinite(real)) return "null";
      if (reals == Reals::AsSql) return *text_of(Cell::of(real));
      append_exact_real(json, real);
      return json;
    }
    case ArgType::Pointer:
      return fmt::format("\"0x{:x}\"", static_cast<uint64_t>(row.value));
    case ArgType::Json:
      return std::string(text());
    case ArgType::String:
      append_quoted(json, text());
      return json;
    case ArgType::Null:
      return "null";
    default:
      return fmt::to_string(row.value);
  }
}

// One step of a key: a name, or an index of an array.
struct Step {
  std::string_view name;
  std::optional<size_t> index;
};

// Splits "a.b[2]" into a, b, 2. Returns nothing if it is too deep or an index is invalid.
std::optional<std::vector<Step>> steps_of(std::string_view key) {
  std::vector<Step> steps;
  while (!key.empty()) {
    if (steps.size() == kDeepest) return std::nullopt;
    size_t index = 0;
    if (key.starts_with('[')) {
      const auto [at, error] = std::from_chars(key.data() + 1, key.data() + key.size(), index);
      const bool closed = error == std::errc() && at != key.data() + key.size() && *at == ']';
      if (!closed) return std::nullopt;
      steps.push_back({{}, index});
      key.remove_prefix(static_cast<size_t>(at + 1 - key.data()));
    } else {
      const size_t end = std::min(key.find_first_of(".["), key.size());
      steps.push_back({key.substr(0, end), std::nullopt});
      key.remove_prefix(end);
    }
    if (key.starts_with('.')) key.remove_prefix(1);
  }
  return steps;
}

// Returns the child for the step, created if needed; null if the node has another type, or the
// index is far beyond the end.
Node* child_of(Node& node, const Step& step) {
  const Node::Kind kind = step.index ? Node::Kind::Array : Node::Kind::Object;
  if (node.kind == Node::Kind::Unset) node.kind = kind;
  if (node.kind != kind) return nullptr;
  if (step.index) {
    const size_t size = node.children.size();
    if (*step.index > size && *step.index - size > kLongestGap) return nullptr;
    if (*step.index >= size) node.children.resize(*step.index + 1);
    return &node.children[*step.index];
  }
  const auto [place, is_new] = node.places.emplace(step.name, node.names.size());
  if (is_new) {
    node.names.push_back(step.name);
    node.children.emplace_back();
  }
  return &node.children[place->second];
}

void write(const Node& node, std::string& json) {
  switch (node.kind) {
    case Node::Kind::Unset:
      json += "null";
      break;
    case Node::Kind::Scalar:
      json += node.scalar;
      break;
    case Node::Kind::Object:
      json += '{';
      for (size_t i = 0; i < node.children.size(); ++i) {
        if (i != 0) json += ',';
        append_quoted(json, node.names[i]);
        json += ':';
        write(node.children[i], json);
      }
      json += '}';
      break;
    case Node::Kind::Array:
      json += '[';
      for (size_t i = 0; i < node.children.size(); ++i) {
        if (i != 0) json += ',';
        write(node.children[i], json);
      }
      json += ']';
      break;
  }
}

}  // namespace

void append_exact_real(std::string& to, double real) {
  const size_t begin = to.size();
  fmt::format_to(std::back_inserter(to), "{}", real);
  if (to.find_first_of(".e", begin) == std::string::npos) to += ".0";
}

void append_quoted(std::string& json, std::string_view text) {
  json += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  json += '"';
}

std::string arg_set_json(const ArgsTable& args, uint32_t arg_set_id, const StringPool& strings,
                         Reals reals) {
  Node root;
  root.kind = Node::Kind::Object;
  const ArgSet set = args.set(arg_set_id);
  for (const ArgRow row : set) {
    const StringId key = args.keys[row.key].key;
    const auto steps = key ? steps_of(strings.get(key)) : std::nullopt;
    if (!steps || steps->empty()) continue;
    Node* node = &root;
    for (const Step& step : *steps)
      if (node = child_of(*node, step); node == nullptr) break;
    if (node == nullptr || node->kind != Node::Kind::Unset) continue;
    node->kind = Node::Kind::Scalar;
    node->scalar = scalar_text(row, strings, reals);
  }
  std::string json;
  write(root, json);
  return json;
}

}  // namespace tracebraid
