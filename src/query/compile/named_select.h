// NamedSelect: a SELECT with its names resolved.
//
// Input: a statement and the relations of a connection. Output: its parts, as far as grouping needs
// them. Called by the push-down.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "query/compile/relation.h"
#include "query/compile/select_names.h"
#include "query/compile/select_text.h"

namespace tracebraid {

struct Part {
  Tokens tokens;
  Expression read;
};

struct NamedSelect {
  SelectText select;
  std::vector<SourceTable> sources;
  std::vector<Part> items;
  std::vector<Part> conditions;       // of each item of FROM, then of WHERE
  size_t first_of_where = 0;          // in `conditions`
  std::vector<Part> groups;           // groups that are neither numbers nor names of items
  std::vector<size_t> grouped_items;  // items that GROUP BY names or repeats
  std::vector<Part> after;            // terms of HAVING, and of ORDER BY except names of items
  size_t first_of_order = 0;          // in `after`
};

// Returns nothing if a part of the statement is not supported.
std::optional<NamedSelect> read_query(std::string_view sql, const RelationOf& relation_of,
                                      const TableFunctionOf& function_of);

bool is_same(Tokens a, Tokens b);
// Returns the item with this alias.
std::optional<size_t> item_named(const NamedSelect& query, std::string_view name);

// Visits all terms that are evaluated after grouping.
template <class Visit>
bool for_all_results(const NamedSelect& query, Visit visit) {
  return std::ranges::all_of(query.items, visit) && std::ranges::all_of(query.after, visit);
}

}  // namespace tracebraid
