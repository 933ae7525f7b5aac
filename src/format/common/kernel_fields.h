// Kernel events whose text is not of the form "key=value": parses them to the fields that protobuf
// recordings have of the same event (spec json 10.4).
#pragma once

#include <absl/functional/function_ref.h>

#include <span>
#include <string_view>
#include <vector>

#include "event/sink.h"

namespace tracebraid {

// A field of an event, named as in protobuf traces.
struct KernelField {
  std::string_view name, text;  // a decimal number, 0x..., or a text; empty: left out
  bool is_text = false;         // even if it looks like a number
};

// Returns nothing for other events, and for text of another form.
std::vector<KernelField> kernel_fields(std::string_view name, std::string_view details);

// Returns an arg set of the fields, or kNone.
uint32_t field_args(std::span<const KernelField> fields, EventSink& sink);

// Calls `state` with each kind of event, and its arg set, for a text: a row if `keep_raw`, and the
// meaning of the event. Most texts are for people and have a meaning only if they have the form of
// fields.
void state_text(std::string_view name, std::string_view details, bool keep_raw, EventSink& sink,
                absl::FunctionRef<void(EventKind, uint32_t args)> state);

}  // namespace tracebraid
