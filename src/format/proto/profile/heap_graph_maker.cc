// Builds a heap graph from its packets.
#include <algorithm>
#include <span>
#include <string_view>

#include "base/saturate.h"
#include "format/proto/profile/heap_graph.h"

namespace tracebraid::proto {
namespace {

constexpr std::string_view kReferent = "java.lang.ref.Reference.referent";
constexpr std::string_view kSuperClass = "java.lang.Class.superClass";
constexpr std::string_view kStaticClass = "java.lang.Class<";
constexpr std::string_view kCleaner = "sun.misc.Cleaner";
constexpr std::string_view kThunk = "sun.misc.Cleaner.thunk";
constexpr std::string_view kNextCleaner = "sun.misc.Cleaner.next";
constexpr std::string_view kRegistry = "libcore.util.NativeAllocationRegistry$CleanerThunk.this$0";

constexpr std::string_view kHeapTypes[] = {"HEAP_TYPE_UNKNOWN", "HEAP_TYPE_APP", "HEAP_TYPE_ZYGOTE",
                                           "HEAP_TYPE_BOOT_IMAGE"};
constexpr std::string_view kRootTypes[] = {
    "ROOT_UNKNOWN",           "ROOT_JNI_GLOBAL",      "ROOT_JNI_LOCAL",    "ROOT_JAVA_FRAME",
    "ROOT_NATIVE_STACK",      "ROOT_STICKY_CLASS",    "ROOT_THREAD_BLOCK", "ROOT_MONITOR_USED",
    "ROOT_THREAD_OBJECT",     "ROOT_INTERNED_STRING", "ROOT_FINALIZING",   "ROOT_DEBUGGER",
    "ROOT_REFERENCE_CLEANUP", "ROOT_VM_INTERNAL",     "ROOT_JNI_MONITOR"};

constexpr uint64_t kZygote = 2, kBootImage = 3;                                        // heap types
constexpr uint64_t kJniGlobal = 1, kJniLocal = 2, kStickyClass = 5, kVmInternal = 13;  // roots
constexpr uint64_t kWeak = 9, kFinalizer = 10, kPhantom = 11;
constexpr std::string_view kKinds[] = {"KIND_UNKNOWN",
                                       "KIND_NORMAL",
                                       "KIND_NOREFERENCES",
                                       "KIND_STRING",
                                       "KIND_ARRAY",
                                       "KIND_CLASS",
                                       "KIND_CLASSLOADER",
                                       "KIND_DEXCACHE",
                                       "KIND_SOFT_REFERENCE",
                                       "KIND_WEAK_REFERENCE",
                                       "KIND_FINALIZER_REFERENCE",
                                       "KIND_PHANTOM_REFERENCE"};

std::string_view name_of(std::span<const std::string_view> names, uint64_t number) {
  return names[number < names.size() ? number : 0];
}
uint64_t number_of(std::span<const std::string_view> names, std::string_view name) {
  const auto at = std::ranges::find(names, name);
  return at == names.end() ? 0 : static_cast<uint64_t>(at - names.begin());
}

// Finds the superclass of each class, to which its class object refers.
void find_superclasses(HeapGraph& graph, EventSink& sink) {
  const auto text = [&](StringId id) {
    return id ? sink.batch().strings.get(id) : std::string_view();
  };
  absl::flat_hash_map<std::string_view, uint32_t> classes;
  for (uint32_t i = 0; i < graph.classes.size(); ++i)
    classes.try_emplace(text(graph.classes[i].name), i);
  const auto class_of = [&](uint32_t object) -> uint32_t {
    const uint32_t type = graph.objects[object].type;
    if (type == kNone) return kNone;
    std::string_view name = text(graph.classes[type].name);
    if (!name.starts_with(kStaticClass) || !name.ends_with('>')) return kNone;
    name = name.substr(kStaticClass.size(), name.size() - kStaticClass.size() - 1);
    const auto at = classes.find(name);
    return at == classes.end() ? kNone : at->second;
  };
  for (uint32_t object = 0; object < graph.objects.size(); ++object) {
    const uint32_t type = class_of(object);
    if (type == kNone) continue;
    for (size_t i = graph.objects[object].references; i < graph.references.size(); ++i) {
      const HeapGraphReference& reference = graph.references[i];
      if (text(reference.field_name) == kSuperClass && reference.owned != kNone)
        graph.classes[type].superclass = class_of(reference.owned);
      if (reference.last) break;
    }
  }
}

// Rows are in the order in which objects and classes first occur.
class Maker {
 public:
  Maker(const HeapGraphSeries& series, EventSink& sink) : series_(series), sink_(sink) {}

  HeapGraph make() {
    graph_.heap_size = series_.heap_size;
    graph_.truncated = series_.truncated;
    for (const auto& [id, type] : series_.types) types_.try_emplace(id, &type);
    for (const HeapGraphSeries::Object& object : series_.objects) add_object(object);
    std::vector<uint64_t> ids;
    for (const auto& [id, type] : series_.types) ids.push_back(id);
    std::ranges::sort(ids);
    for (const uint64_t id : ids) describe(*type(id), graph_.classes[class_of(id)]);
    add_roots();
    find_superclasses(graph_, sink_);
    add_native_sizes();
    return std::move(graph_);
  }

 private:
  uint32_t object_of(uint64_t id) {
    const auto [at, is_new] =
        objects_.try_emplace(id, static_cast<uint32_t>(graph_.objects.size()));
    if (is_new) graph_.objects.push_back({.self_size = -1});
    return at->second;
  }

  uint32_t class_of(uint64_t id) {
    const auto [at, is_new] =
        classes_.try_emplace(id, static_cast<uint32_t>(graph_.classes.size()));
    if (is_new) graph_.classes.push_back({});
    return at->second;
  }

  const HeapGraphSeries::Type* type(uint64_t id) const {
    const auto at = types_.find(id);
    return at == types_.end() ? nullptr : at->second;
  }

  void describe(const HeapGraphSeries::Type& type, HeapGraphClass& made) {
    made.name = type.name;
    made.kind = sink_.string(name_of(kKinds, type.kind));
    if (const auto at = series_.locations.find(type.location); at != series_.locations.end())
      made.location = at->second;
    if (type.classloader != 0) made.classloader = object_of(type.classloader);
  }

  // Returns the fields of an object without field ids: those of its class, then of its
  // superclasses.
  std::vector<uint64_t> fields_of(const HeapGraphSeries::Object& object) const {
    constexpr int kMaxSuperclasses = 1000;
    if (!object.fields.empty()) return object.fields;
    std::vector<uint64_t> all;
    const HeapGraphSeries::Type* at = type(object.type);
    for (int i = 0; at != nullptr && i < kMaxSuperclasses; ++i) {
      all.insert(all.end(), at->fields.begin(), at->fields.end());
      if (all.size() >= object.references.size()) break;
      at = type(at->superclass);
    }
    return all;
  }

  void add_object(const HeapGraphSeries::Object& object) {
    const uint32_t row = object_of(object.id);
    const HeapGraphSeries::Type* known = type(object.type);
    HeapGraphObject made = graph_.objects[row];
    made.type = class_of(object.type);
    made.self_size = static_cast<int64_t>(object.self_size);
    if (object.self_size == 0 && known != nullptr)
      made.self_size = static_cast<int64_t>(known->object_size);
    if (object.heap_type != 0) made.heap_type = sink_.string(name_of(kHeapTypes, object.heap_type));
    const size_t first_reference = graph_.references.size();
    const std::vector<uint64_t> fields =
        object.references.empty() ? std::vector<uint64_t>() : fields_of(object);
    for (size_t i = 0; i < object.references.size(); ++i) {
      HeapGraphReference reference{.owner = row};
      if (object.references[i] != 0) reference.owned = object_of(object.references[i]);
      const auto field = i < fields.size() ? series_.fields.find(fields[i]) : series_.fields.end();
      if (field != series_.fields.end()) {
        reference.field_name = field->second.name;
        reference.field_type = field->second.type;
      }
      graph_.references.push_back(reference);
    }
    for (const uint64_t id : object.internal_references) {
      const uint32_t owned = id == 0 ? kNone : object_of(id);
      graph_.references.push_back(
          {.owner = row, .owned = owned, .field_name = sink_.string("runtimeInternalObjects")});
    }
    if (graph_.references.size() > first_reference) {
      made.references = static_cast<uint32_t>(first_reference);
      graph_.references.back().last = true;
    }
    if (object.bitmap) {
      made.bitmap = static_cast<uint32_t>(graph_.bitmaps.size());
      graph_.bitmaps.push_back(*object.bitmap);
    }
    graph_.objects[row] = made;
    if (object.registry_size) registry_sizes_[row] = *object.registry_size;
    if (object.native_size) {
      graph_.objects[row].native_size = *object.native_size;
      has_native_sizes_ = true;
    }
  }

  // Marks roots. An object with several reasons gets the first one, except that some replace
  // others. Objects of the system image are roots, too.
  void add_roots() {
    std::vector<uint32_t> roots;
    std::vector<uint8_t> ranks(graph_.objects.size(), kNoRoot);
    const auto add = [&](uint32_t object, uint64_t kind) {
      const uint8_t rank = rank_of_root(kind);
      if (ranks[object] == kNoRoot) roots.push_back(object);
      if (ranks[object] <= rank) return;
      ranks[object] = rank;
      graph_.objects[object].root_type = sink_.string(name_of(kRootTypes, kind));
    };
    for (const auto& [id, kind] : series_.roots)
      if (const auto at = objects_.find(id); at != objects_.end()) add(at->second, kind);
    for (const HeapGraphSeries::Object& object : series_.objects)
      if (object.heap_type == kZygote || object.heap_type == kBootImage)
        add(objects_.at(object.id), kVmInternal);
    std::vector<bool> has_weak_referent(graph_.classes.size());
    for (const auto& [id, index] : classes_)
      if (const HeapGraphSeries::Type* known = type(id))
        has_weak_referent[index] =
            known->kind == kWeak || known->kind == kFinalizer || known->kind == kPhantom;
    mark_reachable(graph_, roots, has_weak_referent, sink_.string(kReferent));
  }

  static constexpr uint8_t kNoRoot = 0xff;
  // Returns the rank of a kind of root: lower ranks replace higher ones.
  static uint8_t rank_of_root(uint64_t kind) {
    constexpr uint8_t kOther = 3;
    switch (kind) {
      case kStickyClass:
        return 0;
      case kJniGlobal:
        return 1;
      case kJniLocal:
        return 2;
      default:
        return kOther;
    }
  }

  // Returns the object to which a field refers; kNone if there is none.
  uint32_t referred(uint32_t object, std::string_view field) const {
    for (size_t i = graph_.objects[object].references; i < graph_.references.size(); ++i) {
      const HeapGraphReference& reference = graph_.references[i];
      if (reference.field_name && sink_.batch().strings.get(reference.field_name) == field)
        return reference.owned;
      if (reference.last) break;
    }
    return kNone;
  }

  // Native memory belongs to the object whose cleaner frees it. The cleaner refers to a registry,
  // which has the size. A cleaner that is its own successor has run.
  void add_native_sizes() {
    if (registry_sizes_.empty() || has_native_sizes_) return;
    constexpr int64_t kIsMalloced = 1;
    for (uint32_t i = 0; i < graph_.objects.size(); ++i) {
      const uint32_t type = graph_.objects[i].type;
      if (type == kNone || !graph_.classes[type].name ||
          sink_.batch().strings.get(graph_.classes[type].name) != kCleaner)
        continue;
      const uint32_t referent = referred(i, kReferent);
      const uint32_t thunk = referred(i, kThunk);
      if (referent == kNone || thunk == kNone || referred(i, kNextCleaner) == i) continue;
      const auto size = registry_sizes_.find(referred(thunk, kRegistry));
      if (size != registry_sizes_.end())
        add_saturated(graph_.objects[referent].native_size, size->second & ~kIsMalloced);
    }
  }

  const HeapGraphSeries& series_;
  EventSink& sink_;
  HeapGraph graph_;
  absl::flat_hash_map<uint64_t, const HeapGraphSeries::Type*> types_;
  absl::flat_hash_map<uint64_t, uint32_t> objects_, classes_;
  absl::flat_hash_map<uint32_t, int64_t> registry_sizes_;  // by object
  bool has_native_sizes_ = false;
};

}  // namespace

uint64_t heap_type_number(std::string_view name) { return number_of(kHeapTypes, name); }
uint64_t heap_root_number(std::string_view name) { return number_of(kRootTypes, name); }
uint64_t heap_class_kind_number(std::string_view name) { return number_of(kKinds, name); }

void mark_reachable(HeapGraph& graph, const std::vector<uint32_t>& roots,
                    const std::vector<bool>& has_weak_referent, StringId referent_field) {
  std::vector<uint32_t> open;
  const auto reach = [&](uint32_t object) {
    if (object == kNone || graph.objects[object].reachable) return;
    graph.objects[object].reachable = true;
    open.push_back(object);
  };
  for (const uint32_t root : roots) reach(root);
  while (!open.empty()) {
    const uint32_t object = open.back();
    open.pop_back();
    const uint32_t type = graph.objects[object].type;
    const bool is_weak = type != kNone && has_weak_referent[type];
    for (size_t i = graph.objects[object].references; i < graph.references.size(); ++i) {
      const HeapGraphReference& reference = graph.references[i];
      if (!is_weak || reference.field_name != referent_field) reach(reference.owned);
      if (reference.last) break;
    }
  }
}

HeapGraph heap_graph_of(const HeapGraphSeries& series, EventSink& sink) {
  return Maker(series, sink).make();
}

}  // namespace tracebraid::proto
