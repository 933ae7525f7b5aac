// Names of ftrace events and of their fields.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tracebraid::proto {

enum class FtraceFieldType : uint8_t { Int32, Int64, Uint32, Uint64, String, Bytes, Other };

struct FtraceField {
  uint32_t number;
  std::string_view name;
  FtraceFieldType type;
};

struct FtraceEventSchema {
  std::string_view name;
  std::span<const FtraceField> fields;
  size_t first_field = 0;  // its number among the fields of all events
};
inline constexpr size_t kMaxFtraceEvents = 1024;  // field numbers are smaller

size_t ftrace_field_count();  // of all events

// No name for an event we do not know.
FtraceEventSchema ftrace_event_schema(uint32_t number);

}  // namespace tracebraid::proto
