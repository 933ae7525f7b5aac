// The files src/tables/views/*.sql, built into the program.
#pragma once

#include <span>
#include <string_view>

namespace tracebraid {

std::span<const std::string_view> view_modules();

}  // namespace tracebraid
