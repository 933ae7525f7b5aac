#include "format/json/trace_event/ids.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "event/json_ids.h"

namespace tracebraid::json {

std::optional<CanonicalId> canonical_id(const Value& value) {
  CanonicalId id;
  if (value.has(Kind::String)) {
    std::string scratch;
    id.spelling = text_of(value, scratch);
    const std::optional<uint64_t> number = id_number(id.spelling);
    id.is_number = number.has_value();
    id.number = number.value_or(0);
    if (!id.is_number) id.text = id.spelling;
    return id;
  }
  if (!value.has(Kind::Number)) return std::nullopt;
  const std::optional<uint64_t> magnitude = integral_magnitude(value.number);
  if (!magnitude) {
    id.text = id.spelling = value.raw;
    return id;
  }
  id.is_number = true;
  id.number = *magnitude;
  id.negative = value.number.negative && *magnitude != 0;
  id.spelling = (id.negative ? "-" : "") + std::to_string(id.number);
  return id;
}

std::optional<EventId> id_of(const Members& members, bool local_by_default) {
  const Value& id2 = members[Field::Id2];
  if (id2.is_given()) {
    Dom dom;
    Repairs ignored;
    if (parse_dom(id2.raw, {}, ignored, dom) != Parse::Ok) return std::nullopt;
    for (const bool local : {true, false}) {
      const Dom* const part = dom.find(local ? "local" : "global");
      if (part == nullptr) continue;
      // The value is inside an object, so its raw text is JSON.
      if (std::optional<CanonicalId> id = canonical_id(part->value))
        return EventId{*std::move(id), local};
    }
    return std::nullopt;
  }
  std::optional<CanonicalId> id = canonical_id(members[Field::Id]);
  if (!id) return std::nullopt;
  return EventId{*std::move(id), local_by_default};
}

IdHash& IdHash::add(std::string_view text) {
  const uint64_t size = text.size();
  bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes_.append(text);
  return *this;
}

IdHash& IdHash::add(const CanonicalId& id) {
  bytes_.push_back(id.is_number ? (id.negative ? '-' : '+') : 't');
  bytes_.append(reinterpret_cast<const char*>(&id.number), sizeof id.number);
  return add(id.text);
}

IdHash& IdHash::add_process(std::optional<int64_t> pid) {
  bytes_.push_back(pid ? 'p' : 'g');
  const int64_t number = pid.value_or(0);
  bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  return *this;
}

uint64_t IdHash::value() const { return XXH3_64bits(bytes_.data(), bytes_.size()); }

uint64_t as_number(const CanonicalId& id) {
  if (!id.is_number) return hash_of_id(id.text);
  return id.negative ? 0 - id.number : id.number;
}

}  // namespace tracebraid::json
