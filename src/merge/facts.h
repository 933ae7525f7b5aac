// Facts about files and machines: rows of trace_file, metadata, stats and the import log.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "assemble/placed_batch.h"
#include "merge/files.h"
#include "tables/store.h"

namespace tracebraid {

// An increment of a stat. Without machine and file the stat is global.
struct StatBump {
  StatId stat;
  MachineId machine;
  FileId file;
  int32_t index = -1;
  int64_t value = 1;
};

// A (file, machine) pair that was read: each stat has a row for it, even at zero.
struct Scope {
  FileId file;
  MachineId machine;
  friend auto operator<=>(const Scope&, const Scope&) = default;
};

void fill_trace_files(std::span<const TraceFile> files, Store& store);

// Appends rows of all stats: the global ones, then those of each scope.
void fill_stats(std::span<const Scope> scopes, std::span<const StatBump> bumps, Store& store);

// A row of `metadata`. A single-valued key has one row for each (machine, file).
struct MetadataRow {
  std::string_view key;
  bool multi = false;
  bool is_repeated = false;  // appends a row, although the key has a single value
  OptInt number = {};
  StringId text = {};
  MachineId machine = {};
  FileId file = {};
};

class MetadataWriter {
 public:
  explicit MetadataWriter(Store& store);  // takes existing rows into account
  // Sets the value of a single-valued key, or appends one.
  void put(const MetadataRow& row);
  // Returns the number of a single-valued key; null if none.
  OptInt number(std::string_view key, MachineId machine, FileId file) const;

 private:
  using Key = std::tuple<StringId, MachineId, FileId>;
  Store& store_;
  absl::flat_hash_map<Key, size_t> single_;  // -> row
};

// Appends to metadata: type and size of each file, the metadata of batches, the uuid of the trace.
// `input_head` has the first 4096 bytes of the input.
void fill_metadata(std::span<const TraceFile> files, std::span<const PlacedBatch> batches,
                   std::string_view input_head, Store& store);

}  // namespace tracebraid
