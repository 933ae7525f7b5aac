// Table look-ups shared by the writers of a protobuf trace.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "assemble/identity/cpus.h"  // kCpusOfMachine
#include "tables/store.h"

namespace tracebraid::perfetto {

// Returns an empty text for none.
inline std::string_view text(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

inline constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// Returns the time of a row, kNever behind the last row.
inline int64_t time_of_row(const auto& table, size_t row) {
  return row < table.rows() ? table.ts[row] : kNever;
}

// Returns the end of a row; nothing if the row is open or ends after the last possible time.
inline std::optional<int64_t> end_of_row(const auto& table, uint32_t row) {
  int64_t end = 0;
  if (table.dur[row] < 0 || __builtin_add_overflow(table.ts[row], table.dur[row], &end))
    return std::nullopt;
  return end;
}

}  // namespace tracebraid::perfetto
