#include "assemble/kernel/event.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace tracebraid {

FieldNames::FieldNames(const ArgSets& args, const StringPool& strings) {
  hashes_.reserve(args.keys.size());
  for (const ArgKey& key : args.keys) hashes_.push_back(fnv1a(strings.get(key.key)));
  for (const FieldKey field : {FieldKey("track_event_type"), FieldKey("counter_value")})
    has_track_events |= std::ranges::find(hashes_, field.hash) != hashes_.end();
}

const ArgRow* KernelEvent::find(FieldKey field) const {
  for (const ArgRow& row : rows)
    if (names.of(row) == field.hash) return &row;
  return nullptr;
}

int64_t KernelEvent::i64(FieldKey field) const {
  const ArgRow* row = find(field);
  if (row == nullptr) return 0;
  if (row->type != ArgType::String) return row->value;
  std::string_view digits = strings.get({static_cast<uint32_t>(row->value)});
  const bool is_hex = digits.starts_with("0x");
  if (is_hex) digits.remove_prefix(2);
  uint64_t bits = 0;
  if (is_hex) {
    std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    return static_cast<int64_t>(bits);
  }
  int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

bool KernelEvent::is_text(FieldKey field) const {
  const ArgRow* row = find(field);
  return row != nullptr && row->type == ArgType::String;
}

double KernelEvent::real(FieldKey field) const {
  const ArgRow* row = find(field);
  if (row == nullptr || row->type == ArgType::String) return 0;
  if (row->type == ArgType::Real) return std::bit_cast<double>(row->value);
  if (row->type == ArgType::Uint) return static_cast<double>(static_cast<uint64_t>(row->value));
  return static_cast<double>(row->value);
}

StringId KernelEvent::text_id(FieldKey field) const {
  const ArgRow* row = find(field);
  if (row == nullptr || row->type != ArgType::String) return {};
  return {static_cast<uint32_t>(row->value)};
}

std::string_view KernelEvent::text(FieldKey field) const {
  const StringId id = text_id(field);
  return id ? strings.get(id) : std::string_view();
}

}  // namespace tracebraid
