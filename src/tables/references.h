// Which columns of raw tables refer to rows of other tables. Braids check that these stay within
// their tables, exports and the manual name the table.
#pragma once

#include <string_view>

namespace tracebraid {

// The raw table whose rows a column of a raw table numbers, "__intrinsic_thread" for utid; empty
// if the column is no such reference. `ucpu` is a row of __intrinsic_cpu, which has 4096 rows for
// each machine.
std::string_view referenced_table(std::string_view table, std::string_view column);

}  // namespace tracebraid
