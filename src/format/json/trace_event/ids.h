// Ids: what `id`, `id2`, `bind_id` and their scopes name (spec json 3.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format/json/trace_event/members.h"

namespace tracebraid::json {

// 72, "72" and "0x48" are the number 72; any other text is itself.
struct CanonicalId {
  bool is_number = false;
  bool negative = false;
  uint64_t number = 0;   // magnitude
  std::string text;      // if no number
  std::string spelling;  // as written; a number in decimal
};

// Nothing for a value that is no id: null, a boolean, a container.
std::optional<CanonicalId> canonical_id(const Value& value);

struct EventId {
  CanonicalId id;
  bool local = false;  // to the event's process
};

// The id that an event has, if any. `id2` wins over `id`; `local_by_default`
// holds for `id` (spec json 3.4).
std::optional<EventId> id_of(const Members& members, bool local_by_default);

// The kinds of things that ids name; equal ids of two kinds are two things.
enum class IdKind : uint8_t { Async = 1, LegacyAsync, Flow, FlowV2, UserTiming };

// A hash of all that makes up an id's key, the same in all chunks of a file.
class IdHash {
 public:
  explicit IdHash(IdKind kind) { bytes_.push_back(static_cast<char>(kind)); }
  IdHash& add(std::string_view text);
  IdHash& add(const CanonicalId& id);
  // The process of a local id; nothing for a global one.
  IdHash& add_process(std::optional<int64_t> pid);
  uint64_t value() const;

 private:
  std::string bytes_;
};

// One 64-bit number for an id: the number itself, or a hash of the text.
uint64_t as_number(const CanonicalId& id);

}  // namespace tracebraid::json
