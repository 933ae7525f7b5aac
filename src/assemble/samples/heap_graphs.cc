#include "assemble/samples/heap_graphs.h"

#include <cctype>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
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

// Returns whether the file ("/data/app/com.app-1/base.apk") belongs to the package.
bool is_of_package(std::string_view path, std::string_view package) {
  constexpr std::string_view kInName = "._";
  for (size_t at = path.find(package); at != std::string_view::npos;
       at = path.find(package, at + 1)) {
    const size_t end = at + package.size();
    const auto continues = [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || kInName.find(c) != kInName.npos;
    };
    if ((at == 0 || !continues(path[at - 1])) && (end == path.size() || !continues(path[end])))
      return true;
  }
  return false;
}

// The parts of the text of a type: its class, and the text around the class.
struct TypeName {
  std::string_view before, name, after;
};

TypeName parse_type(std::string_view text) {
  constexpr std::string_view kClass = "java.lang.Class<", kArray = "[]";
  TypeName type{{}, text, {}};
  if (text.starts_with(kClass) && text.ends_with('>'))
    type = {kClass, text.substr(kClass.size(), text.size() - kClass.size() - 1), ">"};
  const auto from = static_cast<size_t>(type.name.data() - text.data());
  size_t end = from + type.name.size();
  while (text.substr(from, end - from).ends_with(kArray)) end -= kArray.size();
  return {type.before, text.substr(from, end - from), text.substr(end)};
}

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
  bool has_one_package() const { return packages_.size() == 1; }

  // Packages use equal short names: if `location` is a file of a package, its names apply. If
  // `location` is no file of an app, all packages apply if `takes_any`; of these the last one.
  StringId find(StringId obfuscated, StringId location, bool takes_any) const {
    const auto at = names_.find(obfuscated);
    if (at == names_.end()) return {};
    const std::string_view path = location ? strings_.get(location) : std::string_view();
    const bool fits_all = takes_any && path.find("/data/app/") == path.npos;
    for (const Deobfuscation* entry : at->second | std::views::reverse)
      if (fits_all || !entry->package || is_of_package(path, strings_.get(entry->package)))
        return entry->name;
    return {};
  }

 private:
  const StringPool& strings_;
  absl::flat_hash_map<StringId, std::vector<const Deobfuscation*>> names_;
  std::set<StringId> packages_;
};

// Renames arrays of a class and its class object, too.
StringId class_name(const Deobfuscator& names, StringId name, StringId location,
                    StringPool& strings) {
  if (!name) return {};
  const TypeName type = parse_type(strings.get(name));
  const StringId found = names.find(strings.find(type.name), location, true);
  if (!found || (type.before.empty() && type.after.empty())) return found;
  std::string whole(type.before);
  whole += strings.get(found);
  whole += type.after;
  return strings.intern(whole);
}

}  // namespace

void deobfuscate(std::span<const PlacedBatch> batches, Store& store) {
  const Deobfuscator names(batches, store.strings);
  if (names.is_empty()) return;
  HeapGraphClassTable& classes = store.heap_graph_classes;
  for (size_t row = 0; row < classes.rows(); ++row)
    classes.deobfuscated_name.at(row) =
        class_name(names, classes.name[row], classes.location[row], store.strings);
  HeapGraphReferenceTable& references = store.heap_graph_references;
  for (size_t row = 0; row < references.rows(); ++row) {
    const uint32_t type = store.heap_graph_objects.type_id[references.owner_id[row]].row;
    const StringId location = type == OptRow::kNull ? StringId{} : classes.location[type];
    references.deobfuscated_field_name.at(row) =
        names.find(references.field_name[row], location, true);
  }
  StackFrameTable& frames = store.stack_frames;
  for (size_t row = 0; row < frames.rows(); ++row)
    if (frames.name[row])
      frames.deobfuscated_name.at(row) =
          names.find(frames.name[row], store.stack_mappings.name[frames.mapping[row]],
                     names.has_one_package());
}

}  // namespace tracebraid
