// PlainTables: stores the rows that readers emit (EventKind::Row) in their tables.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/placed_batch.h"
#include "assemble/samples/stacks.h"
#include "assemble/tracks/tracks.h"
#include "tables/store.h"

namespace tracebraid {

// An event of kind Row with the values of its implicit columns.
struct PlainRow {
  const Event& event;
  uint32_t batch;
  uint32_t machine;  // row of machine
  FileId file;
};

class PlainTables {
 public:
  PlainTables(DeferredArgs& args, Tracks& tracks, Stacks& stacks, Store& store);

  // Requires: the table and its columns exist, because readers name them, not files.
  void add(const PlainRow& row);
  // Returns the row with this number in the batch; kNone if there is none yet.
  uint32_t numbered_row(uint32_t batch, int64_t number) const;

 private:
  struct ColumnOf {
    std::string_view name;
    bool is_real;
    void* column;  // Column<T> or PackedColumn<T>
    void (*append)(void* column, int64_t value);
  };
  struct Table {
    std::vector<ColumnOf> columns;
    std::vector<uint32_t> column_of_key;  // by key of the args table
    uint32_t rows = 0;
    absl::flat_hash_map<std::vector<int64_t>, uint32_t> shared;  // row by values
  };

  Table& table(StringId name);
  uint32_t column(Table& table, uint32_t key);
  int64_t cell(const PlainRow& row, const ArgRow& arg);
  uint32_t shared_row(Table& table);
  int64_t value_without_cell(const PlainRow& row, std::string_view column);

  DeferredArgs& args_;
  Tracks& tracks_;
  Stacks& stacks_;
  Store& store_;
  absl::flat_hash_map<std::string_view, Table> tables_;                   // by member of Store
  absl::flat_hash_map<StringId, Table*> by_id_;                           // those that were used
  absl::flat_hash_map<std::pair<uint32_t, int64_t>, uint32_t> numbered_;  // batch, number: row
  std::vector<int64_t> values_;                                           // scratch
};

}  // namespace tracebraid
