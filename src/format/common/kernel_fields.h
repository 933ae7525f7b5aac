// What texts of kernel events say otherwise than by "key=value": as the fields that recordings in
// protobuf have of the same event (spec json 10.4).
#pragma once

#include <absl/functional/function_ref.h>

#include <span>
#include <string_view>
#include <vector>

#include "event/sink.h"

namespace tracebraid {

// A field of an event as protobuf traces have it.
struct KernelField {
  std::string_view name, text;  // a decimal number, 0x..., or a text; empty: left out
  bool is_text = false;         // even if it looks like a number
};

// Nothing if the event is none of these, or its text does not have the form that they have.
std::vector<KernelField> kernel_fields(std::string_view name, std::string_view details);

// An arg set of the fields, or kNone.
uint32_t field_args(std::span<const KernelField> fields, EventSink& sink);

// Calls `state` with the kinds of event, and their arg sets, that a text amounts to: a row where
// `keep_raw`, and what the event means. Most texts are for people, so it means something only where
// they have the form of fields.
void state_text(std::string_view name, std::string_view details, bool keep_raw, EventSink& sink,
                absl::FunctionRef<void(EventKind, uint32_t args)> state);

}  // namespace tracebraid
