// Events that describe themselves: the recorder did not know their format when it was built
// (spec proto 5.2, 5.5).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "event/sink.h"
#include "format/proto/wire/wire.h"

namespace tracebraid::proto {

inline constexpr uint32_t kFirstGenericEvent = 65536;  // numbers of their fields

struct GenericField {
  uint32_t number = 0;
  uint32_t type = 0;  // as in FieldDescriptorProto
  uint32_t key = kNone;
  bool is_track_event = false;  // says what is shown, and where
};

struct GenericEvent {
  StringId name;
  std::vector<GenericField> fields;
  bool is_track_event = false;
};

// What the events of one machine look like, by field number.
using GenericEvents = absl::flat_hash_map<uint32_t, GenericEvent>;

// A GenericEventDescriptor. Returns false if it is malformed.
bool add_generic_descriptor(std::string_view message, GenericEvents& events, EventSink& sink);

struct GenericArgs {
  bool has_unknown_fields = false;
  bool lacks_fields = false;  // that say what is shown
};
// Adds the fields of the event to the arg set that is open.
GenericArgs add_generic_args(const GenericEvent& event, std::string_view message, EventSink& sink);

// The fields of an event of the older kind, GenericFtraceEvent. Its name; empty if it has none.
std::string_view add_legacy_args(std::string_view message, EventSink& sink);

}  // namespace tracebraid::proto
