// The registry: the tables and views that SQL has without a statement of the user's, with the
// type and meaning of each column, and where each is declared. Raw tables and their public names
// are declared in the subject headers (tables/declare.h), views in tables/views/*.sql. The SQL
// schema, exports, completion and docs/sql-tables.md are made from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "column/column.h"
#include "tables/sql_modules.h"

namespace tracebraid {

struct ColumnDeclaration {
  std::string name;
  std::string type;  // of the dialect (spec sql-dialect 2.2): ID, LONG, JOINID(slice.id) ...
  std::string about;
  std::string source = {};  // of a public table: the column of the raw table
  bool is_sorted = false;   // never falls from row to row
  bool is_hidden = false;   // left out by SELECT *
};

enum class RelationKind : uint8_t {
  Raw,     // a table of Store
  Public,  // columns of a raw table under public names
  View,    // a SELECT
};

struct RelationDeclaration {
  RelationKind kind;
  std::string name;
  std::string subject;  // title of its section in the manual
  std::string about;
  std::string file;  // that declares it, from src/ on
  std::vector<ColumnDeclaration> columns;
  std::string raw = {};     // of a Public table: the raw one
  std::string select = {};  // of a View
  bool is_alias = false;    // a second name of another one
};

// All relations: raw tables in the order of Store, then public tables and views. Made at the first
// call, from any thread. A view that is declared wrongly ends the program.
std::span<const RelationDeclaration> all_relations();

// Null if there is none.
const RelationDeclaration* find_relation(std::string_view name);

// The SELECT that shows a public table or a view: "id, ts, category AS cat FROM __intrinsic_slice".
std::string select_of(const RelationDeclaration& relation);

// Returns what the integers of a column of a raw table are: "time_ns", "duration_ns", or, for row
// numbers, the name of their table: "row:thread". Empty for other columns.
std::string column_meaning(std::string_view table, const ColumnView& column);

// The statements that make all public tables and views, and those of tables/dialect_views.h, for a
// TableSet (query/compile/table_set.h).
const std::string& public_schema_sql();

// Reads the views of a module of SQL. The first line is "-- Subject"; then
//
//   -- About the view.
//   CREATE PERFETTO VIEW name(
//     -- About the column.
//     id JOINID(track.id),
//     ...
//   ) AS
//   SELECT ...;
//
// Aborts if the text is anything else.
std::vector<RelationDeclaration> read_views(const SqlModule& module);

}  // namespace tracebraid
