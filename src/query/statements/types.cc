#include "query/statements/types.h"

#include "query/compile/select_text.h"

namespace tracebraid {

std::optional<DialectType> dialect_type_of(std::string_view name) {
  constexpr struct {
    std::string_view name;
    DialectType type;
  } kTypes[] = {{"LONG", DialectType::Long},     {"INT", DialectType::Long},
                {"UINT", DialectType::Long},     {"TIMESTAMP", DialectType::Long},
                {"DURATION", DialectType::Long}, {"ID", DialectType::Long},
                {"JOINID", DialectType::Long},   {"ARGSETID", DialectType::Long},
                {"BOOL", DialectType::Bool},     {"BOOLEAN", DialectType::Bool},
                {"DOUBLE", DialectType::Double}, {"FLOAT", DialectType::Double},
                {"STRING", DialectType::String}, {"BYTES", DialectType::Bytes},
                {"PROTO", DialectType::Bytes},   {"ANY", DialectType::Any}};
  for (const auto& [known, type] : kTypes)
    if (same_name(known, name)) return type;
  return std::nullopt;
}

std::string_view name_of(DialectType type) {
  constexpr std::string_view kNames[] = {"LONG", "BOOL", "DOUBLE", "STRING", "BYTES", "ANY"};
  return kNames[static_cast<size_t>(type)];
}

std::string_view declared_type(DialectType type) {
  constexpr std::string_view kNames[] = {"INTEGER", "INTEGER", "DOUBLE", "TEXT", "BLOB", ""};
  return kNames[static_cast<size_t>(type)];
}

bool accepts(DialectType type, Cell::Kind kind) {
  if (kind == Cell::Kind::Null) return true;
  switch (type) {
    case DialectType::Long:
    case DialectType::Bool:
      return kind == Cell::Kind::Int;
    case DialectType::Double:
      return kind == Cell::Kind::Real;
    case DialectType::String:
      return kind == Cell::Kind::Text;
    case DialectType::Bytes:
      return kind == Cell::Kind::Blob;
    case DialectType::Any:
      break;
  }
  return true;
}

}  // namespace tracebraid
