// JsonObjects: instances of objects and their snapshots (spec json 4.13).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/json/ids.h"
#include "assemble/problems.h"
#include "event/stats.h"

namespace tracebraid {

class JsonObjects {
 public:
  JsonObjects(Identity& identity, DeferredArgs& args, Problems& problems, Store& store);

  // Add events in order of time.
  void create(const JsonEvent& at);
  void snapshot(const JsonEvent& at);
  void remove(const JsonEvent& at);

  // The rows of an id at a time; OptRow::kNull for none.
  struct Found {
    uint32_t instance = OptRow::kNull;
    uint32_t snapshot = OptRow::kNull;
  };
  // Resolves an id for references: an instance is alive before an implicit creation, and its first
  // snapshot applies before it was taken.
  Found find(const JsonKey& key, int64_t ts) const;

  // Snapshots inside others, which a reference in the args of the container replaces.
  struct Inner {
    uint32_t container, snapshot;  // rows
    StringId place;                // key of the reference
    StringId spelling;
    JsonKey key;
  };
  const std::vector<Inner>& inner() const { return inner_; }
  // Return the file of the row of a snapshot, and all ids.
  FileId file_of(uint32_t snapshot) const { return keys_[table_.instance_id[snapshot]].file; }
  const std::vector<JsonKey>& keys() const { return keys_; }

 private:
  struct Life {
    std::vector<uint32_t> snapshots;  // rows, in time order
    bool has_base_type = false;
  };
  uint32_t add_instance(const JsonEvent& at, const JsonKey& key, bool is_explicit);
  uint32_t alive(const JsonKey& key) const;  // returns the last instance, unless it was deleted
  void check_snapshot(const JsonEvent& at, const JsonObject& object, uint32_t instance);
  void put_row(const JsonEvent& at, const JsonObject& object, uint32_t row, uint32_t instance);
  void count(const JsonEvent& at) {
    problems_.count_at(stats::object_parse_error, at.machine, at.from.file, at.event.ts);
  }

  Identity& identity_;
  DeferredArgs& args_;
  Problems& problems_;
  JsonObjectInstanceTable& instances_;
  JsonObjectSnapshotTable& table_;
  absl::flat_hash_map<JsonKey, std::vector<uint32_t>> lives_by_key_;   // rows of instances
  std::vector<Life> lives_;                                            // by row of instance
  std::vector<JsonKey> keys_;                                          // by row of instance
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, uint32_t> rows_;  // by (batch, object)
  std::vector<Inner> inner_;
};

}  // namespace tracebraid
