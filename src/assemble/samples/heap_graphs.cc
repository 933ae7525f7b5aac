#include "assemble/samples/heap_graphs.h"

#include <limits>
#include <optional>
#include <string_view>

namespace tracebraid {

uint32_t HeapGraphs::add_row(int64_t ts, uint32_t upid) {
  HeapGraphTable& table = store_.heap_graphs;
  table.ts.append(ts);
  table.upid.append({upid});
  table.dump_reason.append({});
  table.heap_size.append({});
  table.truncated.append(0);
  return static_cast<uint32_t>(table.rows() - 1);
}

void HeapGraphs::add(int64_t ts, uint32_t upid, const OutOfMemory& state, uint32_t utid,
                     uint32_t callsite) {
  const uint32_t row = add_row(ts, upid);
  rows_.insert_or_assign({upid, ts}, row);
  if (!state.is_out_of_memory) return;
  store_.heap_graphs.dump_reason.at(row) = store_.strings.intern("OOME");
  HeapGraphOomeTable& details = store_.heap_graph_oomes;
  details.heap_graph_id.append(row);
  details.allocation_size_bytes.append(state.allocation_size);
  details.total_bytes_free.append(state.total_free);
  details.free_bytes_until_oom.append(state.free_until);
  details.error_msg.append(state.error);
  if (!state.has_stack) return;
  HeapGraphThreadCallsiteTable& stacks = store_.heap_graph_thread_callsites;
  stacks.heap_graph_id.append(row);
  stacks.utid.append({utid});
  stacks.callsite_id.append({callsite});
}

void HeapGraphs::add(int64_t ts, uint32_t upid, const HeapGraph& graph) {
  const auto known = rows_.find({upid, ts});
  const uint32_t row = known == rows_.end() ? add_row(ts, upid) : known->second;
  store_.heap_graphs.heap_size.at(row) = {graph.heap_size.value_or(OptInt::kNull)};
  store_.heap_graphs.truncated.at(row) = graph.truncated ? 1 : 0;

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
    const bool has_bitmap = object.bitmap < graph.bitmaps.size();
    objects.object_data_id.append(
        {has_bitmap ? add_bitmap(graph.bitmaps[object.bitmap]) : OptRow::kNull});
  }
}

uint32_t HeapGraphs::add_bitmap(const HeapGraphBitmap& bitmap) {
  HeapGraphPrimitiveTable& fields = store_.heap_graph_primitives;
  const auto set = static_cast<uint32_t>(fields.rows());
  const auto add = [&](std::string_view name, std::optional<int64_t> value, bool is_long) {
    if (!value) return;
    fields.field_set_id.append(set);
    fields.field_name.append(store_.strings.intern(name));
    fields.field_type.append(store_.strings.intern(is_long ? "long" : "int"));
    for (auto* column :
         {&fields.bool_value, &fields.byte_value, &fields.char_value, &fields.short_value})
      column->append({});
    fields.int_value.append(is_long ? OptInt{} : OptInt{*value});
    fields.long_value.append(is_long ? OptInt{*value} : OptInt{});
    fields.float_value.append(std::numeric_limits<double>::quiet_NaN());
    fields.double_value.append(std::numeric_limits<double>::quiet_NaN());
  };
  add("android.graphics.Bitmap.mId", bitmap.id, true);
  add("android.graphics.Bitmap.mSourceId", bitmap.source_id, true);
  add("android.graphics.Bitmap.mWidth", bitmap.width, false);
  add("android.graphics.Bitmap.mHeight", bitmap.height, false);
  HeapGraphObjectDataTable& data = store_.heap_graph_object_data;
  data.field_set_id.append({set});
  data.value_string.append({});
  data.array_element_type.append({});
  data.array_element_count.append({});
  data.array_data_id.append({});
  data.array_data_hash.append({});
  return static_cast<uint32_t>(data.rows() - 1);
}

}  // namespace tracebraid
