// Relations: what a name in FROM stands for, if it is one of our own tables, or a view of ours
// that shows rows of one of them.
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
  const ColumnView* column = nullptr;  // of the table; null: the view computes it
};

struct Relation {
  const Table* table = nullptr;  // of which each row is one of the table's; null: rows of several
  bool has_all_rows = false;     // of the table
  bool is_in_order = false;      // of its rows
  std::vector<RelationColumn> columns;

  // Null if there is none of this name.
  const RelationColumn* find(std::string_view name) const;
};

// Nothing: not ours, or hidden behind a temporary table of this name, or a view whose columns
// are not plain to see.
using RelationOf = std::function<std::optional<Relation>(std::string_view name)>;

RelationOf relations_in(sqlite3* db, const Guard& guard, const TableModule& module);

}  // namespace tracebraid
