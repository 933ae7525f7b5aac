// ArgsTable: the finished args. Rows of a set lie together, 16 bytes a row; what
// SQL sees as columns is computed from them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "event/args.h"
#include "table/column.h"

namespace tracebraid {

struct ArgsTable {
  std::vector<ArgKey> keys;
  std::vector<ArgRow> rows;         // never of type Process or Thread
  std::vector<uint32_t> set_begin;  // arg_set_id -> first row

  std::span<const ArgRow> set(uint32_t arg_set_id) const;
  // The set that row is in. O(log sets).
  uint32_t set_of(size_t row) const;
  // The first arg of the set with this `key`; null if there is none.
  const ArgRow* find(uint32_t arg_set_id, StringId key) const;

  TableView view() const;
};

// int, uint, string, real, pointer, bool, json, null: the `value_type` column.
std::string_view name_of(ArgType type);
// As extract_arg() gives it.
Cell value_of(const ArgRow& row, const StringPool& strings);

}  // namespace tracebraid
