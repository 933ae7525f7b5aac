// Callstacks of a whole file: frames of all chunks, resolved at its end (spec json 3.6, 4.12, 5.1,
// 5.2).
//
// Frames may come after the events that refer to them, and in another chunk. A chunk therefore
// stores references, and FileStacks resolves them when the file has been read.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "format/json/profile/chunk_stacks.h"
#include "format/json/wire/dom.h"

namespace tracebraid::json {

// A frame of `stackFrames`.
struct FrameFact {
  std::string name, category, file, parent;
  bool has_parent = false;
  int64_t line = kNoLine, address = 0;
};

class FileStacks {
 public:
  using FinalId = std::function<int64_t(int64_t)>;

  // Adds a member of the file's `stackFrames`, as JSON.
  void add_frame(std::string_view id, std::string_view json) { add_frame(kNoId, id, json); }
  void add_sample(std::string_view json) { samples_.emplace_back(json); }
  bool has_samples() const { return !samples_.empty(); }

  // Takes the next chunk. `batch` must not move until write(). `final_id` converts numbers of the
  // chunk to those of the file.
  void settle(ChunkStacks&& stacks, EventBatch& batch, const FinalId& final_id);

  // Call when all chunks are settled: resolves the frames, and adds samples to `sink`. `number_for`
  // returns the number of a tid that is a text. `has_events`: whether the file has events outside
  // of `samples`.
  void write(EventSink& sink, uint32_t clock, bool has_events,
             const std::function<int64_t(const std::string&)>& number_for);

 private:
  using Key = std::pair<int64_t, std::string>;  // pid, or kNoId for the file; id
  struct Chunk {
    EventBatch* batch;
    std::vector<StackRef> refs;
  };

  void add_frame(int64_t scope, std::string_view id, std::string_view json);
  void add_frame(int64_t scope, std::string_view id, const Dom& dom);
  uint32_t find(int64_t pid, const std::string& id) const;
  void resolve_parents(EventSink& sink);
  uint32_t callsite(EventSink& sink, uint32_t frame, std::vector<uint32_t>& callsites);
  void resolve(Chunk& chunk, EventSink& counts);
  void write_sample(const Dom& sample, EventSink& sink, uint32_t clock, bool has_events,
                    std::vector<uint32_t>& callsites,
                    const std::function<int64_t(const std::string&)>& number_for);

  std::vector<FrameFact> frames_;
  std::vector<int64_t> scopes_;    // of the frames
  std::vector<uint32_t> parents_;  // of the frames, once known
  std::vector<bool> in_cycle_;     // of the frames: reported already
  absl::flat_hash_map<Key, uint32_t> by_id_;
  std::vector<Chunk> chunks_;
  std::vector<std::string> samples_;
  absl::flat_hash_map<int64_t, int64_t> pids_;  // by tid, the first of the file
  absl::flat_hash_set<int64_t> processes_;      // pids of all
  std::vector<V8Event> v8_;
};

}  // namespace tracebraid::json
