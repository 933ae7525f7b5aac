// Macros of a connection (spec sql-dialect 2.7).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "query/compile/source_map.h"
#include "query/compile/token_list.h"

namespace tracebraid {

struct Macro {
  std::string name;
  std::vector<std::string> parameters;  // without '$'
  SourceTextPtr source;                 // contains the body
  size_t begin = 0, end = 0;            // of the body, bytes
  TokenList tokens;                     // of the body
  bool is_expanding = false;
};

// By name, which is case-sensitive.
using MacroSet = std::map<std::string, Macro, std::less<>>;

// Returns the types of arguments and results, in any case; they do not influence the expansion.
bool is_macro_type(std::string_view name);
// Returns "ColumnNameList, _ProjectionFragment, ...".
std::string macro_type_names();

// Returns whether the name is that of a macro of the tool.
bool is_builtin_macro(std::string_view name);

}  // namespace tracebraid
