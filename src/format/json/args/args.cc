#include "format/json/args/args.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

namespace tracebraid::json {
namespace {

// Limit of the names of args, relative to the size of their text.
constexpr size_t kLeastNameBytes = size_t{1} << 20;
constexpr size_t kNameBytesPerByte = 4;

// memcmp() for mostly short texts.
bool is_equal(const char* a, const char* b, size_t size) {
  const auto differ = [&]<class Word>(size_t at, Word word) {
    Word other = 0;
    std::memcpy(&word, a + at, sizeof word);
    std::memcpy(&other, b + at, sizeof other);
    return word ^ other;
  };
  if (size > 32) return std::memcmp(a, b, size) == 0;
  uint64_t difference = 0;
  if (size >= 8) {
    for (size_t at = 0; at + 8 < size; at += 8) difference |= differ(at, uint64_t{});
    return (difference | differ(size - 8, uint64_t{})) == 0;
  }
  if (size >= 4) return (differ(0, uint32_t{}) | differ(size - 4, uint32_t{})) == 0;
  for (size_t at = 0; at < size; ++at) difference |= static_cast<uint64_t>(a[at] ^ b[at]);
  return difference == 0;
}

}  // namespace

ArgNames::Node ArgNames::root(std::string_view name) {
  const auto at = roots_.find(name);
  if (at != roots_.end()) return at->second;
  const StringId id = sink_.string(name);
  const Node node = add(id, id, {});
  roots_.emplace(name, node);
  return node;
}

ArgNames::Node ArgNames::member(Node parent, Node before, std::string_view key) {
  const Node guess = before == kNoNode ? nodes_[parent].first_member : nodes_[before].next_member;
  if (guess != kNoNode && nodes_[guess].text == key) return guess;
  if (is_full()) return kNoNode;
  const StringId name = sink_.string(key);
  const auto [at, added] = members_.try_emplace({parent, name}, kNoNode);
  if (added) {
    const StringPool& strings = sink_.batch().strings;
    scratch_ = fmt::format("{}.{}", strings.get(nodes_[parent].flat), key);
    const StringId flat = sink_.string(scratch_);
    scratch_ = fmt::format("{}.{}", strings.get(nodes_[parent].full), key);
    at->second = add(flat, sink_.string(scratch_), strings.get(name));
  }
  const Node node = at->second;
  (before == kNoNode ? nodes_[parent].first_member : nodes_[before].next_member) = node;
  return node;
}

ArgNames::Node ArgNames::repeated_member(Node parent, Node before, Cursor& cursor) const {
  const Node guess = before == kNoNode ? nodes_[parent].first_member : nodes_[before].next_member;
  if (guess == kNoNode || !nodes_[guess].is_plain) return kNoNode;
  const std::string_view text = nodes_[guess].text;
  if (static_cast<size_t>(cursor.end - cursor.at) < text.size() + 2) return kNoNode;
  if (*cursor.at != '"' || cursor.at[text.size() + 1] != '"') return kNoNode;
  if (!is_equal(cursor.at + 1, text.data(), text.size())) return kNoNode;
  const char* const value = to_value(cursor.at + text.size() + 2, cursor.end);
  if (value == nullptr) return kNoNode;
  cursor.at = value;
  return guess;
}

ArgNames::Node ArgNames::element(Node parent, Node before, size_t index) {
  const Node known = before == kNoNode ? nodes_[parent].first_element : nodes_[before].next_element;
  if (known != kNoNode) return known;
  if (is_full()) return kNoNode;
  scratch_.assign(sink_.batch().strings.get(nodes_[parent].full));
  fmt::format_to(std::back_inserter(scratch_), "[{}]", index);
  const Node node = add(nodes_[parent].flat, sink_.string(scratch_), {});
  (before == kNoNode ? nodes_[parent].first_element : nodes_[before].next_element) = node;
  return node;
}

uint32_t ArgNames::key(Node node) {
  Entry& entry = nodes_[node];
  if (entry.arg_key == kNone) entry.arg_key = sink_.arg_key({entry.flat, entry.full});
  return entry.arg_key;
}

ArgNames::Node ArgNames::add(StringId flat, StringId full, std::string_view text) {
  Entry entry;
  entry.flat = flat;
  entry.full = full;
  entry.text = text;
  entry.is_plain = text.find_first_of("\"\\") == std::string_view::npos;
  bytes_ += sink_.batch().strings.get(full).size();
  nodes_.push_back(entry);
  return static_cast<Node>(nodes_.size() - 1);
}

ArgReader::ArgReader(EventSink& sink, uint32_t max_depth, size_t text_bytes)
    : sink_(sink),
      names_(sink, std::max(kLeastNameBytes, text_bytes * kNameBytesPerByte)),
      max_depth_(max_depth) {}

Parse ArgReader::read(Cursor& cursor, uint32_t depth, ArgNames::Node root, Repairs& repairs,
                      bool& again) {
  repairs_ = {};
  again_ = false;
  const Parse parse = read_value(cursor, depth, root);
  again = again_;
  if (!again_) repairs += repairs_;
  return parse;
}

void ArgReader::add_text(std::string_view name, std::string_view text) {
  row(names_.root(name), ArgType::String, sink_.string(text).row);
}

void ArgReader::add_texts(std::string_view name, std::span<const std::string> texts) {
  const Node array = names_.root(name);
  Node before = ArgNames::kNoNode;
  for (size_t i = 0; i < texts.size(); ++i) {
    before = names_.element(array, before, i);
    if (before == ArgNames::kNoNode) return;
    row(before, ArgType::String, sink_.string(texts[i]).row);
  }
}

void ArgReader::add_int(std::string_view name, int64_t value, ArgType type) {
  row(names_.root(name), type, value);
}

Parse ArgReader::read_value(Cursor& cursor, uint32_t depth, Node node) {
  const char first = *cursor.at;
  if (first == '{' || first == '[') {
    if (depth >= max_depth_) {
      ++repairs_.too_deep;
      return skip(cursor, depth);
    }
    ++cursor.at;
    return first == '{' ? read_members(cursor, depth + 1, node)
                        : read_items(cursor, depth + 1, node);
  }
  Value value;
  const Parse parse = read_scalar(cursor, value);
  if (parse == Parse::Ok) {
    if (value.has(Kind::Number) && !value.number.is_finite()) ++repairs_.nonfinite_numbers;
    add_scalar(value, node);
  }
  return parse;
}

Parse ArgReader::read_members(Cursor& cursor, uint32_t depth, Node node) {
  const uint64_t mark = ++objects_;
  Node before = ArgNames::kNoNode;
  bool closed = read_opening(cursor, '}', repairs_.extra_commas);
  while (!closed) {
    if (cursor.is_at_end()) return Parse::Cut;
    Node member = names_.repeated_member(node, before, cursor);
    if (member == ArgNames::kNoNode) {
      StringToken key;
      const Parse parse = read_key(cursor, key);
      if (parse != Parse::Ok) return parse;
      member = names_.member(node, before, text_of(key, scratch_));
    }
    if (member != ArgNames::kNoNode) {
      before = member;
      if (!names_.mark(member, mark)) again_ = true;
    }
    Parse parse = read_part(cursor, depth, member);
    if (parse != Parse::Ok) return parse;
    parse = read_separator(cursor, '}', repairs_.extra_commas, closed);
    if (parse != Parse::Ok) return parse;
  }
  return Parse::Ok;
}

Parse ArgReader::read_items(Cursor& cursor, uint32_t depth, Node node) {
  Node before = ArgNames::kNoNode;
  size_t index = 0;
  bool closed = read_opening(cursor, ']', repairs_.extra_commas);
  while (!closed) {
    if (cursor.is_at_end()) return Parse::Cut;
    Parse parse = Parse::Ok;
    if (*cursor.at == 'n' && cursor.end - cursor.at > 1 && cursor.at[1] == 'u') {
      Value null;  // null takes no index
      parse = read_scalar(cursor, null);
    } else {
      const Node element = names_.element(node, before, index++);
      if (element != ArgNames::kNoNode) before = element;
      parse = read_part(cursor, depth, element);
    }
    if (parse != Parse::Ok) return parse;
    parse = read_separator(cursor, ']', repairs_.extra_commas, closed);
    if (parse != Parse::Ok) return parse;
  }
  return Parse::Ok;
}

// Reads a member or element; drops it if its name does not fit.
Parse ArgReader::read_part(Cursor& cursor, uint32_t depth, Node node) {
  if (node != ArgNames::kNoNode) return read_value(cursor, depth, node);
  ++repairs_.too_deep;
  return skip(cursor, depth);
}

Parse ArgReader::skip(Cursor& cursor, uint32_t depth) {
  Value skipped;
  uint32_t deepest = depth;
  return read_raw(cursor, depth, deepest, skipped);
}

void ArgReader::add_value(const Dom& dom, Node node) {
  Node before = ArgNames::kNoNode;
  if (dom.is(Kind::Object)) {
    for (const auto& [key, member] : dom.members) {
      const Node named = names_.member(node, before, key);
      if (named == ArgNames::kNoNode) continue;
      before = named;
      add_value(member, before);
    }
  } else if (dom.is(Kind::Array)) {
    size_t index = 0;
    for (const Dom& item : dom.items) {
      if (!item.value.is_given()) continue;
      const Node named = names_.element(node, before, index++);
      if (named == ArgNames::kNoNode) return;
      before = named;
      add_value(item, before);
    }
  } else {
    add_scalar(dom.value, node);
  }
}

void ArgReader::add_scalar(const Value& value, Node node) {
  switch (value.kind) {
    case Kind::String:
      row(node, ArgType::String, sink_.string(text_of(value, scratch_)).row);
      break;
    case Kind::Bool:
      row(node, ArgType::Bool, value.truth ? 1 : 0);
      break;
    case Kind::Number: {
      const auto whole =
          value.number.form == Number::Form::Integer ? to_int64(value.number) : std::nullopt;
      if (whole)
        row(node, ArgType::Int, *whole);
      else
        row(node, ArgType::Real, std::bit_cast<int64_t>(to_double(value.number, value.raw)));
      break;
    }
    default:
      break;
  }
}

}  // namespace tracebraid::json
