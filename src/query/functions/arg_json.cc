#include "query/functions/arg_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "event/arg_path.h"
#include "query/functions/text_result.h"

namespace tracebraid {
namespace {

// A value of JSON while it is built: text of a scalar, or children.
struct Node {
  enum class Kind : uint8_t { Unset, Scalar, Object, Array } kind = Kind::Unset;
  bool is_unlisted = false;  // a scalar
  std::string scalar;
  std::vector<Node> children;                 // elements, or members in order of first appearance
  std::vector<std::string_view> names;        // names of members
  std::map<std::string_view, size_t> places;  // index of each name
};

// Limits the array or the stack that a malformed key can request. Readers limit the depth of args.
constexpr size_t kLongestGap = 1000;
constexpr size_t kDeepest = 1000;

// One step of a path: a name, or an index of an array.
struct Step {
  std::string_view name;
  std::optional<size_t> index;
};

// Builds the tree of a set.
class Tree {
 public:
  Tree(const ArgsTable& args, uint32_t arg_set_id, const StringPool& strings, Reals reals)
      : strings_(strings), reals_(reals) {
    root_.kind = Node::Kind::Object;
    args.for_each_leaf(arg_set_id, [&](const ArgRow& row) {
      const StringId path = args.keys[row.key].full_path();
      if (path) add(strings.get(path), row);
    });
  }
  const Node& root() const { return root_; }

 private:
  void add(std::string_view path, const ArgRow& row);
  bool read_steps(std::string_view path);

  const StringPool& strings_;
  Reals reals_;
  Node root_;
  std::vector<Step> steps_;
  std::deque<std::string> names_;  // that are not in paths as they are
};

// Splits "a.b[2]" into a, b, 2; a path that is malformed is one name. Returns false if it is too
// deep.
bool Tree::read_steps(std::string_view path) {
  steps_.clear();
  ArgSteps steps(path);
  while (const std::optional<ArgStep> step = steps.next()) {
    if (steps_.size() == kDeepest) return false;
    const bool is_in_path = step->index || (step->name.data() >= path.data() &&
                                            step->name.data() <= path.data() + path.size());
    steps_.push_back({is_in_path ? step->name : names_.emplace_back(step->name), step->index});
  }
  if (steps.is_malformed()) steps_.assign(1, {path, std::nullopt});
  return true;
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

void Tree::add(std::string_view path, const ArgRow& row) {
  if (!read_steps(path) || steps_.empty()) return;
  Node* node = &root_;
  for (const Step& step : steps_)
    if (node = child_of(*node, step); node == nullptr) return;
  const bool replaces = node->kind == Node::Kind::Scalar && node->is_unlisted && !row.unlisted;
  if (node->kind != Node::Kind::Unset && !replaces) return;
  if (row.type == ArgType::EmptyArray || row.type == ArgType::EmptyObject) {
    node->kind = row.type == ArgType::EmptyArray ? Node::Kind::Array : Node::Kind::Object;
    return;
  }
  node->kind = Node::Kind::Scalar;
  node->is_unlisted = row.unlisted;
  node->scalar.clear();
  append_arg_json(node->scalar, row, strings_, reals_);
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

void append_arg_json(std::string& json, const ArgRow& row, const StringPool& strings, Reals reals) {
  const auto text = [&] {
    const StringId id{static_cast<uint32_t>(row.value)};
    return id ? strings.get(id) : std::string_view();
  };
  switch (row.type) {
    case ArgType::Bool:
      json += row.value != 0 ? "true" : "false";
      return;
    case ArgType::Uint:
    case ArgType::UintAsReal:
      fmt::format_to(std::back_inserter(json), "{}", static_cast<uint64_t>(row.value));
      return;
    case ArgType::Real: {
      const auto real = std::bit_cast<double>(row.value);
      if (!std::isfinite(real))
        json += reals == Reals::AsSql ? "null"
                : std::isnan(real)    ? "\"NaN\""
                : real > 0            ? "1e999"
                                      : "-1e999";
      else if (reals == Reals::AsSql)
        json += *text_of(Cell::of(real));
      else
        append_exact_real(json, real);
      return;
    }
    case ArgType::Pointer:
      fmt::format_to(std::back_inserter(json), "\"0x{:x}\"", static_cast<uint64_t>(row.value));
      return;
    case ArgType::Json:
      json += text().empty() ? "null" : text();
      return;
    case ArgType::String:
      append_quoted(json, text());
      return;
    case ArgType::Null:
      json += "null";
      return;
    case ArgType::EmptyArray:
      json += "[]";
      return;
    case ArgType::EmptyObject:
      json += "{}";
      return;
    default:
      fmt::format_to(std::back_inserter(json), "{}", row.value);
      return;
  }
}

std::string arg_set_json(const ArgsTable& args, uint32_t arg_set_id, const StringPool& strings,
                         Reals reals) {
  std::string json;
  write(Tree(args, arg_set_id, strings, reals).root(), json);
  return json;
}

void append_args_json(std::string& json, const ArgsTable& args, uint32_t arg_set_id,
                      const StringPool& strings, Reals reals) {
  const Tree tree(args, arg_set_id, strings, reals);
  const Node& root = tree.root();
  const bool is_wrapped = root.names.size() == 1 && root.names[0] == "args" &&
                          root.children[0].kind == Node::Kind::Object;
  write(is_wrapped ? root.children[0] : root, json);
}

}  // namespace tracebraid
