// Reads args of events by name, and slices with their ends. For kinds of content evidence.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fnv.h"
#include "base/hex.h"
#include "base/words.h"
#include "event/arg_group.h"
#include "event/batch.h"
#include "event/event_kind.h"
#include "merge/align/hash.h"

namespace tracebraid::align {

// Returns the key of an arg without its group, case and separators: requestid for args.requestId
// and debug.request_id.
inline std::string plain_key(std::string_view key) {
  std::string plain;
  for (const char c : without_arg_group(key))
    if (c != '_' && c != '-' && c != '.') plain.push_back(lower_case(c));
  return plain;
}

struct ArgName {
  std::string_view plain;  // as plain_key() returns it
  uint8_t field;
};

// The args of one event at a time.
template <size_t kFields>
class CallArgs {
 public:
  // Requires: `names` outlives this.
  explicit CallArgs(std::span<const ArgName> names) : names_(names) {}

  // Must be called before the events of each batch.
  void begin(const EventBatch& batch) {
    batch_ = &batch;
    fields_.clear();
    has_.fill(false);
    for (const ArgKey& key : batch.args.keys) {
      const std::string plain = plain_key(batch.strings.get(key.key));
      uint8_t field = kFields;
      for (const ArgName& name : names_)
        if (name.plain == plain) field = name.field;
      fields_.push_back(field);
      if (field < kFields) has_[field] = true;
    }
  }
  // Whether an event of the batch may have the field.
  bool has(uint8_t field) const { return has_[field]; }

  void read(const Event& event) {
    own_.fill(nullptr);
    if (event.args >= batch_->args.rows.size()) return;
    for (const ArgRow* at = &batch_->args.rows[event.args];; ++at) {
      if (fields_[at->key] < kFields) own_[fields_[at->key]] = at;
      if (at->last) return;
    }
  }

  bool found(uint8_t field) const { return own_[field] != nullptr; }
  // Returns a number, also of a text with decimal digits, or with hexadecimal ones after 0x.
  std::optional<int64_t> number(uint8_t field) const {
    const ArgRow* arg = own_[field];
    if (arg == nullptr) return std::nullopt;
    if (arg->type == ArgType::Int || arg->type == ArgType::Uint) return arg->value;
    const std::string_view digits = text(field);
    if (const auto hex = digits_after_0x(digits))
      if (const auto value = parse_hex(*hex)) return static_cast<int64_t>(*value);
    return parse_decimal(digits);
  }
  std::string_view text(uint8_t field) const {
    const ArgRow* arg = own_[field];
    if (arg == nullptr || arg->type != ArgType::String) return {};
    return batch_->strings.get({static_cast<uint32_t>(arg->value)});
  }
  // Returns a hash of the number or text, equal in all formats; 0 without.
  uint64_t hash(uint8_t field) const {
    if (const auto value = number(field)) return hash_of_number(static_cast<uint64_t>(*value));
    const std::string_view of = text(field);
    return of.empty() ? 0 : fnv1a(of);
  }

 private:
  std::span<const ArgName> names_;
  const EventBatch* batch_ = nullptr;
  std::vector<uint8_t> fields_;  // by key of the batch
  std::array<bool, kFields> has_{};
  std::array<const ArgRow*, kFields> own_{};
};

// Returns the reading of an event, ns.
inline std::optional<int64_t> reading_ns(const EventBatch& batch, const Event& event) {
  int64_t ns = 0;
  if (__builtin_mul_overflow(event.ts, batch.clocks[event.clock].tick_ns, &ns)) return std::nullopt;
  return ns;
}

// Calls use(event, begin, end), readings in ns, for each slice that ends. `event` has its args.
template <class Use>
void for_each_slice(const EventBatch& batch, const Stream& stream, Use use) {
  absl::flat_hash_map<uint32_t, std::vector<const Event*>> open;  // by track
  for (const Event& event : stream.events) {
    const auto at = reading_ns(batch, event);
    int64_t end = 0;
    switch (event.what()) {
      case EventKind::Slice:
        if (at && event.value >= 0 && !__builtin_add_overflow(*at, event.value, &end))
          use(event, *at, end);
        break;
      case EventKind::SliceBegin:
        open[event.track].push_back(&event);
        break;
      case EventKind::SliceEnd: {
        std::vector<const Event*>& of_track = open[event.track];
        for (size_t i = of_track.size(); i-- > 0;) {
          const Event& begin = *of_track[i];
          if (event.name && event.name != begin.name) continue;
          const auto from = reading_ns(batch, begin);
          if (from && at && begin.clock == event.clock && *from <= *at) use(begin, *from, *at);
          of_track.erase(of_track.begin() + static_cast<ptrdiff_t>(i));
          break;
        }
        break;
      }
      default:
        break;
    }
  }
}

}  // namespace tracebraid::align
