#include "format/json/wire/dom.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <utility>

namespace tracebraid::json {
namespace {

// Objects with more members than this get an index to find duplicates.
constexpr size_t kManyMembers = 16;

using Index = absl::flat_hash_map<std::string, size_t>;

// Returns the place for the member with this key; replaces an equal one before it.
Dom& place_member(Dom& dom, Index& index, std::string key, Repairs& repairs) {
  auto& members = dom.members;
  size_t at = members.size();
  if (members.size() < kManyMembers) {
    at = static_cast<size_t>(std::ranges::find(members, key, &DomMember::key) - members.begin());
  } else {
    if (index.empty())
      for (size_t i = 0; i < members.size(); ++i) index.emplace(members[i].key, i);
    at = index.try_emplace(key, members.size()).first->second;
  }
  if (at == members.size()) {
    members.push_back({std::move(key), Dom{}});
  } else {
    ++repairs.duplicate_keys;
    members[at].value = Dom{};
  }
  return members[at].value;
}

Parse read_members(Cursor& cursor, Depth depth, Repairs& repairs, Dom& dom);
Parse read_items(Cursor& cursor, Depth depth, Repairs& repairs, Dom& dom);

bool is_too_deep(const Cursor& cursor, Depth depth) {
  return (*cursor.at == '{' || *cursor.at == '[') && depth.depth >= depth.limit;
}

Parse skip_too_deep(Cursor& cursor, Depth depth, Repairs& repairs) {
  ++repairs.too_deep;
  Value skipped;
  uint32_t deepest = depth.depth;
  return read_raw(cursor, depth.depth, deepest, skipped);
}

Parse read_members(Cursor& cursor, Depth depth, Repairs& repairs, Dom& dom) {
  Index index;
  std::string scratch;
  bool closed = read_opening(cursor, '}', repairs.extra_commas);
  while (!closed) {
    if (cursor.is_at_end()) return Parse::Cut;
    StringToken key;
    if (const Parse parse = read_key(cursor, key); parse != Parse::Ok) return parse;
    if (is_too_deep(cursor, depth)) {
      if (const Parse parse = skip_too_deep(cursor, depth, repairs); parse != Parse::Ok)
        return parse;
    } else {
      Dom& member = place_member(dom, index, std::string(text_of(key, scratch)), repairs);
      if (const Parse parse = read_dom(cursor, depth, repairs, member); parse != Parse::Ok)
        return parse;
    }
    if (const Parse parse = read_separator(cursor, '}', repairs.extra_commas, closed);
        parse != Parse::Ok)
      return parse;
  }
  return Parse::Ok;
}

Parse read_items(Cursor& cursor, Depth depth, Repairs& repairs, Dom& dom) {
  bool closed = read_opening(cursor, ']', repairs.extra_commas);
  while (!closed) {
    if (cursor.is_at_end()) return Parse::Cut;
    Parse parse = Parse::Ok;
    if (is_too_deep(cursor, depth))
      parse = skip_too_deep(cursor, depth, repairs);
    else
      parse = read_dom(cursor, depth, repairs, dom.items.emplace_back());
    if (parse != Parse::Ok) return parse;
    parse = read_separator(cursor, ']', repairs.extra_commas, closed);
    if (parse != Parse::Ok) return parse;
  }
  return Parse::Ok;
}

}  // namespace

const Dom* Dom::find(std::string_view key) const {
  for (const DomMember& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

Parse read_dom(Cursor& cursor, Depth depth, Repairs& repairs, Dom& dom) {
  const char* const begin = cursor.at;
  const char first = *begin;
  if (first != '{' && first != '[') {
    const Parse parse = read_scalar(cursor, dom.value);
    if (parse != Parse::Ok) return parse;
    if (dom.is(Kind::String)) decode(dom.value.raw, dom.text);
    if (dom.is(Kind::Number) && !dom.value.number.is_finite()) ++repairs.nonfinite_numbers;
    return parse;
  }
  ++cursor.at;
  ++depth.depth;
  dom.value.kind = first == '{' ? Kind::Object : Kind::Array;
  const Parse parse = first == '{' ? read_members(cursor, depth, repairs, dom)
                                   : read_items(cursor, depth, repairs, dom);
  dom.value.raw = {begin, static_cast<size_t>(cursor.at - begin)};
  return parse;
}

Parse parse_dom(std::string_view text, Depth depth, Repairs& repairs, Dom& dom) {
  Cursor cursor{text.data(), text.data() + text.size()};
  cursor.skip_space();
  if (cursor.is_at_end()) return Parse::Cut;
  if (depth.depth >= depth.limit && (*cursor.at == '{' || *cursor.at == '[')) {
    ++repairs.too_deep;
    return Parse::Ok;
  }
  const Parse parse = read_dom(cursor, depth, repairs, dom);
  cursor.skip_space();
  return parse == Parse::Ok && !cursor.is_at_end() ? Parse::Bad : parse;
}

}  // namespace tracebraid::json
