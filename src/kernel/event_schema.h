// Names and fields of kernel events of protobuf recordings, by number. The main header of the
// folder: kernel events, their names and fields, and the meaning of their texts and numbers.
//
// Input: the number of an event or a number in a field; the text of an event. Output: names and
// fields; events through an EventSink. Called by the readers of all formats with kernel events, and
// by the handlers in assemble/kernel, which make rows and therefore lie above the tables.
//
//   values, task_state, syscalls  names of numbers in fields
//   ftrace_marks                  marks that userspace writes into ftrace
//   text/                         events as text: fields and details are of any text, context,
//                                 emit and topics of lines that the kernel prints
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tracebraid {

enum class FtraceFieldType : uint8_t { Int32, Int64, Uint32, Uint64, String, Bytes, Other };

struct FtraceField {
  uint32_t number;
  std::string_view name;
  FtraceFieldType type;
};

struct FtraceEventSchema {
  std::string_view name;
  std::span<const FtraceField> fields;
  size_t first_field = 0;  // index among the fields of all events
};
inline constexpr size_t kMaxFtraceEvents = 1024;  // field numbers are smaller

size_t ftrace_field_count();  // of all events

// Returns the schema of an event; an unknown event has no name.
FtraceEventSchema ftrace_event_schema(uint32_t number);

}  // namespace tracebraid
