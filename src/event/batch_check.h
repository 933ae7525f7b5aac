// Whether a batch is consistent, and its events as text. For tests, fuzzers and debugging.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "event/batch.h"
#include "event/event_traits.h"

namespace tracebraid {

// How many names or records of the batch a field may index; nullopt if it is no index.
std::optional<size_t> size_of(const EventBatch& batch, TrackField field);
std::optional<size_t> size_of(const EventBatch& batch, ExtraField field);

// One line: kind, clock, time and the fields that the kind has. Any event, valid or not.
std::string text_of(const EventBatch& batch, const Event& event);

// The first flaw: an index out of range, an arg set without an end. Empty if there is none.
std::string flaw_of(const EventBatch& batch);

}  // namespace tracebraid
