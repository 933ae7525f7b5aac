// Whether a batch is consistent, and its events as text. For tests, fuzzers and debugging.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "event/batch.h"
#include "event/event_traits.h"

namespace tracebraid {

// Returns the number of names or records of the batch that a field indexes; nullopt if the field is
// no index.
std::optional<size_t> size_of(const EventBatch& batch, TrackField field);
std::optional<size_t> size_of(const EventBatch& batch, ExtraField field);

// Returns one line with kind, clock, time and the fields of the kind. Accepts invalid events.
std::string text_of(const EventBatch& batch, const Event& event);

// Returns the first flaw, such as an index out of range or an arg set without an end; empty if
// there is none.
std::string flaw_of(const EventBatch& batch);

}  // namespace tracebraid
