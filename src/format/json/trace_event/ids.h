// Ids: the values of `id`, `id2`, `bind_id` and their scopes (spec json 3.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format/json/trace_event/members.h"

namespace tracebraid::json {

// 72, "72" and "0x48" are the number 72; any other text is unchanged.
struct CanonicalId {
  bool is_number = false;
  bool negative = false;
  uint64_t number = 0;   // magnitude
  std::string text;      // if it is no number
  std::string spelling;  // text in the file; a number in decimal
};

// Returns nothing for a value that is no id: null, a boolean, a container.
std::optional<CanonicalId> canonical_id(const Value& value);

struct EventId {
  CanonicalId id;
  bool local = false;  // local to the event's process
};

// Returns the id of an event, if any. `id2` takes precedence over `id`; `local_by_default` applies
// to `id` (spec json 3.4).
std::optional<EventId> id_of(const Members& members, bool local_by_default);

// The kinds of objects with ids; equal ids of two kinds are distinct.
enum class IdKind : uint8_t { Async = 1, LegacyAsync, Flow, FlowV2, UserTiming };

// A hash of all parts of an id's key, equal in all chunks of a file.
class IdHash {
 public:
  explicit IdHash(IdKind kind) { bytes_.push_back(static_cast<char>(kind)); }
  IdHash& add(std::string_view text);
  IdHash& add(const CanonicalId& id);
  // Adds the process of a local id; nothing for a global one.
  IdHash& add_process(std::optional<int64_t> pid);
  uint64_t value() const;

 private:
  std::string bytes_;
};

// Returns a 64-bit number for an id: the number itself, or a hash of the text.
uint64_t as_number(const CanonicalId& id);

}  // namespace tracebraid::json
