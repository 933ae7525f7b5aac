// The relations of a statement, under the names by which it refers to their columns.
#pragma once

#include <string_view>
#include <vector>

namespace tracebraid {

struct NamedRelation {
  std::string_view name;      // alias, or the relation's own name
  std::string_view relation;  // without quotes
};

// Returns the relations behind FROM, JOIN and commas of the statement that contains `cursor`, also
// if the statement is not complete. Subqueries are left out. Both texts borrow from `sql`.
std::vector<NamedRelation> named_relations(std::string_view sql, size_t cursor);

}  // namespace tracebraid
