#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "export/perfetto/heaps.h"
#include "export/perfetto/tables.h"
#include "format/proto/profile/heap_graph.h"
#include "format/proto/recording/own.h"

namespace tracebraid::perfetto {
namespace {

constexpr uint32_t kNoRow = OptRow::kNull;

// Rows [begin, end).
struct Rows {
  uint32_t begin = 0, end = 0;
};
struct GraphRows {
  Rows objects, classes;
};

// Rows of a graph are consecutive. Classes without objects belong to the graph before them.
std::vector<GraphRows> rows_of_graphs(const Store& store) {
  const HeapGraphTable& graphs = store.heap_graphs;
  const HeapGraphObjectTable& objects = store.heap_graph_objects;
  std::vector<GraphRows> all(graphs.rows());
  uint32_t object = 0;
  for (uint32_t graph = 0; graph < graphs.rows(); ++graph) {
    uint32_t first_class = kNoRow;
    all[graph].objects.begin = object;
    for (; object < objects.rows() && objects.upid[object].row == graphs.upid[graph].row &&
           objects.graph_sample_ts[object] == graphs.ts[graph];
         ++object)
      first_class = std::min(first_class, objects.type_id[object].row);
    all[graph].objects.end = object;
    all[graph].classes.begin = graph == 0 ? 0 : first_class;
  }
  uint32_t end = static_cast<uint32_t>(store.heap_graph_classes.rows());
  for (size_t graph = all.size(); graph-- > 0;) {
    Rows& classes = all[graph].classes;
    classes.begin = std::min(classes.begin, end);
    classes.end = std::exchange(end, classes.begin);
  }
  return all;
}

// Writes one graph as a series of packets.
class GraphWriter {
 public:
  GraphWriter(const Store& store, uint32_t graph, GraphRows rows, const Descriptors& descriptors,
              Writer writer, PacketFile& file)
      : store_(store),
        graph_(graph),
        rows_(rows),
        descriptors_(descriptors),
        writer_(writer),
        file_(file) {
    // A missing first packet marks the graph as incomplete.
    if (store.heap_graphs.truncated[graph] != 0) index_ = 1;
  }

  Result<> write() {
    for (uint32_t row = rows_.classes.begin; row < rows_.classes.end; ++row) {
      add_class(row);
      TB_TRY(drain());
    }
    for (uint32_t row = rows_.objects.begin; row < rows_.objects.end; ++row) {
      add_object(row);
      TB_TRY(drain());
    }
    add_roots();
    return write_packet(true);
  }

 private:
  static constexpr size_t kPacketBytes = size_t{1} << 18;

  protozero::pbf_writer to() { return protozero::pbf_writer(message_); }
  Result<> drain() { return message_.size() < kPacketBytes ? Result<>() : write_packet(false); }
  Result<> write_packet(bool is_last) {
    {
      Packet packet(file_, writer_, store_.heap_graphs.ts[graph_]);
      using Field = field::HeapGraph;
      protozero::pbf_writer graph = to();
      const uint32_t upid = store_.heap_graphs.upid[graph_].row;
      if (upid != kNoRow) add_pid(upid, graph);
      graph.add_uint64(Field::kIndex, index_++);
      if (!is_last) graph.add_bool(Field::kContinued, true);
      if (const OptInt size = store_.heap_graphs.heap_size[graph_];
          is_last && size.value != OptInt::kNull)
        graph.add_int64(Field::kHeapBytesAllocated, size.value);
      packet->add_message(field::TracePacket::kHeapGraph, message_);
    }
    message_.clear();
    return file_.drain();
  }

  void add_pid(uint32_t upid, protozero::pbf_writer& graph) {
    const int64_t pid = store_.processes.pid[upid];
    const int32_t shown_pid = descriptors_.shown_pid(upid);
    graph.add_int32(field::HeapGraph::kPid, shown_pid);
    if (shown_pid != pid) graph.add_int64(proto::own::kField, pid);
  }

  void add_name(uint32_t field, uint64_t iid, std::string_view name) {
    protozero::pbf_writer graph = to();
    protozero::pbf_writer entry(graph, field);
    entry.add_uint64(field::InternedString::kIid, iid);
    add_text(entry, field::InternedString::kStr, name);
  }

  void add_class(uint32_t row) {
    using Field = field::HeapGraphType;
    const HeapGraphClassTable& classes = store_.heap_graph_classes;
    const StringId location = classes.location[row];
    if (location && locations_.add(location.row))
      add_name(field::HeapGraph::kLocationNames, iid_of(location.row), text(store_, location));
    protozero::pbf_writer graph = to();
    protozero::pbf_writer type(graph, field::HeapGraph::kTypes);
    type.add_uint64(Field::kId, id_of(row, rows_.classes));
    if (location) type.add_uint64(Field::kLocationId, iid_of(location.row));
    if (classes.name[row]) add_text(type, Field::kClassName, text(store_, classes.name[row]));
    if (const OptRow super = classes.superclass_id[row]; super.row != kNoRow)
      type.add_uint64(Field::kSuperclassId, id_of(super.row, rows_.classes));
    type.add_uint64(Field::kKind, proto::heap_class_kind_number(text(store_, classes.kind[row])));
    if (const OptInt loader = classes.classloader_id[row]; loader.value != OptInt::kNull)
      type.add_uint64(Field::kClassloaderId, static_cast<uint64_t>(loader.value));
  }

  // Returns the iid of a field name; 0 without a name.
  uint64_t field_id(uint32_t reference) {
    const HeapGraphReferenceTable& references = store_.heap_graph_references;
    const StringId name = references.field_name[reference],
                   type = references.field_type_name[reference];
    if (!name) return 0;
    const auto [at, added] = fields_.try_emplace(std::pair(name, type), fields_.size() + 1);
    if (added) {
      std::string whole(text(store_, type));
      if (!whole.empty()) whole += ' ';
      add_name(field::HeapGraph::kFieldNames, at->second, whole.append(text(store_, name)));
    }
    return at->second;
  }

  void add_object(uint32_t row) {
    using Field = field::HeapGraphObject;
    const HeapGraphObjectTable& objects = store_.heap_graph_objects;
    const HeapGraphReferenceTable& references = store_.heap_graph_references;
    std::vector<uint64_t> names, owned;
    // The id of a set of references is its first row.
    if (const uint32_t set = objects.reference_set_id[row].row; set != kNoRow) {
      for (uint32_t i = set; i < references.rows() && references.reference_set_id[i] == set; ++i) {
        const OptRow object = references.owned_id[i];
        names.push_back(field_id(i));
        // An object that is not in the graph has the id after the last.
        owned.push_back(
            id_of(object.row == kNoRow ? rows_.objects.end : object.row, rows_.objects));
      }
    }
    protozero::pbf_writer graph = to();
    protozero::pbf_writer object(graph, field::HeapGraph::kObjects);
    object.add_uint64(Field::kId, id_of(row, rows_.objects));
    if (const OptRow type = objects.type_id[row]; type.row != kNoRow)
      object.add_uint64(Field::kTypeId, id_of(type.row, rows_.classes));
    object.add_uint64(Field::kSelfSize, static_cast<uint64_t>(objects.self_size[row]));
    if (objects.native_size[row] != 0)
      object.add_int64(proto::own::kField, objects.native_size[row]);
    const uint64_t heap_type =
        objects.heap_type[row] ? proto::heap_type_number(text(store_, objects.heap_type[row])) : 0;
    if (heap_type != heap_type_) object.add_uint64(Field::kHeapTypeDelta, heap_type_ = heap_type);
    add_bitmap(row, object);
    object.add_packed_uint64(Field::kReferenceFieldId, names.begin(), names.end());
    object.add_packed_uint64(Field::kReferenceObjectId, owned.begin(), owned.end());
    if (objects.root_type[row]) roots_[objects.root_type[row]].push_back(id_of(row, rows_.objects));
  }

  void add_bitmap(uint32_t row, protozero::pbf_writer& object) {
    using Field = field::HeapGraphObject;
    const uint32_t data = store_.heap_graph_objects.object_data_id[row].row;
    if (data == kNoRow) return;
    const uint32_t set = store_.heap_graph_object_data.field_set_id[data].row;
    const HeapGraphPrimitiveTable& fields = store_.heap_graph_primitives;
    for (size_t i = set; i < fields.rows() && fields.field_set_id[i] == set; ++i) {
      const std::string_view name = text(store_, fields.field_name[i]);
      if (name.ends_with(".mId"))
        object.add_int64(Field::kBitmapIdField, fields.long_value[i].value);
      if (name.ends_with(".mSourceId"))
        object.add_int64(Field::kBitmapSourceIdField, fields.long_value[i].value);
      if (name.ends_with(".mWidth"))
        object.add_int64(Field::kBitmapWidthField, fields.int_value[i].value);
      if (name.ends_with(".mHeight"))
        object.add_int64(Field::kBitmapHeightField, fields.int_value[i].value);
    }
  }

  void add_roots() {
    using Field = field::HeapGraphRoot;
    for (const auto& [type, ids] : roots_) {
      protozero::pbf_writer graph = to();
      protozero::pbf_writer root(graph, field::HeapGraph::kRoots);
      root.add_packed_uint64(Field::kObjectIds, ids.begin(), ids.end());
      root.add_uint64(Field::kRootType, proto::heap_root_number(text(store_, type)));
    }
  }

  // The id 0 means none.
  static uint64_t id_of(uint32_t row, Rows rows) { return uint64_t{row} - rows.begin + 1; }

  const Store& store_;
  uint32_t graph_;
  GraphRows rows_;
  const Descriptors& descriptors_;
  Writer writer_;
  PacketFile& file_;
  std::string message_;  // fields of the HeapGraph of the current packet
  uint64_t index_ = 0, heap_type_ = 0;
  Named locations_;
  absl::flat_hash_map<std::pair<StringId, StringId>, uint64_t> fields_;
  std::map<StringId, std::vector<uint64_t>> roots_;
};

}  // namespace

Result<> write_heap_graphs(const Store& store, const Selection& selection, const Machines& machines,
                           const Descriptors& descriptors, PacketFile& file) {
  const std::vector<GraphRows> rows = rows_of_graphs(store);
  for (uint32_t graph = 0; graph < rows.size(); ++graph) {
    const OptRow upid = store.heap_graphs.upid[graph];
    const uint32_t machine =
        upid.row == kNoRow ? store.timeline_machine : store.processes.machine_id[upid.row];
    if (!selection.takes_time(store.heap_graphs.ts[graph], 0) ||
        !selection.takes_machine(machine) || !selection.takes_process(upid))
      continue;
    const Writer writer = machines.samples(machine);
    if (has_java_state(store, graph)) {
      write_java_state(store, graph, writer, file);
      const Rows& objects = rows[graph].objects;
      if (objects.begin == objects.end && store.heap_graphs.heap_size[graph].value == OptInt::kNull)
        continue;
    }
    TB_TRY(GraphWriter(store, graph, rows[graph], descriptors, writer, file).write());
  }
  return {};
}

}  // namespace tracebraid::perfetto
