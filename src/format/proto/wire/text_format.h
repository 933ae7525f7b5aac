// Messages as text, in the text format of protobuf.
#pragma once

#include <string>
#include <string_view>

#include "format/proto/args/typed_args.h"

namespace tracebraid::proto {

// Returns a line for each field with a known descriptor; nested messages are indented by two
// spaces. Truncates text that is too long for the message, or too deep.
std::string text_of(DescriptorPool& pool, std::string_view type, std::string_view message);

}  // namespace tracebraid::proto
