// Heap dumps of a whole file: types and frames that its dumps name (spec json 4.15).
//
// Version 1 refers to frames and types that metadata events list, anywhere in the file. Version 2
// has lists of its own; each dump of a process extends those of earlier dumps. Chunks therefore
// store references, and FileHeaps resolves them at the end.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "format/json/profile/chunk_heaps.h"

namespace tracebraid::json {

// Returns the type in the text that compilers print for `getStringWithTypeName`; any other text is
// returned unchanged.
std::string_view plain_type_name(std::string_view text);

class FileHeaps {
 public:
  using FinalId = std::function<int64_t(int64_t)>;

  // Takes the next chunk. `batch` must not move until write().
  void settle(ChunkHeaps&& heaps, EventBatch& batch, const FinalId& final_id);

  // Call when all chunks are settled, and the callstacks of version 1 are known.
  void write(EventSink& counts);

 private:
  struct Types {  // types of version 1
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
