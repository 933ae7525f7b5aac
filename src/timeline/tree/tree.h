// Tree: machines, files, processes, threads and groups above the tracks (spec viewer 6.2).
//
// In: tracks. Out: nodes in the order of the rows of the tree. Called by timeline/timeline.h and
// the API.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "timeline/tree/tree_track.h"

namespace tracebraid::timeline {

enum class Grouping : uint8_t { MachineFile, Machine, Type, Flat };
inline constexpr size_t kGroupings = 4;
std::optional<Grouping> find_grouping(std::string_view name);
std::string_view name_of(Grouping grouping);

enum class NodeType : uint8_t { Machine, File, Process, Thread, Group, Track };
std::string_view name_of(NodeType type);

// The largest distance of shown times from true ones.
struct TimeBound {
  enum class Kind : uint8_t { Exact, AtMost, None, Unknown } kind = Kind::Unknown;
  int64_t ns = 0;
};

inline constexpr uint32_t kNoNode = ~uint32_t{0};

struct TreeNode {
  NodeType type{};
  uint32_t number = kNoNode;  // of the node; for a track, of the track
  uint32_t parent = kNoNode;  // index in Tree::nodes
  uint32_t level = 0;
  uint32_t end = 0;  // index after the last node below
  std::string title = {}, detail = {}, key = {};
  OptRow machine = {}, file = {}, upid = {}, utid = {}, ucpu = {};
  // Of all tracks below:
  uint64_t events = 0;
  int64_t first = INT64_MAX, last = INT64_MIN;
  TimeBound bound = {};
  bool is_empty() const { return events == 0; }
};

// The nodes of one grouping, each before the nodes below it, siblings in order.
struct Tree {
  std::vector<TreeNode> nodes;
  // Indexes of nodes:
  absl::flat_hash_map<std::string, uint32_t> by_key;
  absl::flat_hash_map<uint32_t, uint32_t> by_number;
  absl::flat_hash_map<uint32_t, std::vector<uint32_t>> of_processes;  // by row of process
};

// Makes the tree of a grouping. Nodes that are no tracks are numbered from `first_number` on.
Tree make_tree(const Store& store, const std::vector<TreeTrack>& tracks, Grouping grouping,
               uint32_t first_number);

// Returns "name (pid 5): labels", "Process 5", "name", "Thread 5": spec json 9.2.
std::string process_title(const Store& store, uint32_t upid);
std::string thread_title(const Store& store, uint32_t utid);
std::string machine_title(const Store& store, uint32_t machine);

// Returns the bound of events of a file and machine: the largest of their placements.
TimeBound bound_of(const Store& store, OptRow file, OptRow machine);
// Returns the rows of `placement` that have events of a file and machine (NULL: of any) which a
// clock places.
std::vector<uint32_t> placements_of(const Store& store, OptRow file, OptRow machine);
// How the events of a file and machine were placed: those of the clock with most of them. Nothing
// if there is no such placement. Texts are of the store.
struct Placed {
  std::string_view rule, path;
};
std::optional<Placed> placed_of(const Store& store, OptRow file, OptRow machine);

}  // namespace tracebraid::timeline
