// Reads and writes small files and standard output.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid {

// Reads a file; "-" is standard input. Errors name the file and the reason.
Result<std::string> read_text_file(const std::string& path);

// Writes a file, replacing its content.
Result<> write_text_file(const std::string& path, std::string_view text);

// Writes `text` to standard output.
Result<> print(std::string_view text);

}  // namespace tracebraid
