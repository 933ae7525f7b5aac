// PieceFacts: facts of a chunk about the whole file, for FileFacts (format/json/recording/facts.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "event/sink.h"
#include "format/json/profile/chunk_heaps.h"
#include "format/json/profile/chunk_stacks.h"

namespace tracebraid::json {

// A fact of a metadata event about a process or thread.
struct Hint {
  enum class Kind : uint8_t { ProcessSortIndex, ProcessUptime, ProcessLabel, ThreadSortIndex };
  Kind kind;
  int64_t pid;
  int64_t tid;  // of ThreadSortIndex
  ArgType type = ArgType::Int;
  int64_t value = 0;
  std::string label;
};

// A counter's track; the first sample in the file gives further facts.
struct CounterTrack {
  uint32_t track;  // index of the batch's track names
  int64_t pid;
  StringId name, id, series;  // `id`: none without an id
  StringId category, colour;  // of its first sample in the chunk
};

struct MetadataText {
  std::string key;
  std::string json;  // text of the value in the file
};

// The truncation of a file: its offset, and the element around it.
struct Truncation {
  uint64_t at = 0;
  std::string text;
};

// A moment that other recordings noted as well (spec json 6.4).
struct SyncMark {
  enum class Kind : uint8_t {
    Receiver,
    Issuer,
    LegacyStart,  // S and F named ClockSyncEvent.<id> are one issuer together
    LegacyFinish,
  };
  Kind kind;
  std::string sync_id;
  int64_t begin, end;  // ns of the file's clock
};

struct ChunkFacts {
  std::vector<std::string> id_texts;  // Threads::texts()
  std::vector<CounterTrack> counters;
  std::vector<Hint> hints;
  std::vector<MetadataText> metadata;
  std::vector<SyncMark> sync_marks;
  ChunkStacks stacks;
  ChunkHeaps heaps;
  int64_t num_cpus = -1;
  std::optional<Truncation> truncation;
  uint64_t elements = 0;       // of the event array
  uint64_t syntax_errors = 0;  // errors that required resynchronisation
};

}  // namespace tracebraid::json
