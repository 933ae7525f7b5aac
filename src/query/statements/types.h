// Types of the dialect (spec sql-dialect 2.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "column/cell.h"

namespace tracebraid {

enum class DialectType : uint8_t { Long, Bool, Double, String, Bytes, Any };

// Returns the type of a name in any case, such as TIMESTAMP; nothing for an unknown one.
std::optional<DialectType> dialect_type_of(std::string_view name);

// Returns "LONG".
std::string_view name_of(DialectType type);

// Returns the type in the declaration of a virtual table.
std::string_view declared_type(DialectType type);

// Returns whether a column or an argument of the type accepts the value. NULL always fits.
bool accepts(DialectType type, Cell::Kind kind);

}  // namespace tracebraid
