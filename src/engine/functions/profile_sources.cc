#include "engine/functions/profile_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace tracebraid {
namespace {

constexpr size_t kRowsPerCheck = 4096;

Result<> check(const StopCheck* stop, size_t row) {
  if (row % kRowsPerCheck == 0 && stop != nullptr && stop->stopped())
    return tl::unexpected(stop->error());
  return {};
}

// The rows of a set, which follow each other in a sorted column of set ids.
struct RowRange {
  size_t first = 0, last = 0;
};
RowRange rows_of_set(std::span<const uint32_t> sets, uint32_t set) {
  if (set == OptRow::kNull) return {};
  const auto [first, last] = std::equal_range(sets.begin(), sets.end(), set);
  return {static_cast<size_t>(first - sets.begin()), static_cast<size_t>(last - sets.begin())};
}

// The nodes of callsites.
class Callsites {
 public:
  Callsites(const Store& store, ProfileTree& tree)
      : store_(store), tree_(tree), nodes_(store.stack_callsites.rows(), kUnknown) {}

  // Returns the node of the innermost function of a callsite; ProfileTree::kNone if there is no
  // such callsite.
  uint32_t node(uint32_t callsite) {
    const StackCallsiteTable& callsites = store_.stack_callsites;
    if (callsite >= callsites.rows()) return ProfileTree::kNone;
    std::vector<uint32_t> chain;
    // Depth decreases from child to parent, so this ends even if a damaged braid has a cycle.
    uint32_t row = callsite;
    uint32_t node = ProfileTree::kNone;
    for (;;) {
      if (nodes_[row] != kUnknown) {
        node = nodes_[row];
        break;
      }
      chain.push_back(row);
      const uint32_t parent = callsites.parent_id[row].row;
      if (parent >= callsites.rows() || callsites.depth[parent] >= callsites.depth[row]) break;
      row = parent;
    }
    for (auto of = chain.rbegin(); of != chain.rend(); ++of) {
      node = add_frame(node, callsites.frame_id[*of]);
      nodes_[*of] = node;
    }
    return node;
  }

 private:
  // No tree has so many nodes.
  static constexpr uint32_t kUnknown = ProfileTree::kNone - 1;

  std::string_view text(StringId id) const { return id ? store_.strings.get(id) : ""; }

  uint32_t add_frame(uint32_t parent, uint32_t frame) {
    const StackFrameTable& frames = store_.stack_frames;
    const StackSymbolTable& symbols = store_.stack_symbols;
    if (frame >= frames.rows()) return tree_.child(parent, {});
    ProfileFunction function;
    if (frames.mapping[frame] < store_.stack_mappings.rows())
      function.mapping = text(store_.stack_mappings.name[frames.mapping[frame]]);
    // Inlined functions precede their callers.
    const RowRange set =
        rows_of_set(symbols.symbol_set_id.values(), frames.symbol_set_id[frame].row);
    if (set.first == set.last) {
      const StringId name = frames.deobfuscated_name[frame];
      function.name = text(name ? name : StringId(frames.name[frame]));
      return tree_.child(parent, function);
    }
    for (size_t row = set.last; row-- > set.first;) {
      function.name = text(symbols.name[row]);
      function.source_file = text(symbols.source_file[row]);
      const int64_t line = symbols.line_number[row].value;
      function.line = line == OptInt::kNull ? ProfileFunction::kNoLine : line;
      parent = tree_.child(parent, function);
    }
    return parent;
  }

  const Store& store_;
  ProfileTree& tree_;
  std::vector<uint32_t> nodes_;
};

// Objects of heap dumps in the order of a breadth-first search.
class HeapSearch {
 public:
  HeapSearch(const Store& store, OwnedTexts& texts, ProfileTree& tree)
      : store_(store), texts_(texts), tree_(tree), is_visited_(store.heap_graph_objects.rows()) {}

  Result<> search(const ProfileSelection& selection, const StopCheck* stop) {
    const HeapGraphObjectTable& objects = store_.heap_graph_objects;
    for (uint32_t row = 0; row < objects.rows(); ++row) {
      TB_TRY(check(stop, row));
      if (objects.root_type[row] &&
          selection.has(objects.graph_sample_ts[row], objects.upid[row].row))
        visit(row, ProfileTree::kNone);
    }
    for (size_t at = 0; at < queue_.size(); ++at) {
      TB_TRY(check(stop, at));
      const auto [object, node] = queue_[at];
      const HeapGraphReferenceTable& references = store_.heap_graph_references;
      const RowRange set =
          rows_of_set(references.reference_set_id.values(), objects.reference_set_id[object].row);
      for (size_t row = set.first; row < set.last; ++row) visit(references.owned_id[row].row, node);
    }
    return {};
  }

 private:
  void visit(uint32_t object, uint32_t parent) {
    const HeapGraphObjectTable& objects = store_.heap_graph_objects;
    // Objects without a class are those that the dump refers to only.
    if (object >= objects.rows() || is_visited_[object] ||
        objects.type_id[object].row == OptRow::kNull)
      return;
    is_visited_[object] = true;
    ProfileFunction function{class_of(object), "JAVA", {}, ProfileFunction::kNoLine};
    if (parent == ProfileTree::kNone && objects.root_type[object])
      function.name = *texts_
                           .insert(fmt::format("{} [{}]", function.name,
                                               store_.strings.get(objects.root_type[object])))
                           .first;
    const uint32_t node = tree_.child(parent, function);
    tree_.add(node, {1, objects.self_size[object], 0, 0});
    queue_.push_back({object, node});
  }

  std::string_view class_of(uint32_t object) const {
    const uint32_t type = store_.heap_graph_objects.type_id[object].row;
    const HeapGraphClassTable& classes = store_.heap_graph_classes;
    if (type >= classes.rows()) return "";
    const StringId name =
        classes.deobfuscated_name[type] ? classes.deobfuscated_name[type] : classes.name[type];
    return name ? store_.strings.get(name) : "";
  }

  const Store& store_;
  OwnedTexts& texts_;
  ProfileTree& tree_;
  std::vector<bool> is_visited_;
  struct Visit {
    uint32_t object, node;
  };
  std::vector<Visit> queue_;
};

}  // namespace

Result<> add_heap_profile(const Store& store, const ProfileSelection& selection,
                          const StopCheck* stop, ProfileTree& tree) {
  const HeapProfileAllocationTable& allocations = store.heap_profile_allocations;
  Callsites callsites(store, tree);
  for (size_t row = 0; row < allocations.rows(); ++row) {
    TB_TRY(check(stop, row));
    if (!selection.has(allocations.ts[row], allocations.upid[row])) continue;
    const uint32_t node = callsites.node(allocations.callsite_id[row]);
    if (node == ProfileTree::kNone) continue;
    const int64_t count = allocations.count[row], size = allocations.size[row];
    const bool is_allocation = size > 0;
    tree.add(node, {count, size, is_allocation ? count : 0, is_allocation ? size : 0});
  }
  return {};
}

Result<> add_perf_samples(const Store& store, const ProfileSelection& selection,
                          const StopCheck* stop, ProfileTree& tree) {
  const ProfilerSampleTable& samples = store.profiler_samples;
  const ProfilerTaskContextTable& contexts = store.profiler_task_contexts;
  const StringId perf = store.strings.find("linux.perf");
  Callsites callsites(store, tree);
  for (size_t row = 0; perf && row < samples.rows(); ++row) {
    TB_TRY(check(stop, row));
    const uint32_t context = samples.task_context_id[row].row;
    if (samples.source[row] != perf || context >= contexts.rows()) continue;
    const uint32_t utid = contexts.utid[context].row;
    const uint32_t upid =
        utid < store.threads.rows() ? store.threads.upid[utid].row : contexts.upid[context].row;
    if (!selection.has(samples.ts[row], upid)) continue;
    const uint32_t node = callsites.node(samples.callsite_id[row].row);
    if (node != ProfileTree::kNone) tree.add(node, {1, 1, 0, 0});
  }
  return {};
}

Result<> add_heap_graph(const Store& store, const ProfileSelection& selection,
                        const StopCheck* stop, OwnedTexts& texts, ProfileTree& tree) {
  return HeapSearch(store, texts, tree).search(selection, stop);
}

}  // namespace tracebraid
