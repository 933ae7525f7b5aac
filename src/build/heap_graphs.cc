#include "build/heap_graphs.h"

#include <set>
#include <vector>

namespace tracebraid {

void HeapGraphs::add(int64_t ts, uint32_t upid, const HeapGraph& graph) {
  HeapGraphTable& table = store_.heap_graphs;
  table.ts.append(ts);
  table.upid.append({upid});
  table.dump_reason.append({});
  table.heap_size.append({graph.heap_size});
  table.truncated.append(graph.truncated ? 1 : 0);

  HeapGraphClassTable& classes = store_.heap_graph_classes;
  const auto first_class = static_cast<uint32_t>(classes.rows());
  const auto first_object = static_cast<uint32_t>(store_.heap_graph_objects.rows());
  for (const HeapGraphClass& type : graph.classes) {
    const bool has_super = type.superclass < graph.classes.size();
    classes.name.append(type.name);
    classes.deobfuscated_name.append({});
    classes.location.append(type.location);
    classes.superclass_id.append({has_super ? first_class + type.superclass : OptRow::kNull});
    const bool has_loader = type.classloader < graph.objects.size();
    classes.classloader_id.append(has_loader ? OptInt{int64_t{first_object} + type.classloader}
                                             : OptInt{});
    classes.kind.append(type.kind);
  }
  add_objects(ts, upid, graph, first_class);
}

void HeapGraphs::add_objects(int64_t ts, uint32_t upid, const HeapGraph& graph,
                             uint32_t first_class) {
  HeapGraphObjectTable& objects = store_.heap_graph_objects;
  HeapGraphReferenceTable& references = store_.heap_graph_references;
  const auto first_object = static_cast<uint32_t>(objects.rows());
  const auto first_reference = static_cast<uint32_t>(references.rows());
  uint32_t set = first_reference;
  for (const HeapGraphReference& reference : graph.references) {
    const bool is_known = reference.owned < graph.objects.size();
    references.reference_set_id.append(set);
    references.owner_id.append(first_object + reference.owner);
    references.owned_id.append({is_known ? first_object + reference.owned : OptRow::kNull});
    references.field_name.append(reference.field_name);
    references.field_type_name.append(reference.field_type);
    references.deobfuscated_field_name.append({});
    if (reference.last) set = static_cast<uint32_t>(references.rows());
  }
  for (const HeapGraphObject& object : graph.objects) {
    const bool has_references = object.references < graph.references.size();
    const bool has_type = object.type < graph.classes.size();
    objects.upid.append({upid});
    objects.graph_sample_ts.append(ts);
    objects.self_size.append(object.self_size);
    objects.native_size.append(object.native_size);
    objects.reference_set_id.append(
        {has_references ? first_reference + object.references : OptRow::kNull});
    objects.reachable.append(object.reachable ? 1 : 0);
    objects.heap_type.append(object.heap_type);
    objects.type_id.append({has_type ? first_class + object.type : OptRow::kNull});
    objects.root_type.append(object.root_type);
    objects.root_distance.append(-1);
    objects.object_data_id.append({});
  }
}

namespace {

class Deobfuscator {
 public:
  Deobfuscator(std::span<const PlacedBatch> batches, const StringPool& strings)
      : strings_(strings) {
    for (const PlacedBatch& from : batches) {
      for (const Deobfuscation& entry : from.batch.stacks.deobfuscations) {
        names_[entry.obfuscated].push_back(&entry);
        packages_.insert(entry.package);
      }
    }
  }

  bool is_empty() const { return names_.empty(); }

  // `location`: a path that names the package; packages use the same short names,
  // so with more than one it decides.
  StringId find(StringId obfuscated, StringId location) const {
    const auto at = names_.find(obfuscated);
    if (at == names_.end()) return {};
    for (const Deobfuscation* entry : at->second) {
      if (packages_.size() == 1 || !entry->package) return entry->name;
      if (location &&
          strings_.get(location).find(strings_.get(entry->package)) != std::string_view::npos)
        return entry->name;
    }
    return {};
  }

 private:
  const StringPool& strings_;
  absl::flat_hash_map<StringId, std::vector<const Deobfuscation*>> names_;
  std::set<StringId> packages_;
};

}  // namespace

void deobfuscate(std::span<const PlacedBatch> batches, Store& store) {
  const Deobfuscator names(batches, store.strings);
  if (names.is_empty()) return;
  HeapGraphClassTable& classes = store.heap_graph_classes;
  for (size_t row = 0; row < classes.rows(); ++row)
    classes.deobfuscated_name.at(row) = names.find(classes.name[row], classes.location[row]);
  HeapGraphReferenceTable& references = store.heap_graph_references;
  for (size_t row = 0; row < references.rows(); ++row) {
    const uint32_t type = store.heap_graph_objects.type_id[references.owner_id[row]].row;
    const StringId location = type == OptRow::kNull ? StringId{} : classes.location[type];
    references.deobfuscated_field_name.at(row) = names.find(references.field_name[row], location);
  }
  StackFrameTable& frames = store.stack_frames;
  for (size_t row = 0; row < frames.rows(); ++row)
    if (frames.name[row])
      frames.deobfuscated_name.at(row) =
          names.find(frames.name[row], store.stack_mappings.name[frames.mapping[row]]);
}

}  // namespace tracebraid
