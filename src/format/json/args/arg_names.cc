#include "format/json/args/arg_names.h"

#include <fmt/format.h>

#include <cstring>

#include "event/arg_path.h"

namespace tracebraid::json {
namespace {

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
  const Node node = add(id, id, {}, {});
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
    const StringId full = sink_.string(scratch_);
    StringId path;
    if (nodes_[parent].path || !is_plain_name(strings.get(name))) {
      scratch_ = path_of(parent);
      append_member(scratch_, strings.get(name));
      path = sink_.string(scratch_);
    }
    at->second = add(flat, full, path, strings.get(name));
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

ArgNames::Node ArgNames::element(Node parent, Node before, size_t index, size_t place) {
  if (index != place) return shifted_element(parent, index, place);
  const Node known = before == kNoNode ? nodes_[parent].first_element : nodes_[before].next_element;
  if (known != kNoNode) return known;
  if (is_full()) return kNoNode;
  scratch_.assign(sink_.batch().strings.get(nodes_[parent].full));
  append_element(scratch_, index);
  const StringId full = sink_.string(scratch_);
  StringId path;
  if (nodes_[parent].path) {
    scratch_ = path_of(parent);
    append_element(scratch_, index);
    path = sink_.string(scratch_);
  }
  const Node node = add(nodes_[parent].flat, full, path, {});
  (before == kNoNode ? nodes_[parent].first_element : nodes_[before].next_element) = node;
  return node;
}

ArgNames::Node ArgNames::shifted_element(Node parent, size_t index, size_t place) {
  const auto known = shifted_.find({parent, index, place});
  if (known != shifted_.end()) return known->second;
  if (is_full()) return kNoNode;
  scratch_.assign(sink_.batch().strings.get(nodes_[parent].full));
  append_element(scratch_, index);
  const StringId full = sink_.string(scratch_);
  scratch_ = path_of(parent);
  append_element(scratch_, place);
  const Node node = add(nodes_[parent].flat, full, sink_.string(scratch_), {});
  shifted_.emplace(std::tuple(parent, index, place), node);
  return node;
}

std::string_view ArgNames::path_of(Node node) const {
  const Entry& entry = nodes_[node];
  return sink_.batch().strings.get(entry.path ? entry.path : entry.full);
}

uint32_t ArgNames::key(Node node) {
  Entry& entry = nodes_[node];
  if (entry.arg_key == kNone) entry.arg_key = sink_.arg_key({entry.flat, entry.full, entry.path});
  return entry.arg_key;
}

ArgNames::Node ArgNames::add(StringId flat, StringId full, StringId path, std::string_view text) {
  Entry entry;
  entry.flat = flat;
  entry.full = full;
  entry.path = path;
  entry.text = text;
  entry.is_plain = text.find_first_of("\"\\") == std::string_view::npos;
  bytes_ += sink_.batch().strings.get(path ? path : full).size();
  nodes_.push_back(entry);
  return static_cast<Node>(nodes_.size() - 1);
}

}  // namespace tracebraid::json
