#include "format/json/members.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tracebraid::json {
namespace {

Parse read_args(Cursor& cursor, Depth depth, EventSink& sink, ArgReader& reader, Members& members) {
  const char* const begin = cursor.at;
  ArgSets& sets = sink.batch().args;
  if (members.args != kNone) sets.rows.resize(members.args);  // `args` twice
  members.args = kNone;
  const size_t rows = sets.rows.size();
  const ArgNames::Node root = reader.root("args");
  bool as_tree = *begin == '[';
  Parse parse = Parse::Ok;
  sink.open_args();
  if (!as_tree) parse = reader.read(cursor, depth.depth, root, members.repairs, as_tree);
  if (parse == Parse::Ok && as_tree) {
    sets.rows.resize(rows);
    Dom dom;
    cursor.at = begin;
    parse = read_dom(cursor, depth, members.repairs, dom);
    // An array counts as an object with the members 0, 1, ...
    for (size_t i = 0; i < dom.items.size(); ++i)
      dom.members.push_back({std::to_string(i), std::move(dom.items[i])});
    dom.value.kind = Kind::Object;
    if (parse == Parse::Ok) reader.add(dom, root);
  }
  if (parse != Parse::Ok) {
    sets.rows.resize(rows);
    return parse;
  }
  members.args = sink.close_args();
  return parse;
}

Parse read_member(Cursor& cursor, Field field, Depth depth, EventSink& sink, ArgReader& args,
                  Members& members) {
  const char first = *cursor.at;
  const bool container = first == '{' || first == '[';
  if (container && depth.depth >= depth.limit) field = Field::Unknown;
  Value unused;
  Value& value = field == Field::Unknown ? unused : members.values[static_cast<size_t>(field)];
  if (field != Field::Unknown) {
    const uint32_t bit = 1U << static_cast<unsigned>(field);
    if ((members.present & bit) != 0) ++members.repairs.duplicate_keys;
    members.present |= bit;
  }
  if (field == Field::Args && container) {
    const char* const begin = cursor.at;
    const Parse parse = read_args(cursor, depth, sink, args, members);
    value.kind = first == '{' ? Kind::Object : Kind::Array;
    value.raw = {begin, static_cast<size_t>(cursor.at - begin)};
    return parse;
  }
  if (!container) {
    const Parse parse = read_scalar(cursor, value);
    if (value.has(Kind::Number) && !value.number.is_finite()) ++members.repairs.nonfinite_numbers;
    return parse;
  }
  uint32_t deepest = depth.depth;
  const Parse parse = read_raw(cursor, depth.depth, deepest, value);
  // Deep in a member that nobody reads: the same count, without the detail.
  if (deepest > depth.limit) ++members.repairs.too_deep;
  return parse;
}

}  // namespace

Field field_of(std::string_view key) {
  const auto when = [key](std::string_view name, Field field) {
    return key == name ? field : Field::Unknown;
  };
  const auto either = [key](std::string_view name, Field field, std::string_view other,
                            Field second) {
    return key == name ? field : key == other ? second : Field::Unknown;
  };
  if (key.empty()) return Field::Unknown;
  switch (key.size()) {
    case 1:
      return when("s", Field::InstantScope);
    case 2:
      switch (key[0]) {
        case 'p':
          return when("ph", Field::Phase);
        case 't':
          return when("ts", Field::Ts);
        case 'i':
          return when("id", Field::Id);
        case 's':
          return when("sf", Field::StartFrame);
        default:
          return when("bp", Field::BindPoint);
      }
    case 3:
      switch (key[0]) {
        case 'p':
          return when("pid", Field::Pid);
        case 't':
          return either("tid", Field::Tid, "tts", Field::Tts);
        case 'c':
          return when("cat", Field::Category);
        case 'd':
          return when("dur", Field::Dur);
        case 'i':
          return when("id2", Field::Id2);
        default:
          return when("esf", Field::EndFrame);
      }
    case 4:
      switch (key[0]) {
        case 'n':
          return when("name", Field::Name);
        case 'a':
          return when("args", Field::Args);
        default:
          return when("tdur", Field::Tdur);
      }
    case 5:
      if (key[0] == 'c') return when("cname", Field::Colour);
      return either("scope", Field::Scope, "stack", Field::StartStack);
    case 6:
      return when("estack", Field::EndStack);
    case 7:
      if (key[0] == 't')
        return either("ticount", Field::InstructionCount, "tidelta", Field::InstructionDelta);
      return either("bind_id", Field::BindId, "flow_in", Field::FlowIn);
    case 8:
      return when("flow_out", Field::FlowOut);
    default:
      return when("use_async_tts", Field::UseAsyncTts);
  }
}

Parse read_members(Cursor& cursor, Depth depth, EventSink& sink, ArgReader& args,
                   Members& members) {
  const char* const begin = cursor.at;
  members.present = 0;
  members.any = false;
  members.repairs = {};
  members.args = kNone;
  ++depth.depth;
  ++cursor.at;
  cursor.skip_space();
  bool closed = !cursor.is_at_end() && *cursor.at == '}';
  if (closed) ++cursor.at;
  while (!closed) {
    if (cursor.is_at_end()) return Parse::Cut;
    members.any = true;
    StringToken key;
    Parse parse = read_key(cursor, key);
    if (parse != Parse::Ok) return parse;
    Field field = Field::Unknown;
    if (key.escaped) {
      std::string decoded;
      decode(key.raw, decoded);
      field = field_of(decoded);
    } else {
      field = field_of(key.raw);
    }
    parse = read_member(cursor, field, depth, sink, args, members);
    if (parse != Parse::Ok) return parse;
    parse = read_separator(cursor, '}', members.repairs.extra_commas, closed);
    if (parse != Parse::Ok) return parse;
  }
  members.text = {begin, static_cast<size_t>(cursor.at - begin)};
  return Parse::Ok;
}

}  // namespace tracebraid::json
