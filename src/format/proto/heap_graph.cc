#include "format/proto/heap_graph.h"

#include <string>

#include "format/proto/fields.h"

namespace tracebraid::proto {
namespace {

constexpr std::string_view kReferent = "java.lang.ref.Reference.referent";
constexpr std::string_view kSuperClass = "java.lang.Class.superClass";
constexpr std::string_view kStaticClass = "java.lang.Class<";

std::string_view heap_type_name(uint64_t type) {
  static constexpr std::string_view kNames[] = {"HEAP_TYPE_UNKNOWN", "HEAP_TYPE_APP",
                                                "HEAP_TYPE_ZYGOTE", "HEAP_TYPE_BOOT_IMAGE"};
  return kNames[type < std::size(kNames) ? type : 0];
}

std::string_view root_name(uint64_t type) {
  static constexpr std::string_view kNames[] = {
      "ROOT_UNKNOWN",           "ROOT_JNI_GLOBAL",      "ROOT_JNI_LOCAL",    "ROOT_JAVA_FRAME",
      "ROOT_NATIVE_STACK",      "ROOT_STICKY_CLASS",    "ROOT_THREAD_BLOCK", "ROOT_MONITOR_USED",
      "ROOT_THREAD_OBJECT",     "ROOT_INTERNED_STRING", "ROOT_FINALIZING",   "ROOT_DEBUGGER",
      "ROOT_REFERENCE_CLEANUP", "ROOT_VM_INTERNAL",     "ROOT_JNI_MONITOR"};
  return kNames[type < std::size(kNames) ? type : 0];
}

constexpr uint64_t kWeak = 9, kFinalizer = 10, kPhantom = 11;
std::string_view kind_name(uint64_t kind) {
  static constexpr std::string_view kNames[] = {"KIND_UNKNOWN",
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
  return kNames[kind < std::size(kNames) ? kind : 0];
}

struct Text {
  uint64_t iid = 0;
  std::string_view text;
};
Text read_text(Message fields) {
  Text entry;
  while (fields.next()) {
    if (fields.number() == field::InternedString::kIid) entry.iid = fields.u64();
    if (fields.number() == field::InternedString::kStr) entry.text = fields.bytes();
  }
  return entry;
}

// The superclass of a class is what its class object refers to as such.
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

}  // namespace

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

void HeapGraphReader::read(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::HeapGraph;
  Series& series = series_[{packet.machine, packet.sequence->id}];
  bool goes_on = false;
  uint64_t index = 0;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kPid:
        series.pid = fields.i32();
        break;
      case Field::kObjects:
        read_object(fields.message(), series);
        break;
      case Field::kTypes:
        read_type(fields.message(), series, out.sink);
        break;
      case Field::kFieldNames: {
        // "type name", or only a name.
        const Text entry = read_text(fields.message());
        const size_t blank = entry.text.find(' ');
        HeapGraphReader::FieldName made;
        if (blank != std::string_view::npos)
          made.type = out.sink.string(entry.text.substr(0, blank));
        made.name = out.sink.string(blank == std::string_view::npos ? entry.text
                                                                    : entry.text.substr(blank + 1));
        series.fields[entry.iid] = made;
        break;
      }
      case Field::kLocationNames: {
        const Text entry = read_text(fields.message());
        series.locations[entry.iid] = out.sink.string(entry.text);
        break;
      }
      case Field::kRoots: {
        std::vector<uint64_t> ids;
        uint64_t type = 0;
        for (Message root = fields.message(); root.next();) {
          if (root.number() == field::HeapGraphRoot::kObjectIds)
            for_each_varint(root, [&](uint64_t id) { ids.push_back(id); });
          if (root.number() == field::HeapGraphRoot::kRootType) type = root.u64();
        }
        for (const uint64_t id : ids) series.roots.emplace_back(id, type);
        break;
      }
      case Field::kHeapBytesAllocated:
        series.heap_size = fields.i64();
        break;
      case Field::kContinued:
        goes_on = fields.flag();
        break;
      case Field::kIndex:
        index = fields.u64();
        break;
      default:
        break;
    }
  }
  const uint64_t expected = series.last_index ? *series.last_index + 1 : 0;
  if (index != expected) {
    series.truncated = true;
    out.sink.tally(Stat::heap_graph_missing_packet, 1, packet.machine,
                   static_cast<int32_t>(series.pid.value_or(0)));
  }
  series.last_index = index;
  if (goes_on) return;
  std::vector<HeapGraph>& graphs = out.sink.batch().stacks.heap_graphs;
  Event event =
      make_event(packet.time, EventKind::HeapGraph, out.process(packet, series.pid.value_or(0)));
  event.extra = static_cast<uint32_t>(graphs.size());
  graphs.push_back(make_graph(series, out.sink));
  out.sink.event(event);
  series = {};
}

void HeapGraphReader::read_object(Message message, Series& series) {
  using Field = field::HeapGraphObject;
  Object object;
  uint64_t base = 0;
  while (message.next()) {
    switch (message.number()) {
      case Field::kId:
        object.id = message.u64();
        break;
      case Field::kIdDelta:
        object.id = series.last_id + message.u64();
        break;
      case Field::kTypeId:
        object.type = message.u64();
        break;
      case Field::kSelfSize:
        object.self_size = message.u64();
        break;
      case Field::kReferenceFieldId:
        for_each_varint(message, [&](uint64_t id) { object.fields.push_back(id); });
        break;
      case Field::kReferenceObjectId:
        for_each_varint(message, [&](uint64_t id) { object.references.push_back(id); });
        break;
      case Field::kReferenceFieldIdBase:
        base = message.u64();
        break;
      case Field::kNativeAllocationRegistrySizeField:
        object.native_size = message.i64();
        break;
      case Field::kHeapTypeDelta:
        series.last_heap_type = message.u64();
        break;
      default:
        break;
    }
  }
  for (uint64_t& id : object.fields)
    if (id != 0) id += base;
  object.heap_type = series.last_heap_type;
  series.last_id = object.id;
  series.objects.push_back(std::move(object));
}

void HeapGraphReader::read_type(Message message, Series& series, EventSink& sink) {
  using Field = field::HeapGraphType;
  uint64_t id = 0;
  Type type;
  while (message.next()) {
    switch (message.number()) {
      case Field::kId:
        id = message.u64();
        break;
      case Field::kLocationId:
        type.location = message.u64();
        break;
      case Field::kClassName:
        type.name = sink.string(message.bytes());
        break;
      case Field::kObjectSize:
        type.object_size = message.u64();
        break;
      case Field::kSuperclassId:
        type.superclass = message.u64();
        break;
      case Field::kReferenceFieldId:
        for_each_varint(message, [&](uint64_t iid) { type.fields.push_back(iid); });
        break;
      case Field::kKind:
        type.kind = message.u64();
        break;
      case Field::kClassloaderId:
        type.classloader = message.u64();
        break;
      default:
        break;
    }
  }
  series.types.emplace_back(id, std::move(type));
}

HeapGraph HeapGraphReader::make_graph(Series& series, EventSink& sink) const {
  HeapGraph graph;
  graph.heap_size = series.heap_size;
  graph.truncated = series.truncated;
  absl::flat_hash_map<uint64_t, uint32_t> types, objects;
  std::vector<bool> has_weak_referent;
  for (const auto& [id, type] : series.types) {
    types.try_emplace(id, static_cast<uint32_t>(graph.classes.size()));
    HeapGraphClass made;
    made.name = type.name;
    if (const auto at = series.locations.find(type.location); at != series.locations.end())
      made.location = at->second;
    made.kind = sink.string(kind_name(type.kind));
    if (type.classloader != 0) made.classloader_id = static_cast<int64_t>(type.classloader);
    has_weak_referent.push_back(type.kind == kWeak || type.kind == kFinalizer ||
                                type.kind == kPhantom);
    graph.classes.push_back(made);
  }
  for (uint32_t i = 0; i < series.objects.size(); ++i) objects.try_emplace(series.objects[i].id, i);

  // The fields of an object that names none are those of its class, then its superclasses'.
  constexpr int kMaxSuperclasses = 1000;
  const auto fields_of = [&](const Object& object) {
    if (!object.fields.empty()) return object.fields;
    std::vector<uint64_t> all;
    uint64_t type_id = object.type;
    for (int i = 0; i < kMaxSuperclasses; ++i) {
      const auto at = types.find(type_id);
      if (at == types.end()) break;
      const Type& type = series.types[at->second].second;
      all.insert(all.end(), type.fields.begin(), type.fields.end());
      type_id = type.superclass;
    }
    return all;
  };
  for (const Object& object : series.objects) {
    HeapGraphObject made;
    const auto type = types.find(object.type);
    if (type != types.end()) made.type = type->second;
    made.self_size = static_cast<int64_t>(object.self_size.value_or(
        type == types.end() ? 0 : series.types[type->second].second.object_size));
    made.native_size = object.native_size;
    if (object.heap_type != 0) made.heap_type = sink.string(heap_type_name(object.heap_type));
    const std::vector<uint64_t> fields = fields_of(object);
    const size_t first = graph.references.size();
    for (size_t i = 0; i < object.references.size(); ++i) {
      if (object.references[i] == 0) continue;  // a null
      HeapGraphReference reference;
      if (const auto at = objects.find(object.references[i]); at != objects.end())
        reference.owned = at->second;
      const auto field = i < fields.size() ? series.fields.find(fields[i]) : series.fields.end();
      if (field != series.fields.end()) {
        reference.field_name = field->second.name;
        reference.field_type = field->second.type;
      }
      graph.references.push_back(reference);
    }
    if (graph.references.size() > first) {
      graph.references.back().last = true;
      made.references = static_cast<uint32_t>(first);
    }
    graph.objects.push_back(made);
  }
  std::vector<uint32_t> roots;
  for (const auto& [id, type] : series.roots) {
    const auto at = objects.find(id);
    if (at == objects.end()) continue;
    roots.push_back(at->second);
    graph.objects[at->second].root_type = sink.string(root_name(type));
  }
  mark_reachable(graph, roots, has_weak_referent, sink.string(kReferent));
  find_superclasses(graph, sink);
  return graph;
}

void HeapGraphReader::finish(PacketOutput& out) {
  for (const auto& [key, series] : series_)
    if (series.last_index) out.sink.tally(Stat::heap_graph_non_finalized_graph, 1, key.first);
}

}  // namespace tracebraid::proto
