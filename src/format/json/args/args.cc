#include "format/json/args/args.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace tracebraid::json {
namespace {

// Limit of the names of args, relative to the size of their text.
constexpr size_t kLeastNameBytes = size_t{1} << 20;
constexpr size_t kNameBytesPerByte = 4;

// Returns an integer from 2^63 to 2^64.
std::optional<uint64_t> large_uint(const Number& number) {
  if (number.form != Number::Form::Integer || number.negative) return std::nullopt;
  return integral_magnitude(number);
}

}  // namespace

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
    before = names_.element(array, before, i, i);
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
  if (closed) add_unlisted(node, ArgType::EmptyObject);
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
  size_t index = 0, place = 0;
  bool closed = read_opening(cursor, ']', repairs_.extra_commas);
  if (closed) add_unlisted(node, ArgType::EmptyArray);
  while (!closed) {
    if (cursor.is_at_end()) return Parse::Cut;
    const bool is_null = *cursor.at == 'n' && cursor.end - cursor.at > 1 && cursor.at[1] == 'u';
    const Node element = names_.element(node, before, index, place++);
    if (element != ArgNames::kNoNode) before = element;
    if (!is_null) ++index;  // null takes no index
    Parse parse = read_part(cursor, depth, element);
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
    if (dom.members.empty()) add_unlisted(node, ArgType::EmptyObject);
  } else if (dom.is(Kind::Array)) {
    size_t index = 0, place = 0;
    for (const Dom& item : dom.items) {
      const Node named = names_.element(node, before, index, place++);
      if (named == ArgNames::kNoNode) return;
      before = named;
      if (item.value.is_given()) ++index;  // null takes no index
      add_value(item, before);
    }
    if (dom.items.empty()) add_unlisted(node, ArgType::EmptyArray);
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
      else if (const auto large = large_uint(value.number))
        row(node, ArgType::UintAsReal, std::bit_cast<int64_t>(*large));
      else
        row(node, ArgType::Real, std::bit_cast<int64_t>(to_double(value.number, value.raw)));
      break;
    }
    case Kind::Null:
      add_unlisted(node, ArgType::Null);
      break;
    default:
      break;
  }
}

}  // namespace tracebraid::json
