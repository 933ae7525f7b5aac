// The memory of all tables of a store, for limits of memory.
#pragma once

#include <cstddef>

namespace tracebraid {

struct Store;

// Bytes held by columns, args and strings. Requires: nobody changes the store meanwhile.
size_t store_memory(const Store& store);

}  // namespace tracebraid
