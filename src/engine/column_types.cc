#include "engine/column_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace tracebraid {
namespace {

constexpr std::pair<std::string_view, DataType> kColumnTypes[] = {
    {"int64", DataType::Int64},
    {"float64", DataType::Float64},
    {"utf8", DataType::Utf8},
    {"dictionary", DataType::Dictionary},
    {"binary", DataType::Binary}};

}  // namespace

Result<std::vector<Field>> parse_column_types(std::string_view text, std::string_view option,
                                              bool takes_dictionary) {
  const auto is_taken = [&](DataType type) {
    return type != DataType::Dictionary || takes_dictionary;
  };
  std::vector<Field> fields;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const size_t equals = item.rfind('=');
    if (equals == item.npos || equals == 0)
      return fail(ErrorCode::Usage, fmt::format("{}: '{}' is not NAME=TYPE", option, item));
    const std::string_view name = item.substr(equals + 1);
    const auto* const found =
        std::ranges::find(kColumnTypes, name, &std::pair<std::string_view, DataType>::first);
    if (found == std::end(kColumnTypes) || !is_taken(found->second)) {
      std::string names;
      for (const auto& [other, type] : kColumnTypes)
        if (is_taken(type)) names += fmt::format("{}{}", names.empty() ? "" : ", ", other);
      return fail(ErrorCode::Usage, fmt::format("{}: '{}' is not one of {}", option, name, names));
    }
    fields.push_back({.name = std::string(item.substr(0, equals)), .type = found->second});
  }
  return fields;
}

}  // namespace tracebraid
