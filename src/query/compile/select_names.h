// Resolves the names in a SELECT.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "query/compile/relation.h"
#include "query/compile/select_text.h"
#include "query/functions/table_function.h"

namespace tracebraid {

// A table of FROM.
struct SourceTable {
  const FromItem* item;
  Relation relation;  // without a table for a call
  const TableFunction* function = nullptr;
};
// Returns null for an unknown name.
using TableFunctionOf = std::function<const TableFunction*(std::string_view name)>;
// Returns nothing if a table or table function is unknown. Without `function_of` all functions are.
std::optional<std::vector<SourceTable>> sources_of(const SelectText& select,
                                                   const RelationOf& relation_of,
                                                   const TableFunctionOf& function_of = {});

struct ColumnRef {
  size_t source;
  const RelationColumn* column;
  friend bool operator==(const ColumnRef&, const ColumnRef&) = default;
};
// Returns the column; the first one, if USING joins several. Returns nothing if no source has it.
std::optional<ColumnRef> resolve(std::span<const SourceTable> sources, const ColumnName& name);

// Columns that have one value for each combination of values of some given columns: these columns,
// columns that joins make equal to them, and all columns of a row whose number is known.
class KnownColumns {
 public:
  KnownColumns(const SelectText& select, std::span<const SourceTable> sources,
               std::span<const ColumnRef> given);
  bool contains(const ColumnRef& column) const;

 private:
  struct Equality {
    ColumnRef a, b;
  };
  struct Join {
    size_t source = 0;
    bool is_left = false;
    std::vector<Equality> equalities;
    bool is_plain = true;  // whether the condition has no other parts
  };
  static Join join_of(std::span<const SourceTable> sources, size_t index);
  bool follow(const Join& join);
  bool add(const ColumnRef& column);

  std::vector<ColumnRef> columns_;
  std::vector<bool> whole_;  // by source: whether all of its columns are known
};

}  // namespace tracebraid
