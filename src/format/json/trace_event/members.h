// Members: the parsed fields of one event object, without their meaning.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "format/json/args/args.h"
#include "json/value.h"

namespace tracebraid::json {

// Members with a meaning (spec json 3.1).
enum class Field : uint8_t {
  Phase,
  Name,
  Category,
  Ts,
  Dur,
  Tts,
  Tdur,
  InstructionCount,
  InstructionDelta,
  Pid,
  Tid,
  Id,
  Id2,
  Scope,
  InstantScope,
  BindPoint,
  BindId,
  FlowIn,
  FlowOut,
  StartFrame,
  EndFrame,
  StartStack,
  EndStack,
  Colour,
  Args,
  UseAsyncTts,
  Unknown,  // any other member
};
inline constexpr size_t kFields = static_cast<size_t>(Field::Unknown);

Field field_of(std::string_view key);

struct Members {
  uint64_t at = 0;        // byte offset of the event in the file
  std::string_view text;  // the whole object
  uint32_t present = 0;   // one bit per Field
  bool any = false;       // false for `{}`
  char phase = '\0';      // first character of `ph`, decoded; set by write_event()
  std::array<Value, kFields> values;
  std::vector<std::string_view> unknown;  // keys of other members, as in the file; the first few
  Repairs repairs;
  // Rows of `args`, read ahead as args of a slice; kNone without any.
  uint32_t args = kNone;

  bool has(Field field) const { return (present >> static_cast<unsigned>(field) & 1) != 0; }
  // Returns Absent for a missing field.
  const Value& operator[](Field field) const {
    static constexpr Value kAbsent{};
    return has(field) ? values[static_cast<size_t>(field)] : kAbsent;
  }
};

// Reads an event object. Requires: `cursor` is on its brace. `depth` counts the containers around
// it.
Parse read_members(Cursor& cursor, Depth depth, EventSink& sink, ArgReader& args, Members& members);

}  // namespace tracebraid::json
