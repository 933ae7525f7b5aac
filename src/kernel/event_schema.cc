#include "kernel/event_schema.h"

#include <array>

namespace tracebraid {
namespace {

// The fields of all events, one event after the other. An entry with the number of the event
// precedes its fields.
using enum FtraceFieldType;
constexpr FtraceField kFields[] = {
#define TB_EVENT(number, name) {number, name, Other},
#define TB_FIELD(number, name, type) {number, name, type},
#include "kernel/generated/ftrace_events.inc"
#undef TB_EVENT
#undef TB_FIELD
};

struct Place {
  uint16_t first = 0, count = 0;  // `first` 0: the event does not exist
};

constexpr std::array<Place, kMaxFtraceEvents> places() {
  std::array<Place, kMaxFtraceEvents> all{};
  uint16_t at = 0;
  uint32_t event = 0;
#define TB_EVENT(number, name) \
  event = number;              \
  all[event].first = ++at;
#define TB_FIELD(number, name, type) \
  ++at;                              \
  ++all[event].count;
#include "kernel/generated/ftrace_events.inc"
#undef TB_EVENT
#undef TB_FIELD
  return all;
}
constexpr std::array<Place, kMaxFtraceEvents> kPlaces = places();

}  // namespace

size_t ftrace_field_count() { return std::size(kFields); }

FtraceEventSchema ftrace_event_schema(uint32_t number) {
  if (number >= kMaxFtraceEvents || kPlaces[number].first == 0) return {};
  const Place place = kPlaces[number];
  return {.name = kFields[place.first - 1].name,
          .fields = {kFields + place.first, place.count},
          .first_field = place.first};
}

}  // namespace tracebraid
