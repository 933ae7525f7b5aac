// The memory of an EventBatch, for limits of memory.
#pragma once

#include <cstddef>

namespace tracebraid {

struct EventBatch;

// Returns the bytes held by its lists of events, args, strings, stacks and the records beside
// events. Short lists, such as clocks and statistics, are not counted.
size_t batch_memory(const EventBatch& batch);

}  // namespace tracebraid
