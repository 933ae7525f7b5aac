// Relation: resolves a name in FROM, if it is one of our own tables, or a view of ours that shows
// rows of one table.
#pragma once

#include <sqlite3.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/compile/guard.h"
#include "query/scan/table.h"
#include "query/scan/virtual_table.h"

namespace tracebraid {

struct RelationColumn {
  std::string name;
  const ColumnView* column = nullptr;  // of the table; null: computed by the view
};

struct Relation {
  const Table* table = nullptr;  // each row is a row of this table; null: rows of several tables
  bool has_all_rows = false;     // whether all rows of the table occur
  bool is_in_order = false;      // whether rows are in the order of the table
  std::vector<RelationColumn> columns;

  // Returns null for an unknown name.
  const RelationColumn* find(std::string_view name) const;
};

// Returns nothing if the name is neither one of our tables or views nor a view of the user's over
// one of our tables, is hidden by a temporary table, or is a view whose columns cannot be
// determined.
using RelationOf = std::function<std::optional<Relation>(std::string_view name)>;

// Returns the table of an operator by its name in lower case; null if there is none.
using OperatorTableOf = std::function<const Table*(const std::string& name)>;

// Without `operator_of`, tables of operators are unknown names.
RelationOf relations_in(sqlite3* db, const Guard& guard, const TableModule& module,
                        OperatorTableOf operator_of = {});

}  // namespace tracebraid
