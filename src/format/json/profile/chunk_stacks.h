// PieceStacks: references to callstacks in a chunk, for FileStacks
// (format/json/profile/file_stacks.h).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "event/sink.h"

namespace tracebraid::json {

// The id of a frame, and the record that gets its callstack.
struct StackRef {
  enum class To : uint8_t { SliceBegin, SliceEnd, Flow, Sample, Heap };
  To to;
  uint32_t index;  // of slice_stacks, flow_extras, samples or heap_entries
  int64_t pid;
  StringId frame;
};

// Events that contain V8's samples (spec json 4.12).
struct V8Event {
  enum class Kind : uint8_t { CodeAdded, CodeMoved, Sample, Profile };
  Kind kind;
  int64_t ts;  // ns
  int64_t pid, tid;
  std::string id;    // of a profile
  std::string args;  // JSON
};

struct ChunkStacks {
  std::vector<StackRef> refs;
  std::vector<std::pair<int64_t, std::string>> frames;  // by pid: args of 'M' stackFrames
  std::vector<V8Event> v8;
};

}  // namespace tracebraid::json
