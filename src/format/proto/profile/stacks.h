// Interned callstacks: what a writer said of frames, and calls by number (spec
// proto 1.2).
#pragma once

#include <optional>
#include <vector>

#include "event/sink.h"
#include "format/proto/wire/intern_table.h"
#include "format/proto/wire/wire.h"

namespace tracebraid::proto {

// Entries are put together when a callstack is first used: they may come in any
// order. Indexes of the sink are kept beside them.
class InternedStacks {
 public:
  // Whether a field of InternedData is about callstacks.
  static bool is_field(uint32_t field);
  void add(uint32_t field, std::string_view message, EventSink& sink);
  // Those of ProfilePacket, which has one list of strings.
  void add_string(std::string_view message, EventSink& sink);
  void add_frame(Message message, EventSink& sink);
  void add_callstack(Message message);
  void add_mapping(Message message, EventSink& sink);

  // The callsite of the innermost frame. Nothing if there is no such callstack; kNone if it
  // has no frames, or one that is not known. All of that is counted.
  std::optional<uint32_t> callsite(uint64_t iid, uint32_t machine, EventSink& sink);

 private:
  struct FrameEntry {
    uint64_t function = 0, mapping = 0, rel_pc = 0, source = 0;
    int64_t line = kNoLine;
    bool has_symbol = false;
    StringId type;
    uint32_t frame = kNone;  // once used
  };
  struct MappingEntry {
    uint64_t build_id = 0;
    StackMapping mapping;
    std::vector<uint64_t> path;
    StringId name;           // instead of the path, if given (own.h)
    uint32_t index = kNone;  // once used
  };
  struct CallstackEntry {
    std::vector<uint64_t> frames;  // outermost first
    uint32_t callsite = kNone;     // once used
    bool is_used = false;
  };

  uint32_t chain(const std::vector<uint64_t>& frame_iids, uint32_t machine, EventSink& sink);
  uint32_t frame(uint64_t iid, uint32_t machine, EventSink& sink);
  uint32_t mapping(uint64_t iid, uint32_t machine, EventSink& sink);

  InternTable<StringId> functions_, build_ids_, paths_, sources_;
  InternTable<FrameEntry> frames_;
  InternTable<MappingEntry> mappings_;
  InternTable<CallstackEntry> callstacks_;
};

// An inline callstack of an event: frames with names, files and lines.
uint32_t inline_callsite(Message callstack, EventSink& sink);

}  // namespace tracebraid::proto
