// Image: the tables of a store as bytes in a file, which are used where they are mapped.
//
// A list of parts, each the values of a column, its blocks, the bytes of all strings ...; which
// part is which follows from the lists of tables and columns, of which schema_key() is a digest.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/workers.h"
#include "store/store.h"

namespace tracebraid {

// Takes parts, in pieces. Where they are read again each begins at a multiple of kPartAlign.
class PartSink {
 public:
  virtual ~PartSink() = default;
  virtual Result<> append(std::string_view bytes) = 0;
  virtual void end_part() = 0;
};
inline constexpr size_t kPartAlign = 64;

// Differs when a table or column is another one, or is stored in another way.
uint64_t schema_key();

Result<> write_image(const Store& store, PartSink& parts);

// The parts outlive the store. An Error if they do not fit together; then the store is of no use.
// What refers to strings and to rows of the large tables stays within them. `workers` look at
// columns side by side.
Result<> view_image(std::span<const std::string_view> parts, Store& store, Workers& workers);

}  // namespace tracebraid
