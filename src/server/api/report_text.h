// Documents of the command line as answers of the API.
#pragma once

#include <string>
#include <string_view>

namespace tracebraid::api {

// Returns an indented document with the numbers of members *_ns and *_ts as decimal texts, because
// readers of JSON keep only 53 bits of a number.
std::string with_texts_for_times(std::string_view json);

}  // namespace tracebraid::api
