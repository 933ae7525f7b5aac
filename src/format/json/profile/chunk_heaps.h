// PieceHeaps: references in heap dumps of a chunk, for FileHeaps
// (format/json/profile/file_heaps.h).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "event/sink.h"

namespace tracebraid::json {

// A type that an entry of version 1 refers to.
struct HeapType {
  uint32_t entry;  // index of memory.heaps
  int64_t pid;
  StringId type;
};

// The data of a dump of version 2. Ids are texts: those of the file, or of its batch.
struct HeapProfile {
  struct Node {
    std::string id, name, parent;  // name: id of a string; parent: empty for a root
  };
  struct Named {
    std::string id, name;  // of a string: its text; of a type: id of a string
  };
  struct Entry {
    uint32_t entry;  // index of memory.heaps
    StringId node, type;
  };
  int64_t ts, pid;
  std::vector<Named> strings, types;
  std::vector<Node> nodes;
  std::vector<Entry> entries;
};

struct ChunkHeaps {
  std::vector<std::pair<int64_t, std::string>> type_names;  // by pid: args of 'M' typeNames
  std::vector<HeapType> types;
  std::vector<HeapProfile> profiles;
};

}  // namespace tracebraid::json
