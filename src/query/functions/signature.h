// FunctionSignature: the name, parameters and result of a SQL function, declared as one text.
#pragma once

#include <source_location>
#include <string_view>
#include <vector>

namespace tracebraid {

// "str_split(text STRING, delimiter STRING, field LONG) STRING": name, in lower case, parameters
// and result, with types of the dialect (spec sql-dialect 2.2). "hash(value ANY...) LONG" takes any
// number of arguments. The type of a result ANY depends on the arguments; results of all types may
// be NULL.
//
// Converts from the text, which must be a literal. Aborts if it is not of this form.
struct FunctionSignature {
  struct Parameter {
    std::string_view name, type;
  };
  FunctionSignature(const char* text, std::source_location at = std::source_location::current());

  // Returns the arity as SQLite counts it: -1 is any number.
  int arity() const { return is_variadic ? -1 : static_cast<int>(parameters.size()); }

  std::string_view text;
  std::string_view name;
  std::vector<Parameter> parameters;
  bool is_variadic = false;
  std::string_view result;  // type
  std::string_view file;    // path of the declaring file, below src/
};

}  // namespace tracebraid
