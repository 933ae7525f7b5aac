// __intrinsic_stdlib_objects: the standard library as a table (spec sql-dialect 7.1).
#pragma once

#include "query/functions/table_function.h"

namespace tracebraid {

TableFunction stdlib_objects();

}  // namespace tracebraid
