// JsonMemoryDumps: joins events with the same id to one dump, and computes the sizes of its
// allocators (spec json 4.15).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <string>
#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/json/ids.h"
#include "assemble/json/memory_graph.h"
#include "assemble/problems.h"
#include "assemble/samples/stacks.h"

namespace tracebraid {

class JsonMemoryDumps {
 public:
  JsonMemoryDumps(Identity& identity, DeferredArgs& args, Stacks& stacks, Problems& problems,
                  Store& store)
      : identity_(identity), args_(args), stacks_(stacks), problems_(problems), store_(store) {}

  // Adds an event, in order of time. `track_row`: row of track for the dumps of its file.
  void add(const JsonEvent& at, uint32_t track_row);
  // Fills the tables.
  void finish();
  // Returns the ids of the dumps.
  const std::vector<JsonKey>& keys() const { return keys_; }

 private:
  struct Part {  // an event
    const PlacedBatch* from;
    uint32_t batch;  // index of `from`
    uint32_t dump;   // index of memory.dumps
  };
  // All events of a dump for one process, or for none.
  struct Space {
    uint32_t upid = OptRow::kNull;
    int64_t first_ts = 0, last_ts = 0;
    StringId name;
    uint32_t arg_set_id = OptRow::kNull;
    MemoryDetail detail = MemoryDetail::NotSaid;
    std::vector<Part> parts;
    uint32_t snapshot = OptRow::kNull;  // row of process_memory_snapshot
  };
  struct Dump {
    StringId id;
    uint32_t track_row, machine;
    FileId file;
    bool details_differ = false;
    std::vector<Space> spaces;  // the first is the global one
  };

  void count(const Dump& dump, int64_t times = 1);
  void find_details(Dump& dump);
  uint32_t add_snapshot_rows(Dump& dump, bool has_global);
  void add_dump_row(const Dump& dump, const Space& space, uint32_t snapshot);
  static std::vector<MemoryTotal> totals_of(const Space& space);
  void add_totals(const Space& space);
  void add_discount(Dump& dump, const MemoryGraph& graph);
  void add_regions(const Space& space);
  void add_heaps(const Space& space);
  void fill_graph(const Dump& dump, MemoryGraph& graph);
  void fill_nodes(const Part& part, uint32_t space, MemoryGraph& graph,
                  absl::flat_hash_map<StringId, uint32_t>& guids);
  void add_edges(const Dump& dump, const absl::flat_hash_map<StringId, uint32_t>& guids,
                 MemoryGraph& graph);
  void add_graph_rows(const Dump& dump, const MemoryGraph& graph);
  uint32_t attribute_args(const MemoryGraph::Node& node);

  Identity& identity_;
  DeferredArgs& args_;
  Stacks& stacks_;
  Problems& problems_;
  Store& store_;
  std::vector<Dump> dumps_;  // in order of their first events
  absl::flat_hash_map<JsonKey, uint32_t> indexes_;
  std::vector<JsonKey> keys_;
  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, uint32_t> spaces_;  // by dump and upid
  std::string scratch_;
};

}  // namespace tracebraid
