// Example statements for the shell's .examples. They run on any trace.
#pragma once

#include <span>
#include <string_view>

namespace tracebraid {

struct SqlExample {
  std::string_view about, sql;  // `sql` ends with ';'
};

std::span<const SqlExample> sql_examples();

}  // namespace tracebraid
