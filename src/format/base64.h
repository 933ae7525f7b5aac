// Bytes that were written as text, for readers whose files hold other files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// Line ends and blanks are skipped, padding may lack. Nothing if it is not base64.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace tracebraid
