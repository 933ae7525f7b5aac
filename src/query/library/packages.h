// Packages: the modules that INCLUDE PERFETTO MODULE finds (spec sql-dialect 2.9).
//
// Input: the standard library, folders and texts of the user. Output: the keys that a statement
// names, and the text of a module. Called by INCLUDE.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tracebraid {

// Modules of the user: the .sql files below a folder, or texts.
struct SqlPackage {
  struct Module {
    std::string key;  // with the name of the package: "mine.queries"
    std::string text;
  };
  std::string name;                  // may have dots
  std::string folder = {};           // empty: `modules` has all modules
  std::vector<Module> modules = {};  // texts
  bool replaces = false;             // a package of this name, instead of an Error
};

// Returns the package of an option "DIR" or "DIR@NAME". Error Usage: the name is not one.
Result<SqlPackage> package_of_folder(std::string_view option);

class Packages {
 public:
  // Adds a package of the user. Error Usage: one of this name exists.
  Result<> add(SqlPackage package);

  // Returns the modules that an INCLUDE of this key names, in order: one, or any number if the key
  // has a '*'. The message of an Error is that of the statement.
  Result<std::vector<std::string>> find(std::string_view key) const;
  // Returns the text of a module. Reads files of the user. Requires: find() returned the key.
  Result<std::string> read(std::string_view key) const;
  // Returns the keys of all modules, sorted.
  std::vector<std::string> keys() const;

 private:
  // Returns a line that names the nearest module; empty if none is near.
  std::string hint(std::string_view key) const;

  const SqlPackage* package_of(std::string_view key) const;
  bool has(std::string_view key) const;

  std::vector<SqlPackage> users_;
};

}  // namespace tracebraid
