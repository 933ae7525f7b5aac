// The references between raw tables. Braids verify that references are valid; exports and
// docs/sql-tables.md name the tables.
#pragma once

#include <string_view>

namespace tracebraid {

// Returns the raw table that a column of a raw table refers to, such as "__intrinsic_thread" for
// utid; empty if the column is no reference. `ucpu` is a row of __intrinsic_cpu, which has 4096
// rows per machine.
std::string_view referenced_table(std::string_view table, std::string_view column);

}  // namespace tracebraid
