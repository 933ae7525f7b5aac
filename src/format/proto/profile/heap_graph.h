// Java heap graphs (spec proto 6.8).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "format/common/proto_wire.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// An unfinished series of packets of one writer.
struct HeapGraphSeries {
  struct Object {
    uint64_t id = 0, type = 0;
    uint64_t self_size = 0;                // 0: that of the class
    std::optional<int64_t> registry_size;  // of a registry of native memory
    std::optional<int64_t> native_size;    // from our exporter
    uint64_t heap_type = 0;
    std::vector<uint64_t> fields, references;  // by iid and id
    std::vector<uint64_t> internal_references;
    std::optional<HeapGraphBitmap> bitmap;
  };
  struct Type {
    uint64_t location = 0, superclass = 0, kind = 0, classloader = 0;
    uint64_t object_size = 0;
    StringId name;
    std::vector<uint64_t> fields;
  };
  struct FieldName {
    StringId name, type;
  };
  // The process and time of the first object or root; and the place of the graph in the list of the
  // batch.
  struct Place {
    int64_t pid = 0;
    EventTime time;
    size_t graph = 0;
  };
  std::optional<Place> place;
  std::optional<uint64_t> last_index;
  uint64_t last_id = 0, last_heap_type = 0;
  std::optional<int64_t> heap_size;
  bool truncated = false;
  std::vector<Object> objects;
  std::vector<std::pair<uint64_t, uint64_t>> roots;  // object id, kind of root
  std::vector<std::pair<uint64_t, Type>> types;
  absl::flat_hash_map<uint64_t, FieldName> fields;
  absl::flat_hash_map<uint64_t, StringId> locations;
};

HeapGraph heap_graph_of(const HeapGraphSeries& series, EventSink& sink);

class HeapGraphReader {
 public:
  void read(const PacketInfo& packet, std::string_view message, PacketOutput& out);
  // Ends and counts unfinished graphs.
  void finish(PacketOutput& out);

 private:
  // Returns whether objects and roots of a packet belong to the series, which begins with the first
  // of them.
  static bool is_of_series(const PacketInfo& packet, int64_t pid, HeapGraphSeries& series,
                           PacketOutput& out);
  static void read_objects(const PacketInfo& packet, std::string_view message, int64_t pid,
                           HeapGraphSeries& series, PacketOutput& out);
  // Returns false if the object is malformed.
  static bool read_object(Message message, HeapGraphSeries& series);
  static void read_type(Message message, HeapGraphSeries& series, EventSink& sink);

  absl::flat_hash_map<std::pair<uint32_t, uint32_t>, HeapGraphSeries> series_;  // machine, sequence
};

// Return numbers of HeapGraphObject.HeapType, HeapGraphRoot.Type and HeapGraphType.Kind; 0 for
// other names.
uint64_t heap_type_number(std::string_view name);
uint64_t heap_root_number(std::string_view name);
uint64_t heap_class_kind_number(std::string_view name);

// Marks the objects that are reachable from the roots, except through weak references.
void mark_reachable(HeapGraph& graph, const std::vector<uint32_t>& roots,
                    const std::vector<bool>& has_weak_referent, StringId referent_field);

}  // namespace tracebraid::proto
