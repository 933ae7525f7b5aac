// Whole small files and standard output.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

// "-" is standard input. Errors name the file and the reason.
Result<std::string> read_text_file(const std::string& path);

// Writes all of it, replacing what is there.
Result<> write_text_file(const std::string& path, std::string_view text);

// All of `text` to standard output.
Result<> print(std::string_view text);

}  // namespace tracebraid
