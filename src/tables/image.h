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
#include "tables/part_sink.h"
#include "tables/store.h"

namespace tracebraid {

// Differs when a table or column is another one, or is stored in another way.
uint64_t schema_key();

Result<> write_image(const Store& store, PartSink& parts);

// What is to be looked at before the rows of a table are: by then only their number is known.
struct TableImage {
  std::string_view table;  // its name in SQL
  size_t begin, end;       // of its parts, which must be what was written; then
  // whether what refers to strings and to rows of the large tables stays within them. One does
  // not wait for another.
  std::vector<std::function<bool()>> checks;
};

// The parts outlive the store, and it what is returned. An Error if they do not fit together; then
// the store is of no use. Parts that are read here, as that of the strings, are first given to
// `is_whole`, by their numbers.
Result<std::vector<TableImage>> view_image(std::span<const std::string_view> parts, Store& store,
                                           const std::function<bool(size_t)>& is_whole);

}  // namespace tracebraid
