#include "query/functions/signature.h"

#include "base/assert.h"
#include "base/source_file.h"

namespace tracebraid {

FunctionSignature::FunctionSignature(const char* declared, std::source_location at)
    : text(declared), file(file_below_root(at.file_name())) {
  const size_t open = text.find('('), close = text.find(") ");
  TB_ASSERT(open != text.npos && close != text.npos && open < close);
  name = text.substr(0, open);
  result = text.substr(close + 2);
  std::string_view list = text.substr(open + 1, close - open - 1);
  while (!list.empty()) {
    const size_t comma = list.find(", ");
    std::string_view parameter = list.substr(0, comma);
    list = comma == list.npos ? std::string_view() : list.substr(comma + 2);
    is_variadic = parameter.ends_with("...");
    if (is_variadic) parameter.remove_suffix(3);
    const size_t space = parameter.find(' ');
    TB_ASSERT(space != parameter.npos);
    parameters.push_back({parameter.substr(0, space), parameter.substr(space + 1)});
  }
}

}  // namespace tracebraid
