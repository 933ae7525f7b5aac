// Texts of events that are not "key=value", as the fields that protobuf recordings have of the same
// event (spec json 10.4).
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

// Returns the fields of such a text; nothing for other events, or if the text is malformed.
std::vector<KernelField> kernel_fields(std::string_view name, std::string_view details);

// Adds an arg set of the fields; kNone if all are empty.
uint32_t field_args(std::span<const KernelField> fields, EventSink& sink);

// Calls `emit` with each kind of event that a text stands for, and its arg set: a row if
// `keep_raw`, and the meaning. Most texts are for people; only texts in the form of fields have a
// meaning.
void emit_text_event(std::string_view name, std::string_view details, bool keep_raw,
                     EventSink& sink, absl::FunctionRef<void(EventKind, uint32_t args)> emit);

}  // namespace tracebraid
