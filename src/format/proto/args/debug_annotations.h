// Debug annotations: args defined by the writer of an event (spec proto 2.8, item 7).
#pragma once

#include <string_view>

#include "event/sink.h"
#include "format/proto/args/args.h"
#include "format/proto/args/typed_args.h"
#include "format/proto/track_event/interned.h"

namespace tracebraid::proto {

// Adds one annotation to the open arg set. Returns the number of its parts that could not be read.
uint32_t read_debug_annotation(std::string_view message, uint32_t machine, InternedData* interned,
                               DescriptorPool& pool, ArraySizes& arrays, EventSink& sink);

// Whether a field of a message is an annotation.
bool is_annotation(const FieldDescriptor& field, const Message& value);

// The same for an annotation inside of a message, whose args are at `path` (spec proto-2 6).
// `depth` counts the messages around the annotation.
uint32_t read_annotation_below(std::string_view message, ArgPath& path, int depth, uint32_t machine,
                               InternedData* interned, DescriptorPool& pool, ArraySizes& arrays,
                               EventSink& sink);

}  // namespace tracebraid::proto
