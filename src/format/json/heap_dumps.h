// Heap dumps inside memory dumps: bytes by callstack and type (spec json 4.15).
//
// Version 1 names frames and types that metadata events list, anywhere in the file.
// Version 2 brings its own lists, each dump of a process adding to those before it in
// time. So pieces note what was named, and FileHeaps looks it up at the end.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "format/json/dom.h"
#include "format/json/members.h"

namespace tracebraid::json {

struct Piece;

// A type that an entry of version 1 names.
struct HeapType {
  uint32_t entry;  // index of memory.heaps
  int64_t pid;
  StringId type;
};

// What a dump of version 2 says. Ids are texts: those of the file, or of its batch.
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

struct PieceHeaps {
  std::vector<std::pair<int64_t, std::string>> type_names;  // by pid: args of 'M' typeNames
  std::vector<HeapType> types;
  std::vector<HeapProfile> profiles;
};

// `heaps` and `heaps_v2` of a dump at `ts` (ns): adds rows to memory.heaps.
void read_heaps(Piece& piece, const Members& members, const Dom& heaps, int64_t pid);
void read_heaps_v2(Piece& piece, const Members& members, const Dom& heaps, int64_t pid, int64_t ts);
// 'M' typeNames.
void note_type_names(Piece& piece, const Members& members);

// The type inside what compilers print for `getStringWithTypeName`; any other text is
// itself.
std::string_view plain_type_name(std::string_view text);

class FileHeaps {
 public:
  using FinalId = std::function<int64_t(int64_t)>;

  // The next piece. `batch` stays where it is until write().
  void settle(PieceHeaps&& heaps, EventBatch& batch, const FinalId& final_id);

  // When all pieces are settled, and the callstacks of version 1 are known.
  void write(EventSink& counts);

 private:
  struct Types {  // of version 1
    EventBatch* batch;
    std::vector<HeapType> types;
  };
  struct Profile {
    EventBatch* batch;
    HeapProfile profile;
  };
  using TypeNames = absl::flat_hash_map<std::string, std::string>;

  void name_types(const Types& types, EventSink& counts) const;

  absl::flat_hash_map<int64_t, TypeNames> type_names_;  // by pid
  int64_t bad_type_names_ = 0;                          // repeated, or no object
  std::vector<Types> types_;
  std::vector<Profile> profiles_;
};

}  // namespace tracebraid::json
