// References to objects in args: found by their keys in the complete args, and resolved at the time
// of the row with the args (spec json 4.13).
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <vector>

#include "assemble/json/contexts.h"
#include "assemble/json/objects.h"
#include "assemble/placed_batch.h"
#include "tables/store.h"

namespace tracebraid {

class JsonRefs {
 public:
  // `json_files`: whether a file is JSON, by row of trace_file.
  JsonRefs(const JsonObjects& objects, std::vector<bool> json_files, Store& store)
      : objects_(objects), json_files_(std::move(json_files)), store_(store) {}

  // Fills json_object_ref. Requires: the tables of slices, async slices, snapshots and contexts are
  // complete.
  void resolve(const JsonContexts& contexts);

 private:
  struct Ref {  // a reference in a set
    StringId place, spelling, canonical, scope;
    bool has_pid;
    int64_t pid;
  };
  struct Owner {
    StringId kind;
    uint32_t id;
    int64_t ts;
    uint32_t upid;
    uint32_t machine;
    FileId file;
  };
  // References, by set.
  void gather();
  void gather_set(uint32_t id, const ArgSet& set, StringId scope_by_default);
  void add_slices();
  void add_snapshots();
  void add_contexts(const JsonContexts& contexts);
  void add(const Owner& owner, uint32_t arg_set_id);
  void add_row(const Owner& owner, StringId place, StringId spelling, const JsonKey& target);
  uint32_t process_of_pid(const Owner& owner, int64_t pid);
  uint32_t browser(uint32_t machine) const;

  const JsonObjects& objects_;
  std::vector<bool> json_files_;
  Store& store_;
  std::vector<StringId>
      places_;  // by key of the args: the place of the reference; none for other keys
  absl::flat_hash_map<uint32_t, std::vector<Ref>> sets_;
  absl::flat_hash_map<std::pair<uint32_t, int64_t>, uint32_t> processes_;  // by machine and pid
};

}  // namespace tracebraid
