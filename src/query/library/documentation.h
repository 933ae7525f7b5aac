// Documentation of modules, read from the comments of their files.
//
// Input: the text of a module. Output: its objects with descriptions. Called by
// docs/sql-modules.md, completion and the tables about the library.
//
//   -- About the module.
//
//   -- About the table.
//   CREATE PERFETTO TABLE name(
//     -- About the column.
//     utid JOINID(thread.id),
//     ...
//   ) AS
//   SELECT ...;
//
// A view has the same form. A function and a macro have comments before their arguments and before
// RETURNS, and a table function before the columns that it returns. Objects whose names begin with
// '_' are internal and need no comments.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tracebraid {

struct DocumentedName {
  std::string name, type, about;  // the type as declared: JOINID(thread.id)
};

enum class ObjectKind : uint8_t { Table, View, Function, TableFunction, Macro };
std::string_view name_of(ObjectKind kind);  // TABLE, VIEW, FUNCTION, TABLE_FUNCTION, MACRO

struct DocumentedObject {
  ObjectKind kind;
  std::string name, about;
  std::vector<DocumentedName> arguments = {};
  std::vector<DocumentedName> columns = {};
  std::string return_type = {}, return_about = {};  // of a function or macro

  bool is_internal() const { return name.starts_with('_'); }
};

struct DocumentedModule {
  std::string key, about;
  std::vector<std::string> includes;  // keys of modules
  std::vector<DocumentedObject> objects;

  std::string package() const { return key.substr(0, key.find('.')); }
};

// Reads a module. An Error names the line whose statement has a wrong syntax, or a public object
// without a description.
Result<DocumentedModule> read_documentation(std::string_view key, std::string_view text);

// Returns the documentation of the standard library without the prelude, by key. Made at the first
// call, from any thread. A module that is wrong ends the program.
std::span<const DocumentedModule> library_documentation();

}  // namespace tracebraid
