#include "format/json/trace_event/members.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
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
  const ArgNames::Node root = reader.args_root();
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
  // Deep inside a member that is not read, nested containers count once.
  if (deepest > depth.limit) ++members.repairs.too_deep;
  return parse;
}

// Encodes keys of up to 7 characters as numbers: their bytes, the first lowest.
constexpr uint64_t word_of(std::string_view key) {
  uint64_t word = 0;
  for (size_t i = key.size(); i-- > 0;) word = word << 8 | static_cast<unsigned char>(key[i]);
  return word;
}

struct KnownKey {
  std::string_view key;
  Field field;
};
constexpr KnownKey kShortKeys[] = {
    {"ph", Field::Phase},         {"name", Field::Name},
    {"cat", Field::Category},     {"ts", Field::Ts},
    {"dur", Field::Dur},          {"tts", Field::Tts},
    {"tdur", Field::Tdur},        {"ticount", Field::InstructionCount},
    {"pid", Field::Pid},          {"tidelta", Field::InstructionDelta},
    {"tid", Field::Tid},          {"id", Field::Id},
    {"id2", Field::Id2},          {"scope", Field::Scope},
    {"s", Field::InstantScope},   {"bp", Field::BindPoint},
    {"bind_id", Field::BindId},   {"flow_in", Field::FlowIn},
    {"sf", Field::StartFrame},    {"esf", Field::EndFrame},
    {"stack", Field::StartStack}, {"estack", Field::EndStack},
    {"cname", Field::Colour},     {"args", Field::Args}};

// A perfect hash table of the short keys.
struct ShortKey {
  uint64_t word = 0;
  Field field = Field::Unknown;
};
constexpr unsigned kTableBits = 7;
struct ShortKeyTable {
  uint64_t multiplier = 0;
  std::array<ShortKey, size_t{1} << kTableBits> slots{};

  constexpr size_t slot_of(uint64_t word) const { return word * multiplier >> (64 - kTableBits); }
  constexpr bool fill() {
    slots = {};
    for (const auto& [key, field] : kShortKeys) {
      ShortKey& slot = slots[slot_of(word_of(key))];
      if (slot.word != 0) return false;
      slot = {word_of(key), field};
    }
    return true;
  }
};
constexpr ShortKeyTable kTable = [] {
  ShortKeyTable table;
  table.multiplier = 0x9E3779B97F4A7C15;
  while (!table.fill()) table.multiplier += 0x2545F4914F6CDD1E;
  return table;
}();

Field field_of_word(uint64_t word, size_t size) {
  const ShortKey& slot = kTable.slots[kTable.slot_of(word)];
  const bool ends_in_nul = size == 0 || word >> 8 * (size - 1) == 0;
  return slot.word == word && !ends_in_nul ? slot.field : Field::Unknown;
}

// Returns the field of the key at the cursor and moves to its value, if the key is short and known,
// with few blanks after it. Otherwise returns Unknown and leaves the cursor.
Field read_short_key(Cursor& cursor) {
  static_assert(std::endian::native == std::endian::little);
  if (cursor.end - cursor.at < 16 || *cursor.at != '"') return Field::Unknown;
  constexpr uint64_t kOnes = 0x0101010101010101;
  uint64_t word = 0;
  std::memcpy(&word, cursor.at + 1, sizeof word);
  const uint64_t difference = word ^ kOnes * '"';
  const uint64_t quotes = (difference - kOnes) & ~difference & kOnes * 0x80;
  if (quotes == 0) return Field::Unknown;
  const auto size = static_cast<unsigned>(std::countr_zero(quotes)) / 8;
  word &= (uint64_t{1} << 8 * size) - 1;
  const Field field = field_of_word(word, size);
  if (field == Field::Unknown) return field;
  const char* const value = to_value(cursor.at + size + 2, cursor.end);
  if (value == nullptr) return Field::Unknown;
  cursor.at = value;
  return field;
}

// Keys without a meaning are repeated as well, but few events have any.
void note_unknown(std::string_view key, Members& members) {
  constexpr size_t kMostKept = 32;
  if (std::ranges::find(members.unknown, key) != members.unknown.end())
    ++members.repairs.duplicate_keys;
  else if (members.unknown.size() < kMostKept)
    members.unknown.push_back(key);
}

Parse read_field(Cursor& cursor, Field& field, Members& members) {
  field = read_short_key(cursor);
  if (field != Field::Unknown) return Parse::Ok;
  StringToken key;
  const Parse parse = read_key(cursor, key);
  if (parse != Parse::Ok) return parse;
  if (key.escaped) {
    std::string decoded;
    decode(key.raw, decoded);
    field = field_of(decoded);
  } else {
    field = field_of(key.raw);
  }
  if (field == Field::Unknown) note_unknown(key.raw, members);
  return parse;
}

}  // namespace

Field field_of(std::string_view key) {
  if (key.size() < sizeof(uint64_t)) return field_of_word(word_of(key), key.size());
  if (key == "flow_out") return Field::FlowOut;
  return key == "use_async_tts" ? Field::UseAsyncTts : Field::Unknown;
}

Parse read_members(Cursor& cursor, Depth depth, EventSink& sink, ArgReader& args,
                   Members& members) {
  const char* const begin = cursor.at;
  members.present = 0;
  members.any = false;
  members.unknown.clear();
  members.repairs = {};
  members.args = kNone;
  ++depth.depth;
  ++cursor.at;
  bool closed = read_opening(cursor, '}', members.repairs.extra_commas);
  while (!closed) {
    if (cursor.is_at_end()) return Parse::Cut;
    members.any = true;
    Field field = Field::Unknown;
    Parse parse = read_field(cursor, field, members);
    if (parse != Parse::Ok) return parse;
    parse = read_member(cursor, field, depth, sink, args, members);
    if (parse != Parse::Ok) return parse;
    parse = read_separator(cursor, '}', members.repairs.extra_commas, closed);
    if (parse != Parse::Ok) return parse;
  }
  members.text = {begin, static_cast<size_t>(cursor.at - begin)};
  return Parse::Ok;
}

}  // namespace tracebraid::json
