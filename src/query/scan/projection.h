// Projections: public tables that show columns of a raw table under other names, in another order.
// They are no views because SQLite materialises a view on the right of LEFT JOIN, but looks up rows
// of a table.
//
//   CREATE VIRTUAL TABLE slice USING __intrinsic_dataframe(
//     __intrinsic_slice, id, ts, dur, category AS cat)
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "query/scan/table.h"

namespace tracebraid {

struct Projection {
  std::deque<std::string> names;  // of the table and its columns
  std::unique_ptr<Table> table;
};

// `columns`: "ts", or "category AS cat".
Result<Projection> project(const Table& base, std::string_view name,
                           std::span<const char* const> columns);

}  // namespace tracebraid
