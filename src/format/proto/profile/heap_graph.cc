#include "format/proto/profile/heap_graph.h"

#include <algorithm>
#include <string>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/stats.h"
#include "format/proto/recording/own.h"

namespace tracebraid::proto {
namespace {

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

// Parses "type name", or only a name.
HeapGraphSeries::FieldName field_name_of(std::string_view text, EventSink& sink) {
  const size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return {.name = sink.string(text), .type = {}};
  const StringId type = sink.string(text.substr(0, blank));
  return {.name = sink.string(text.substr(blank + 1)), .type = type};
}

void read_roots(Message message, HeapGraphSeries& series) {
  std::vector<uint64_t> ids;
  uint64_t type = 0;
  while (message.next()) {
    if (message.number() == field::HeapGraphRoot::kObjectIds)
      for_each_varint(message, [&](uint64_t id) { ids.push_back(id); });
    if (message.number() == field::HeapGraphRoot::kRootType) type = message.u64();
  }
  for (const uint64_t id : ids) series.roots.emplace_back(id, type);
}

int64_t count_roots(Message message) {
  int64_t count = 0;
  while (message.next())
    if (message.number() == field::HeapGraphRoot::kObjectIds)
      for_each_varint(message, [&](uint64_t) { ++count; });
  return count;
}

}  // namespace

void HeapGraphReader::read(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::HeapGraph;
  HeapGraphSeries& series = series_[{packet.machine, packet.sequence->id}];
  bool goes_on = false;
  uint64_t index = 0;
  int64_t pid = 0;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kPid:
        pid = fields.i32();
        break;
      case own::kField:
        pid = fields.i64();
        break;
      case Field::kTypes:
        read_type(fields.message(), series, out.sink);
        break;
      case Field::kFieldNames: {
        const Text entry = read_text(fields.message());
        series.fields[entry.iid] = field_name_of(entry.text, out.sink);
        break;
      }
      case Field::kLocationNames: {
        const Text entry = read_text(fields.message());
        series.locations[entry.iid] = out.sink.string(entry.text);
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
  read_objects(packet, message, pid, series, out);
  const uint64_t expected = series.last_index ? *series.last_index + 1 : 0;
  if (index != expected) {
    series.truncated = true;
    out.sink.tally(stats::heap_graph_missing_packet, 1, packet.machine, static_cast<int32_t>(pid));
  }
  series.last_index = index;
  if (goes_on) return;
  if (!series.place)
    is_of_series(packet, pid, series, out);  // a graph without objects is a row, too
  out.sink.batch().stacks.heap_graphs[series.place->graph] = heap_graph_of(series, out.sink);
  series = {};
}

bool HeapGraphReader::is_of_series(const PacketInfo& packet, int64_t pid, HeapGraphSeries& series,
                                   PacketOutput& out) {
  if (series.place) {
    const EventTime& begin = series.place->time;
    const bool is_same_time =
        !packet.has_time || (packet.time.ticks == begin.ticks && packet.time.clock == begin.clock);
    return is_same_time && pid == series.place->pid;
  }
  std::vector<HeapGraph>& graphs = out.sink.batch().stacks.heap_graphs;
  series.place = {pid, packet.time, graphs.size()};
  out.sink.event(
      make_heap_graph(packet.time, out.process(packet, pid), static_cast<uint32_t>(graphs.size())));
  graphs.emplace_back();
  return true;
}

void HeapGraphReader::read_objects(const PacketInfo& packet, std::string_view message, int64_t pid,
                                   HeapGraphSeries& series, PacketOutput& out) {
  using Field = field::HeapGraph;
  for (Message fields(message); fields.next();) {
    const bool is_object = fields.number() == Field::kObjects;
    if (!is_object && fields.number() != Field::kRoots) continue;
    if (!is_of_series(packet, pid, series, out)) {
      const int64_t dropped = is_object ? 1 : count_roots(fields.message());
      out.sink.tally(stats::heap_graph_non_finalized_graph, dropped, packet.machine);
    } else if (!is_object) {
      read_roots(fields.message(), series);
    } else if (!read_object(fields.message(), series)) {
      out.sink.tally(stats::heap_graph_malformed_packet, 1, packet.machine,
                     static_cast<int32_t>(pid));
    }
  }
}

bool HeapGraphReader::read_object(Message message, HeapGraphSeries& series) {
  using Field = field::HeapGraphObject;
  HeapGraphSeries::Object object;
  uint64_t base = 0;
  const auto bitmap = [&]() -> HeapGraphBitmap& {
    return object.bitmap ? *object.bitmap : object.bitmap.emplace();
  };
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
        object.registry_size = message.i64();
        break;
      case Field::kRuntimeInternalObjectId:
        for_each_varint(message, [&](uint64_t id) { object.internal_references.push_back(id); });
        break;
      case Field::kBitmapIdField:
        bitmap().id = message.i64();
        break;
      case Field::kBitmapSourceIdField:
        bitmap().source_id = message.i64();
        break;
      case Field::kBitmapWidthField:
        bitmap().width = message.i32();
        break;
      case Field::kBitmapHeightField:
        bitmap().height = message.i32();
        break;
      case own::kField:
        object.native_size = message.i64();
        break;
      case Field::kHeapTypeDelta:
        series.last_heap_type = message.u64();
        break;
      default:
        break;
    }
  }
  for (uint64_t& id : object.references)
    if (id != 0) id += base;
  object.heap_type = series.last_heap_type;
  if (!object.fields.empty() && object.fields.size() != object.references.size()) return false;
  series.last_id = object.id;
  series.objects.push_back(std::move(object));
  return true;
}

void HeapGraphReader::read_type(Message message, HeapGraphSeries& series, EventSink& sink) {
  using Field = field::HeapGraphType;
  uint64_t id = 0;
  HeapGraphSeries::Type type;
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

void HeapGraphReader::finish(PacketOutput& out) {
  std::vector<HeapGraphSeries*> left;
  for (auto& [key, series] : series_) {
    if (!series.last_index) continue;
    out.sink.tally(stats::heap_graph_non_finalized_graph, 1, key.first);
    if (series.place) left.push_back(&series);
  }
  std::ranges::sort(left, {}, [](const HeapGraphSeries* series) { return series->place->graph; });
  for (const HeapGraphSeries* series : left)
    out.sink.batch().stacks.heap_graphs[series->place->graph] = heap_graph_of(*series, out.sink);
}

}  // namespace tracebraid::proto
