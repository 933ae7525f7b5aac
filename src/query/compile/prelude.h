// The public views over the raw tables: prelude.sql, built into the program.
#pragma once

#include <string_view>

namespace tracebraid {

std::string_view prelude_sql();

}  // namespace tracebraid
