#include "tables/args_table.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tracebraid {

namespace {

// Values of value_type, by ArgType. Types without a name are not stored.
constexpr auto kTypeNames = [] {
  std::array<std::string_view, static_cast<size_t>(ArgType::EmptyObject) + 1> names;
  names.fill("int");
  const auto name = [&](ArgType type, std::string_view text) {
    names[static_cast<size_t>(type)] = text;
  };
  name(ArgType::Uint, "uint");
  name(ArgType::String, "string");
  name(ArgType::Real, "real");
  name(ArgType::Pointer, "pointer");
  name(ArgType::Bool, "bool");
  name(ArgType::Json, "json");
  name(ArgType::Null, "null");
  name(ArgType::UintAsReal, "real");
  name(ArgType::EmptyArray, "empty_array");
  name(ArgType::EmptyObject, "empty_object");
  return names;
}();

}  // namespace

std::string_view name_of(ArgType type) { return kTypeNames[static_cast<size_t>(type)]; }

std::span<const std::string_view> type_names() { return kTypeNames; }

double real_of(ArgType type, int64_t value) {
  return type == ArgType::UintAsReal ? static_cast<double>(static_cast<uint64_t>(value))
                                     : std::bit_cast<double>(value);
}

Cell value_of(const ArgRow& row, const StringPool& strings) {
  if (is_integer_arg(row.type)) return Cell::of(row.value);
  if (is_real_arg(row.type)) return Cell::of(real_of(row.type, row.value));
  if (!is_text_arg(row.type)) return Cell::null();
  const StringId text{static_cast<uint32_t>(row.value)};
  return text ? Cell::of(strings.get(text)) : Cell::null();
}

}  // namespace tracebraid
