// Names and args of Windows events, from the fact tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "event/sink.h"
#include "format/common/proto_wire.h"

namespace tracebraid::proto {

enum class EtwName : uint8_t { FileOpcode, InfoClass, DiskOpcode, ThreadState, WaitReason };

// Returns the name of a number; nothing if it has none.
std::optional<std::string_view> etw_name(EtwName kind, uint64_t value);

// Returns whether the field of EtwTraceEvent is an operation on a file. `event` is such a field in
// the functions below, and `fields` its message.
bool is_etw_file_operation(uint32_t event);

// Returns the name of a file operation: that of its opcode, or that of the event. None for an
// opcode without a name.
StringId etw_operation_name(uint32_t event, const Message& fields, EventSink& sink);
// Returns the request pointer of a file operation, if it has one.
std::optional<uint64_t> etw_request(uint32_t event, const Message& fields);
// Adds the args of an event to the open set, in the order of the table.
void add_etw_args(uint32_t event, const Message& fields, EventSink& sink);

}  // namespace tracebraid::proto
