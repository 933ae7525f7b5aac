// Image: the tables of a store as bytes of a file, used in place when mapped. Written and read by
// braid.
//
// A list of parts: values of a column, its blocks, the bytes of all strings ... The lists of tables
// and columns define the order of parts; schema_key() is a digest of these lists.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/part_sink.h"
#include "tables/store.h"

namespace tracebraid {

// Returns a digest that changes with the tables, the columns and their storage.
uint64_t schema_key();

Result<> write_image(const Store& store, PartSink& parts);

// The verification of a table, to run before its rows are read; until then only their number is
// known.
struct TableImage {
  std::string_view table;  // its name in SQL
  size_t begin, end;       // range of its parts, whose checksums to verify first
  // Checks that references to strings and rows stay within their tables. The checks are
  // independent.
  std::vector<std::function<bool()>> checks;
};

// Makes `store` view the parts. The parts must outlive the store, and the store the result. Returns
// an Error if the parts are inconsistent; then the store is unusable. Calls `is_whole` with the
// number of each part that is read here, such as the strings.
Result<std::vector<TableImage>> view_image(std::span<const std::string_view> parts, Store& store,
                                           const std::function<bool(size_t)>& is_whole);

}  // namespace tracebraid
