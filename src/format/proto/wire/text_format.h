// Messages as texts for people, in the text format of protobuf.
#pragma once

#include <string>
#include <string_view>

#include "format/proto/args/typed_args.h"

namespace tracebraid::proto {

// A line for each field whose descriptor is known, those of a message within it two spaces further
// in. What is out of proportion to the message, or too deep, is cut.
std::string text_of(DescriptorPool& pool, std::string_view type, std::string_view message);

}  // namespace tracebraid::proto
