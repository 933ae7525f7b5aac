// Events that describe themselves, because the recorder did not know their format when it was built
// (spec proto 5.2, 5.5).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "event/sink.h"
#include "format/common/proto_wire.h"

namespace tracebraid::proto {

inline constexpr uint32_t kFirstGenericEvent = 65536;  // numbers of their fields

struct GenericField {
  uint32_t number = 0;
  uint32_t type = 0;  // as in FieldDescriptorProto
  uint32_t key = kNone;
  bool is_track_event = false;  // has the name, type and scope of a track
};

struct GenericEvent {
  StringId name;
  std::vector<GenericField> fields;
  bool is_track_event = false;
};

// The descriptors of the events of one machine, by field number.
using GenericEvents = absl::flat_hash_map<uint32_t, GenericEvent>;

// Adds a GenericEventDescriptor. Returns false if it is malformed.
bool add_generic_descriptor(std::string_view message, GenericEvents& events, EventSink& sink);

struct GenericArgs {
  bool has_unknown_fields = false;
  bool lacks_fields = false;  // lacks fields of a track event
};
// Adds the fields of the event to the open arg set.
GenericArgs add_generic_args(const GenericEvent& event, std::string_view message, EventSink& sink);

// Adds the fields of an event of the older kind, GenericFtraceEvent. Returns its name; empty if it
// has none.
std::string_view add_legacy_args(std::string_view message, EventSink& sink);

}  // namespace tracebraid::proto
