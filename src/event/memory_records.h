// Memory dumps: the record of one event of a dump (spec json 4.15). Events with the same id form
// one dump; assemble computes its sizes.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/id.h"
#include "event/names.h"

namespace tracebraid {

// The range [first, first + count) of one of the lists below.
struct MemoryRange {
  uint32_t first = 0, count = 0;
};

enum class MemoryDetail : int8_t { NotSaid = -1, Background, Light, Detailed };

// The record of a MemoryDump event.
struct MemoryDump {
  uint32_t id = kNone;       // index of json_ids
  uint32_t process = kNone;  // index of the process names; kNone: all processes ('V')
  MemoryDetail detail = MemoryDetail::NotSaid;
  MemoryRange totals, nodes, edges, regions, heaps;
};

struct MemoryTotal {
  StringId name;
  int64_t value = 0;  // bytes, or 0 and 1
  bool is_platform_specific = false;
};

struct MemoryNode {
  StringId path;
  StringId guid;           // none if not given
  bool is_global = false;  // the path began with global/
  bool is_weak = false;
  MemoryRange attributes;
};

struct MemoryAttribute {
  StringId name, unit;
  StringId text;  // none if it is a number
  int64_t value = 0;
};

struct MemoryEdge {
  StringId source, target;   // guids
  bool is_ownership = true;  // else retention
  int64_t importance = 0;
};

struct MemoryRegion {
  int64_t start = 0, size = 0;  // bytes; addresses above 2^63 are negative
  int64_t protection = 0;
  StringId file;
  // Bytes, each kUnset if not given.
  enum : size_t {
    kProportional,
    kPrivateClean,
    kPrivateDirty,
    kSharedClean,
    kSharedDirty,
    kSwapped
  };
  int64_t bytes[6];
};

// Bytes of one callstack and type in a heap dump (spec json 4.15).
struct MemoryHeapEntry {
  StringId allocator;
  StringId type;                                        // none: all types
  uint32_t callsite = kNone;                            // index of the callsites; kNone: the root
  int64_t size = 0;                                     // bytes
  int64_t count = std::numeric_limits<int64_t>::min();  // number of objects; kUnset if not given
  bool is_v2 = false;                                   // from heaps_v2
};

struct MemoryRecords {
  std::vector<MemoryDump> dumps;
  std::vector<MemoryTotal> totals;
  std::vector<MemoryNode> nodes;
  std::vector<MemoryAttribute> attributes;
  std::vector<MemoryEdge> edges;
  std::vector<MemoryRegion> regions;
  std::vector<MemoryHeapEntry> heap_entries;
};

}  // namespace tracebraid
