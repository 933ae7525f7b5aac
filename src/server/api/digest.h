// SHA-256, for values that must not reveal what they are made of.
#pragma once

#include <string>
#include <string_view>

namespace tracebraid::api {

// Returns the digest as 64 hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace tracebraid::api
